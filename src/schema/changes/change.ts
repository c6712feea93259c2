import { z } from 'zod/v3';
import { nonEmpty } from '../../domain/items.ts';
import type { LineDoubt } from '../../domain/moisture/line-limits.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { AnnotationBody } from '../alerts/annotation.ts';
import { field, withExample } from '../field.ts';
import { WATERING_SOURCES } from '../irrigation/watering.ts';
import { namedSchema } from '../named-schema.ts';
import { SCOPES } from '../scope.ts';
import { instantOutput } from '../shared-fields.ts';
import { CHANGED_KINDS, type ChangedKind } from '../tables/index.ts';

/** Planned waterings follow their schedule: an answer counts them, but no change has their rows. */
export type CountedKind = ChangedKind | 'planned_watering';

export type ChangeAction = 'added' | 'changed' | 'removed';

const fieldValues = z.record(z.unknown());

const changedRow = z.strictObject({
  kind: z.enum(nonEmpty(CHANGED_KINDS)),
  id: withExample(z.string(), '12'),
  /**
   * Null if the change added the row. Of a changed row, only its probe, its start and the fields
   * that differ.
   */
  before: fieldValues.nullable(),
  /** Null if the change removed the row. */
  after: fieldValues.nullable(),
});
export type ChangedRowBody = z.output<typeof changedRow>;

export const changeEffectsBody = z.strictObject({
  /** Row counts by kind and action, such as "watering added". */
  counts: z.record(z.number().int()),
  rows: z
    .array(changedRow)
    .describe('Only of the kinds that the caller has the scope to read; `counts` has all kinds.'),
});
export type ChangeEffects = z.output<typeof changeEffectsBody>;

const changeFields = {
  id: withExample(z.number().int(), 41),
  at: withExample(instantOutput(), '2026-07-01T10:00:00.000Z'),
  operation: withExample(z.string(), 'correct_watering'),
  surface: z.enum(WATERING_SOURCES),
  userName: withExample(z.string().nullable(), 'Ana'),
  undoes: z.number().int().nullable(),
  effects: changeEffectsBody,
};

export const change = namedSchema(
  'Change',
  z.strictObject({ ...changeFields, undoneBy: z.number().int().nullable() }),
);
export type ChangeBody = z.output<typeof change>;

const undoneChange = namedSchema('UndoneChange', z.strictObject(changeFields));
export type UndoneChangeBody = z.output<typeof undoneChange>;

export const undoAnswer = z.strictObject({ undone: undoneChange });
export type UndoAnswer = z.output<typeof undoAnswer>;

export const changeEffects = ({ effects }: Pick<UndoneChangeBody, 'effects'>) =>
  Object.entries(effects.counts).map(([effect, count]) => {
    const [kind, action] = effect.split(' ') as [CountedKind, ChangeAction];
    return { kind, action, count };
  });

export const LATEST = 'latest';

export const changeRef = () =>
  field(
    z.number().int().positive().or(z.literal(LATEST)).describe('changeId of an earlier answer.'),
    {
      words: 'change',
      hint: say`Give the ${argument('changeId')} of an answer or an id of ${operationName('list_changes')}, or leave ${argument('changeId')} out for your latest change.`,
      restDescription:
        'Id of the change, or `latest` for the newest one of the key in the last 24 hours that is not undone yet.',
    },
  );

export const WRITE_SCOPES = SCOPES.filter((scope) => scope.endsWith(':write'));

/** An effect that a person has to confirm: something is destroyed or put in doubt. */
export type Confirmation =
  | { readonly kind: 'line'; readonly annotation: AnnotationBody; readonly doubt: LineDoubt }
  | { readonly kind: 'deletion'; readonly annotation: AnnotationBody; readonly stopsAlert: boolean }
  | { readonly kind: 'undo'; readonly undone: UndoneChangeBody };

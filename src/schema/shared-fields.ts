import { z } from 'zod/v3';
import { isIsoDate, parseOffsetInstant } from '../domain/calendar.ts';
import { firstOf } from '../domain/items.ts';
import { LANGS } from '../domain/lang.ts';
import { argument, code, operationName } from '../domain/text/program-names.ts';
import { say } from '../domain/text/say.ts';
import { expected } from './expected.ts';
import { type FieldMetadata, field } from './field.ts';
import { shortText } from './length-limits.ts';

/** ISO 8601 with an offset, read as ms since 1970 UTC. */
const isoInstantSchema = (description = 'Instant.') =>
  shortText()
    .describe(description)
    .transform((value, context) => {
      const at = parseOffsetInstant(value);
      if (Number.isNaN(at))
        context.addIssue({ code: 'custom', ...expected(say`an instant in ISO 8601 that exists`) });
      return at;
    });

const INSTANT_HINT = say`Give a date and an hour, never a guess: ISO 8601 ("2026-07-01T06:00"), local time unless it has an offset.`;

export const instantField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(isoInstantSchema(description), { kind: 'instant', hint: INSTANT_HINT, ...metadata });

/** An instant that the service determines. */
export const computedInstant = () => field(isoInstantSchema(), { kind: 'instant' });

/** A local date that the service keeps as it was checked. */
export const computedDate = () => field(z.string(), { kind: 'date' });

export const periodBoundField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(isoInstantSchema(description), { kind: 'periodBound', hint: INSTANT_HINT, ...metadata });

/**
 * When something took effect. A day alone means the start of the day, because people rarely know
 * the hour.
 */
export const effectiveStartField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(isoInstantSchema(description), {
    kind: 'effectiveStart',
    words: 'start',
    hint: say`Give the day ("2026-07-01"), or the day and the hour, in local time unless it has an offset.`,
    date: { tense: 'past', dayOfMonth: 'first', clockField: null },
    ...metadata,
  });

export const effectiveFromField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  effectiveStartField(description, {
    code: 'INVALID_EFFECTIVE_FROM',
    isAbsentIfNull: true,
    ...metadata,
  }).nullish();

/** A local day ("2026-07-01"), an instant, or two with a slash between them (ISO 8601-1, 5.5). */
export interface LocalPeriod {
  readonly localDay: string | null;
  /** In ms; null for a whole day. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export const localPeriodField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(
    shortText()
      .describe(description)
      .transform((value, context): LocalPeriod => {
        if (isIsoDate(value)) return { localDay: value, startedAt: null, endedAt: null };

        const instants = value.split('/').map(parseOffsetInstant);
        if (instants.some(Number.isNaN) || instants.length > 2)
          context.addIssue({
            code: 'custom',
            ...expected(say`a day, an instant or a period in ISO 8601`),
          });

        return { localDay: null, startedAt: firstOf(instants), endedAt: instants[1] ?? null };
      }),
    { kind: 'period', ...metadata },
  );

/** The end of a period, of which a day alone is the last one. */
export const periodEndField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  periodBoundField(description, {
    kind: 'periodEnd',
    restDescription: 'End of the period (excluded); a day alone is included.',
    ...metadata,
  });

export const periodEndOrNow = (metadata: Partial<FieldMetadata> = {}) =>
  periodEndField('Last day. Default now.', {
    restDescription: 'End of the period (excluded); a day alone is included. Default now.',
    ...metadata,
  }).optional();

export const periodQuery = (days: number) => ({
  start: periodBoundField(`Default ${days} days before end.`, {
    restDescription: `Start. Default ${days} days before end.`,
    code: 'invalid_date',
  }).optional(),
  end: periodEndOrNow({ code: 'invalid_date' }),
});

/** The period of the rows of a list. */
export const listPeriod = (
  fromDescription: string,
  fromRestDescription: string | null = 'Start of the period (included).',
) => ({
  from: periodBoundField(fromDescription, {
    words: 'start of the period',
    restDescription: fromRestDescription,
  }).optional(),
  to: periodEndField('Last day, included.', { words: 'end of the period' }).optional(),
});

interface ReferenceOptions extends Partial<FieldMetadata> {
  readonly description?: string;
}

export const moduleRef = ({ description = 'Name or id.', ...metadata }: ReferenceOptions = {}) =>
  field(z.number().int().positive().describe(description), {
    kind: 'module',
    argument: 'module',
    words: 'probe',
    hint: say`See ${operationName('list_modules')} for names and ids.`,
    restDescription: 'Id of the probe or station, from list_modules.',
    example: 1,
    ...metadata,
  });

export const parcelRef = ({ description = 'Name or id.', ...metadata }: ReferenceOptions = {}) =>
  field(z.number().int().positive().describe(description), {
    kind: 'parcel',
    argument: 'parcel',
    replacesModule: true,
    hint: say`See ${operationName('list_parcels')} for names and ids.`,
    restDescription: 'Id of the parcel, from list_parcels.',
    example: 2,
    ...metadata,
  });

/** The former code is `tension`. Source: spec, "Versioning". */
export const acceptTensionAlias = <S extends z.ZodTypeAny>(schema: S) =>
  z.preprocess((value) => (value === 'tension' ? 'tensio' : value), schema);

export const MAX_STORED_NAME_LENGTH = 200;

export const requiredText = (description: string, maxLength = MAX_STORED_NAME_LENGTH) =>
  z.string().trim().min(1).max(maxLength).describe(description);

export const textOrNull = (description: string) =>
  z.string().max(500).nullable().describe(`${description}, or null`);

/** The name of a company, a member, a parcel or a module. */
export const nameOutput = () => z.string().max(MAX_STORED_NAME_LENGTH);

type TimeFormat = 'date-time' | 'date';

const timeFormats = new WeakMap<z.ZodTypeDef, TimeFormat>();

function timeOutput(format: TimeFormat): z.ZodString {
  const schema = z.string();
  timeFormats.set(schema._def, format);
  return schema;
}

export const instantOutput = () => timeOutput('date-time');

export const dateOutput = () => timeOutput('date');

/** Undefined for a text that is no time of an answer. */
export const timeFormatOf = (definition: z.ZodTypeDef): TimeFormat | undefined =>
  timeFormats.get(definition);

/** Tools write labels in the language of the session. */
export const langField = () =>
  field(z.enum(LANGS).describe('Language of the labels.'), {
    words: 'language',
    isUnlisted: true,
    mayBeDropped: true,
  });

export const noteField = (metadata: Partial<FieldMetadata> = {}) =>
  field(z.string().max(2000).describe('Remark to keep.'), { words: 'note', ...metadata });

export const isActiveField = (description: string, metadata: Partial<FieldMetadata> = {}) =>
  field(z.boolean().describe(description), {
    words: 'choice whether it is active',
    ...metadata,
  }).optional();

const DETAIL_LEVELS = ['concise', 'full'] as const;
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

export const detailField = (metadata: Partial<FieldMetadata> = {}) =>
  field(z.enum(DETAIL_LEVELS).describe('full: every field.'), {
    words: 'level of detail',
    mayBeDropped: true,
    ...metadata,
  });

/** For answers whose full form also explains how their figures were computed. */
export const explainedDetailField = () =>
  field(z.enum(DETAIL_LEVELS).describe('full: how it was computed too.'), {
    words: 'level of detail',
    mayBeDropped: true,
  }).default('full');

/** For answers of which a tool always gives the concise form. */
export const restDetailField = () => detailField({ isRestOnly: true }).default('full');

export const limitField = (description = 'Rows.', metadata: Partial<FieldMetadata> = {}) =>
  field(z.number().int().min(1).max(200).describe(description), {
    code: 'invalid_limit',
    words: 'number of rows',
    mayBeDropped: true,
    hint: say`Give a whole number from 1 to 200.`,
    restDescription: 'Rows at most, 1 to 200.',
    ...metadata,
  });

/** For short lists, of which a person seldom wants a part. */
export const unlistedLimitField = () => limitField('Rows.', { isUnlisted: true });

const LIST_TOTALS = ['none', 'first_page'] as const;
export type ListTotals = (typeof LIST_TOTALS)[number];

/** Totals cost more than a page where many rows match. */
export const totalsField = () =>
  field(
    z
      .enum(LIST_TOTALS)
      .describe('first_page: the first page has totals of all pages. none: no totals.'),
    {
      isRestOnly: true,
      mayBeDropped: true,
    },
  );

export const CURSOR_HINT = say`Pass ${code('next_cursor')} of the same list unchanged, or leave ${argument('cursor')} out to start from the first page.`;

export const cursorField = () =>
  field(z.string().max(400).describe('The last next_cursor.'), {
    code: 'invalid_cursor',
    hint: CURSOR_HINT,
  });

/** A tool's default keeps its answer short enough for a model. */
export const maxCountField = (description: string) =>
  field(z.number().int().min(1).describe(description), {
    isRestOnly: true,
    mayBeDropped: true,
    hint: say`Give a whole number from 1 up, or leave it out.`,
  });

export const listOf = <T extends z.ZodTypeAny>(row: T) => z.strictObject({ data: z.array(row) });

export const page = <T extends z.ZodTypeAny>(row: T) =>
  z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });

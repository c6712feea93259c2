import { groupBy } from '../../domain/groups.ts';
import { firstOf } from '../../domain/items.ts';
import { name, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf } from '../../domain/text/times.ts';
import {
  type ChangeAction,
  type ChangedRowBody,
  type CountedKind,
  changeEffects,
  type UndoneChangeBody,
} from '../../schema/changes/change.ts';
import { type PersonContext, type SummaryContext, visibleDirectory } from '../summary-context.ts';
import { moduleText, parcelText } from '../text/names-of-farm.ts';

export type WithEffects = Pick<UndoneChangeBody, 'effects'>;

/** How many rows of a kind a change or its undo wrote. */
export interface EffectCount {
  readonly kind: CountedKind;
  readonly action: ChangeAction | 'restored';
  readonly count: number;
}

const MAX_NAMES = 3;

/**
 * The names of the modules, parcels or company that changed, which may no longer exist. If there
 * are none, the names of the probes and parcels concerned, and the start of the watering if there
 * was only one.
 */
export async function describeSubjects(
  { effects }: WithEffects,
  context: SummaryContext | PersonContext,
): Promise<Text[]> {
  const ownNames = effects.rows.flatMap(({ kind, before, after }) =>
    kind === 'module' || kind === 'parcel' || kind === 'company'
      ? ((after ?? before)?.name ?? [])
      : [],
  );
  if (ownNames.length > 0)
    return ownNames.slice(0, MAX_NAMES).map((own) => say`${name(String(own))}`);

  const names = await namesOfTargets(effects.rows, context);
  const start = startOfOnlyWatering(effects);
  return start === null ? names : [...names, say`${timeOf(start)}`];
}

/** The probes and parcels that still exist. */
async function namesOfTargets(
  changedRows: readonly ChangedRowBody[],
  context: SummaryContext | PersonContext,
): Promise<Text[]> {
  const directory = visibleDirectory(context.directory);
  const rows = changedRows.map(({ before, after }) => after ?? before ?? {});
  const modules = new Set((await directory.modules()).map(({ id }) => id));
  const parcels = new Set((await directory.parcels()).map(({ id }) => id));

  const idsIn = (existing: ReadonlySet<number>, columns: readonly string[]) =>
    [...new Set(rows.flatMap((row) => columns.map((column) => Number(row[column]))))].filter((id) =>
      existing.has(id),
    );

  const named = [
    ...idsIn(modules, ['moduleId', 'targetModuleId']).map((id) => moduleText(directory, id)),
    ...idsIn(parcels, ['parcelId', 'targetParcelId']).map((id) => parcelText(directory, id)),
  ];
  return Promise.all(named.slice(0, MAX_NAMES));
}

function startOfOnlyWatering(effects: WithEffects['effects']): string | null {
  const waterings = changeEffects({ effects }).filter(({ kind }) => kind === 'watering');
  const count = waterings.reduce((sum, effect) => sum + effect.count, 0);
  if (count !== 1) return null;

  const row = effects.rows.find(({ kind }) => kind === 'watering');
  const start = (row?.after ?? row?.before)?.startedAt;
  return typeof start === 'string' ? start : null;
}

/** A recipient comes and goes with its alert, and a sensor with its probe. */
export function mainEffects(change: WithEffects): EffectCount[] {
  const effects = changeEffects(change);
  const main = effects.filter(({ kind }) => kind !== 'alert_recipient' && kind !== 'sensor');
  return main.length === 0 ? effects : main;
}

/** The reversed effects of an undo: additions are removed, and everything else is put back. */
export function reversedEffects(undone: WithEffects): EffectCount[] {
  const reversed = mainEffects(undone).map(({ kind, action, count }) => ({
    kind,
    count,
    action: action === 'added' ? ('removed' as const) : ('restored' as const),
  }));

  const groups = groupBy(reversed, ({ kind, action }) => `${kind} ${action}`);
  return [...groups.values()].map((group) => ({
    ...firstOf(group),
    count: group.reduce((sum, { count }) => sum + count, 0),
  }));
}

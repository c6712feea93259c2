import { groupBy } from '../../domain/groups.ts';
import { firstOf } from '../../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { nameInSentence } from '../../domain/text.ts';
import {
  type ChangedRowBody,
  changeEffects,
  type UndoneChangeBody,
} from '../../schema/changes/change.ts';
import { languageOf } from '../index.ts';
import {
  moduleName,
  type PersonContext,
  parcelName,
  type SummaryContext,
  visibleDirectory,
} from '../summary-context.ts';
import { formatTime } from '../time.ts';

const MAX_NAMES = 3;

/**
 * The names of the modules, parcels or company that changed, which may no longer exist. If there
 * are none, the names of the probes and parcels concerned, and the start of the watering if there
 * was only one.
 */
export async function describeSubjects(
  { effects }: Pick<UndoneChangeBody, 'effects'>,
  context: SummaryContext | PersonContext,
): Promise<string[]> {
  const ownNames = effects.rows.flatMap(({ kind, before, after }) =>
    kind === 'module' || kind === 'parcel' || kind === 'company'
      ? ((after ?? before)?.name ?? [])
      : [],
  );
  if (ownNames.length > 0)
    return ownNames.slice(0, MAX_NAMES).map((name) => nameInSentence(String(name)));

  const names = await namesOfTargets(effects.rows, context);
  const start = startOfOnlyWatering(effects);
  return start === null ? names : [...names, formatTime(start, context)];
}

/** The probes and parcels that still exist. */
async function namesOfTargets(
  changedRows: readonly ChangedRowBody[],
  context: SummaryContext | PersonContext,
): Promise<string[]> {
  const directory = visibleDirectory(context.directory);
  const rows = changedRows.map(({ before, after }) => after ?? before ?? {});
  const modules = new Set((await directory.modules()).map(({ id }) => id));
  const parcels = new Set((await directory.parcels()).map(({ id }) => id));

  const idsIn = (existing: ReadonlySet<number>, columns: readonly string[]) =>
    [...new Set(rows.flatMap((row) => columns.map((column) => Number(row[column]))))].filter((id) =>
      existing.has(id),
    );

  const named = [
    ...idsIn(modules, ['moduleId', 'targetModuleId']).map((id) => moduleName(directory, id)),
    ...idsIn(parcels, ['parcelId', 'targetParcelId']).map((id) => parcelName(directory, id)),
  ];
  return Promise.all(named.slice(0, MAX_NAMES));
}

function startOfOnlyWatering(effects: UndoneChangeBody['effects']): string | null {
  const waterings = changeEffects({ effects }).filter(({ kind }) => kind === 'watering');
  const count = waterings.reduce((sum, effect) => sum + effect.count, 0);
  if (count !== 1) return null;

  const row = effects.rows.find(({ kind }) => kind === 'watering');
  const start = (row?.after ?? row?.before)?.startedAt;
  return typeof start === 'string' ? start : null;
}

/** A recipient comes and goes with its alert, and a sensor with its probe. */
export function mainEffects(change: Pick<UndoneChangeBody, 'effects'>) {
  const effects = changeEffects(change);
  const main = effects.filter(({ kind }) => kind !== 'alert_recipient' && kind !== 'sensor');
  return main.length === 0 ? effects : main;
}

/** "1 watering removed, 2 alerts put back" */
export function reversedEffects(undone: UndoneChangeBody, lang: Lang = DEFAULT_LANG): string[] {
  const { effect } = languageOf(lang).questions;
  const reversed = mainEffects(undone).map(({ kind, action, count }) => ({
    kind,
    count,
    action: action === 'added' ? ('removed' as const) : ('restored' as const),
  }));

  const groups = groupBy(reversed, ({ kind, action }) => `${kind} ${action}`);
  return [...groups.values()].map((group) => {
    const { kind, action } = firstOf(group);
    return effect(
      kind,
      action,
      group.reduce((sum, { count }) => sum + count, 0),
    );
  });
}

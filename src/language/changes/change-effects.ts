import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { nameInSentence } from '../../domain/text.ts';
import { changeEffects, type UndoneChangeBody } from '../../schema/changes/change.ts';
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
  { effects }: UndoneChangeBody,
  context: SummaryContext | PersonContext,
): Promise<string[]> {
  const directory = visibleDirectory(context.directory);
  const ownNames = effects.rows.flatMap(({ kind, before, after }) =>
    kind === 'module' || kind === 'parcel' || kind === 'company'
      ? ((after ?? before)?.name ?? [])
      : [],
  );
  if (ownNames.length > 0)
    return ownNames.slice(0, MAX_NAMES).map((name) => nameInSentence(String(name)));

  const rows = effects.rows.map(({ before, after }) => after ?? before ?? {});
  const modules = new Set((await directory.modules()).map(({ id }) => id));
  const parcels = new Set((await directory.parcels()).map(({ id }) => id));

  const idsIn = (existing: ReadonlySet<number>, columns: readonly string[]) =>
    [...new Set(rows.flatMap((each) => columns.map((column) => Number(each[column]))))].filter(
      (id) => existing.has(id),
    );

  const named = [
    ...idsIn(modules, ['moduleId', 'targetModuleId']).map((id) => moduleName(directory, id)),
    ...idsIn(parcels, ['parcelId', 'targetParcelId']).map((id) => parcelName(directory, id)),
  ];
  const names = await Promise.all(named.slice(0, MAX_NAMES));
  const row = effects.rows.find(({ kind }) => kind === 'watering');
  const count = changeEffects({ effects }).reduce(
    (sum, each) => sum + (each.kind === 'watering' ? each.count : 0),
    0,
  );

  const start = count === 1 && (row?.after ?? row?.before)?.startedAt;
  return typeof start === 'string' ? [...names, formatTime(start, context)] : names;
}

/** A recipient comes and goes with its alert, and a sensor with its probe. */
export function mainEffects(change: UndoneChangeBody) {
  const effects = changeEffects(change);
  const main = effects.filter(({ kind }) => kind !== 'alert_recipient' && kind !== 'sensor');
  return main.length === 0 ? effects : main;
}

/** "1 watering removed, 2 alerts put back" */
export function reversedEffects(undone: UndoneChangeBody, lang: Lang = DEFAULT_LANG): string[] {
  const { effect } = languageOf(lang).questions;
  const effects = new Map<string, Parameters<typeof effect>>();
  for (const { kind, action, count } of mainEffects(undone)) {
    const done = action === 'added' ? 'removed' : 'restored';
    const sum = (effects.get(`${kind} ${done}`)?.[2] ?? 0) + count;
    effects.set(`${kind} ${done}`, [kind, done, sum]);
  }
  return [...effects.values()].map((each) => effect(...each));
}

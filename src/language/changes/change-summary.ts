import { nameInSentence } from '../../domain/text.ts';
import {
  type ChangeBody,
  type ChangedRowBody,
  type Confirmation,
  changeEffects,
  type UndoAnswer,
  type UndoneChangeBody,
} from '../../schema/changes/change.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import type { SettingsValues } from '../../schema/moisture/probe-settings.ts';
import { askDeletion } from '../alerts/annotation-summary.ts';
import { languageOf } from '../index.ts';
import { describeSystem } from '../irrigation/watering-summary.ts';
import { formatMinutes, formatMoisture, formatPrecise, formatRate } from '../number-format.ts';
import {
  moduleName,
  parcelName,
  type SummaryContext,
  visibleDirectory,
  type WordingContext,
} from '../summary-context.ts';
import { formatTime, formatTimeWithZone } from '../time.ts';

const MAX_NAMES = 3;
const MAX_ENTRIES = 3;

/**
 * The names of the modules, parcels or company that changed, which may no longer exist. If there
 * are none, the names of the probes and parcels concerned, and the start of the watering if there
 * was only one.
 */
async function describeSubjects(
  { effects }: UndoneChangeBody,
  context: SummaryContext,
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
    ...idsIn(parcels, ['parcelId', 'targetParcelId']).map((id) =>
      parcelName(directory, id, context.lang),
    ),
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
function mainEffects(change: UndoneChangeBody) {
  const effects = changeEffects(change);
  const main = effects.filter(({ kind }) => kind !== 'alert_recipient' && kind !== 'sensor');
  return main.length === 0 ? effects : main;
}

export async function summarizeUndo(
  { undone }: UndoAnswer,
  context: SummaryContext,
): Promise<string> {
  const when = formatTimeWithZone(undone.at, context);
  return languageOf(context.lang).changes.undone(
    reversedEffects(undone, context),
    await describeSubjects(undone, context),
    when,
  );
}

export async function askUndo(undone: UndoneChangeBody, context: SummaryContext): Promise<string> {
  const phrases = languageOf(context.lang).changes;
  return phrases.askUndo({
    when: formatTime(undone.at, context),
    who: undone.userName === null ? null : nameInSentence(undone.userName),
    surface: undone.surface,
    effects: phrases.withNames(
      reversedEffects(undone, context),
      await describeSubjects(undone, context),
    ),
  });
}

function reversedEffects(undone: UndoneChangeBody, { lang }: SummaryContext): string[] {
  const phrases = languageOf(lang).changes;
  const effects = new Map<string, Parameters<typeof phrases.effect>>();
  for (const { kind, action, count } of mainEffects(undone)) {
    const done = action === 'added' ? 'removed' : 'restored';
    const sum = (effects.get(`${kind} ${done}`)?.[2] ?? 0) + count;
    effects.set(`${kind} ${done}`, [kind, done, sum]);
  }
  return [...effects.values()].map((effect) => phrases.effect(...effect));
}

/** "1 watering added (North 1, yesterday 07:00)" */
export async function describeEffects(
  change: UndoneChangeBody,
  context: SummaryContext,
): Promise<string> {
  const phrases = languageOf(context.lang).changes;
  return phrases.withNames(listEffects(change, context), await describeSubjects(change, context));
}

function listEffects(change: UndoneChangeBody, { lang }: SummaryContext): string[] {
  const phrases = languageOf(lang).changes;
  const effects = mainEffects(change);
  return effects.length === 0
    ? [phrases.readings]
    : effects.map(({ kind, action, count }) => phrases.effect(kind, action, count));
}

export async function summarizeChanges(
  { data }: { readonly data: readonly ChangeBody[] },
  context: SummaryContext,
): Promise<string> {
  const phrases = languageOf(context.lang).changes;
  if (data.length === 0) return phrases.none;

  const entries = data.slice(0, MAX_ENTRIES).map(async (change) =>
    phrases.entry({
      when: formatTime(change.at, context),
      who: change.userName === null ? null : nameInSentence(change.userName),
      surface: change.surface,
      effects: await describeEffects(change, context),
      fields: describeChangedFields(change, context),
      isUndo: change.undoes !== null,
      isUndone: change.undoneBy !== null,
    }),
  );

  return phrases.newest(await Promise.all(entries));
}

export const describeConfirmation = (
  confirmation: Confirmation,
  context: SummaryContext,
): Promise<string> =>
  confirmation.kind === 'undo'
    ? askUndo(confirmation.undone, context)
    : askDeletion(confirmation, context);

type Format = (value: never, context: WordingContext) => string;

const withUnit =
  (unit: string): Format =>
  (value: number, { lang }) =>
    `${formatPrecise(value, lang)} ${unit}`;
const text: Format = (value: string) => nameInSentence(value);
const number: Format = (value: number, { lang }) => formatPrecise(value, lang);
const isOn: Format = (value: boolean, { lang }) => languageOf(lang).changes.isOn(value);
const list: Format = (values: readonly string[], { lang }) => languageOf(lang).format.list(values);
const time: Format = (value: string, context) => formatTime(value, context);
/** Plain figures, because each setting is shown with its label. */
const settings = (names: readonly (keyof SettingsValues)[]): Readonly<Record<string, Format>> =>
  Object.fromEntries(names.map((name) => [name, number]));

/** The fields that a person enters. Except for settings, their values need no label. */
const MAIN_FIELDS: Readonly<Record<string, Format>> = {
  status: (value: WateringStatus, { lang }) => languageOf(lang).watering.status(value),
  startedAt: time,
  durationMin: (value: number) => formatMinutes(value),
  inputDepthMm: withUnit('mm'),
  inputVolumeM3: withUnit('m3'),
  mm: withUnit('mm'),
  name: text,
  label: text,
  startTimes: list,
  isActive: isOn,
  threshold: (value: string, { lang }) => `${formatMoisture(Number(value), lang)} %`,
  system: (value: string, context) => describeSystem(value, context),
  flowMmPerH: (value: number, { lang }) => `${formatRate(value, lang)} mm/h`,
  emitterFlowLph: withUnit('L/h'),
  irrigatedAreaM2: withUnit('m2'),
  ...settings([
    'rootDepthCm',
    'allowedDepletion',
    'refillPercent',
    'efficiencyPercent',
    'leachingPercent',
    'hoursPerDay',
  ]),
};

/** "40 min in place of 30 min"; empty unless one row is the only one of its kind that changed. */
function describeChangedFields({ effects }: UndoneChangeBody, context: WordingContext): string[] {
  const row = effects.rows.find((each) => isChangedAlone(each, effects.counts));
  if (row === undefined) return [];

  const before = row.before!;
  const after = row.after!;
  const { changes, settings: phrases, watering } = languageOf(context.lang);
  const formatValue = (name: string, value: unknown): string =>
    value == null ? changes.noValue : MAIN_FIELDS[name]!(value as never, context);

  const fields = Object.keys(MAIN_FIELDS)
    .filter((name) => name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => {
      const label = phrases.labels[name as keyof SettingsValues];
      const replaced = watering.correction.replaced(
        formatValue(name, after[name]),
        formatValue(name, before[name]),
      );
      return label === undefined ? replaced : `${label} ${replaced}`;
    });

  const note =
    before.note === after.note
      ? []
      : [watering.correction.note[classifyNoteChange(before.note, after.note)]];

  return [...fields, ...note];
}

function classifyNoteChange(before: unknown, after: unknown): 'added' | 'changed' | 'removed' {
  if (before == null) return 'added';
  return after == null ? 'removed' : 'changed';
}

const isChangedAlone = (
  { kind, before, after }: ChangedRowBody,
  counts: Readonly<Record<string, number>>,
): boolean => before !== null && after !== null && counts[`${kind} changed`] === 1;

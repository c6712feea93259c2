import { remarkChanges } from '../../domain/irrigation/remark-changes.ts';
import { textOf } from '../../domain/text/say.ts';
import { nameInSentence } from '../../domain/text.ts';
import type {
  ChangeBody,
  ChangedRowBody,
  UndoAnswer,
  UndoneChangeBody,
} from '../../schema/changes/change.ts';
import { fieldMetadata } from '../../schema/field.ts';
import {
  type WateringStatus,
  wateringFields,
  wateringRemarks,
} from '../../schema/irrigation/watering.ts';
import { type SettingsValues, settingFields } from '../../schema/moisture/probe-settings.ts';
import { isGroup, type ResourceFields } from '../../schema/resource.ts';
import { englishFormat } from '../en/grammar.ts';
import { englishQuestions } from '../en/questions.ts';
import { describeRemark, describeReplaced } from '../irrigation/correction-summary.ts';
import { describeSystem } from '../irrigation/watering-summary.ts';
import { settingsPhrases } from '../moisture/settings-phrases.ts';
import {
  formatEntered,
  formatMinutes,
  formatMoisture,
  formatPrecise,
  formatRate,
} from '../number-format.ts';
import type { SummaryContext, WordingContext } from '../summary-context.ts';
import { written } from '../text/render.ts';
import { formatTime, formatTimeWithZone } from '../time.ts';
import { describeSubjects, mainEffects, reversedEffects } from './change-effects.ts';
import { changePhrases } from './change-phrases.ts';

const MAX_ENTRIES = 3;

export async function summarizeUndo(
  { undone }: UndoAnswer,
  context: SummaryContext,
): Promise<string> {
  const when = formatTimeWithZone(undone.at, context);
  return changePhrases.undone(
    reversedEffects(undone),
    await describeSubjects(undone, context),
    when,
  );
}

type WithEffects = Pick<UndoneChangeBody, 'effects'>;

/** "1 watering added (North 1, yesterday 07:00)" */
export async function describeEffects(
  change: WithEffects,
  context: SummaryContext,
): Promise<string> {
  return englishQuestions.withNames(listEffects(change), await describeSubjects(change, context));
}

/** "1 watering changed", "40 min in place of 30 min" */
export const describeChangedRows = (change: WithEffects, context: WordingContext): string[] => [
  ...listEffects(change),
  ...describeChangedFields(change, context),
];

function listEffects(change: WithEffects): string[] {
  const effects = mainEffects(change);
  return effects.length === 0
    ? [changePhrases.readings]
    : effects.map(({ kind, action, count }) => englishQuestions.effect(kind, action, count));
}

export async function summarizeChanges(
  { data }: { readonly data: readonly ChangeBody[] },
  context: SummaryContext,
): Promise<string> {
  if (data.length === 0) return changePhrases.none;

  const entries = data.slice(0, MAX_ENTRIES).map(async (change) =>
    changePhrases.entry({
      when: formatTime(change.at, context),
      who: change.userName === null ? null : nameInSentence(change.userName),
      surface: change.surface,
      effects: await describeEffects(change, context),
      fields: describeChangedFields(change, context),
      isUndo: change.undoes !== null,
      isUndone: change.undoneBy !== null,
    }),
  );

  return changePhrases.newest(await Promise.all(entries));
}

/** Takes `never`, because the value of each field has a type of its own. */
type Format = (value: never, context: WordingContext) => string;

const withUnit =
  (unit: string): Format =>
  (value: number) =>
    `${formatEntered(value)} ${unit}`;
const text: Format = (value: string) => nameInSentence(value);
const number: Format = (value: number) => formatPrecise(value);
const isOn: Format = (value: boolean) => changePhrases.isOn(value);
const list: Format = (values: readonly string[]) => englishFormat.list(values);
const time: Format = (value: string, context) => formatTime(value, context);

/** The fields of a described resource that have a unit. */
const quantities = (fields: ResourceFields): Readonly<Record<string, Format>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const unit = isGroup(field) ? null : fieldMetadata(field.schema).unit;
      return unit === null ? [] : [[name, formatOfUnit(unit)]];
    }),
  );

const formatOfUnit = (unit: string): Format =>
  unit === 'min' ? (value: number) => formatMinutes(value) : withUnit(unit);

const { depthWeights: _, ...figureSettings } = settingFields;

/** The fields that a person enters. Except for settings, their values need no label. */
const MAIN_FIELDS: Readonly<Record<string, Format>> = {
  status: (value: WateringStatus) => value,
  startedAt: time,
  ...quantities(wateringFields),
  mm: withUnit('mm'),
  name: text,
  label: text,
  startTimes: list,
  isActive: isOn,
  threshold: (value: string) => `${formatMoisture(Number(value))} %`,
  system: (value: string, context) => written(describeSystem(value), context),
  flowMmPerH: (value: number) => `${formatRate(value)} mm/h`,
  emitterFlowLph: withUnit('L/h'),
  irrigatedAreaM2: withUnit('m2'),
  // Without units, because each is shown with its label.
  ...Object.fromEntries(Object.keys(figureSettings).map((name) => [name, number])),
};

/** "40 min in place of 30 min"; empty unless one row is the only one of its kind that changed. */
function describeChangedFields({ effects }: WithEffects, context: WordingContext): string[] {
  const isOnlyChange = (row: ChangedRowBody): row is ChangedRow =>
    isChangedAlone(row, effects.counts);
  const row = effects.rows.find(isOnlyChange);
  if (row === undefined) return [];

  const { before, after } = row;
  const isChanged = (name: string): boolean =>
    name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const formatValue = (format: Format, value: unknown): string =>
    value == null ? changePhrases.noValue : format(value as never, context);

  const fields = Object.entries(MAIN_FIELDS)
    .filter(([name]) => isChanged(name))
    .map(([name, format]) => {
      const label = settingsPhrases.labels[name as keyof SettingsValues];
      const valueIn = (row: Readonly<Record<string, unknown>>) =>
        textOf(formatValue(format, row[name]));
      const replaced = written(describeReplaced(valueIn(after), valueIn(before)), context);
      return label === undefined ? replaced : `${label} ${replaced}`;
    });

  const remarks = remarkChanges(Object.keys(wateringRemarks), before, after).map((remark) =>
    written(describeRemark(remark), context),
  );

  return [...fields, ...remarks];
}

type ChangedRow = {
  readonly [Key in keyof ChangedRowBody]: NonNullable<ChangedRowBody[Key]>;
};

const isChangedAlone = (
  row: ChangedRowBody,
  counts: Readonly<Record<string, number>>,
): row is ChangedRow =>
  row.before !== null && row.after !== null && counts[`${row.kind} changed`] === 1;

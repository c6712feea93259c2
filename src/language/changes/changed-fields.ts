import type { ChangedRowBody, UndoneChangeBody } from '../../schema/change.ts';
import type { SettingsValues } from '../../schema/probe-settings.ts';
import type { WateringStatus } from '../../schema/watering.ts';
import { languageOf } from '../index.ts';
import { describeSystem } from '../irrigation/watering-summary.ts';
import { formatMinutes, formatMoisture, formatPrecise, formatRate } from '../number-format.ts';
import type { WordingContext } from '../summary-context.ts';
import { nameInSentence } from '../text.ts';
import { formatTime } from '../time.ts';

type Format = (value: never, context: WordingContext) => string;

const precise =
  (unit: string): Format =>
  (value: number, { lang }) =>
    `${formatPrecise(value, lang)} ${unit}`;
const text: Format = (value: string) => nameInSentence(value);
const number: Format = (value: number, { lang }) => formatPrecise(value, lang);
const isOn: Format = (value: boolean, { lang }) => languageOf(lang).changes.isOn(value);
const list: Format = (values: readonly string[], { lang }) => languageOf(lang).format.list(values);
const time: Format = (value: string, context) => formatTime(value, context);
/** Its label says what it is. */
const settings = (names: readonly (keyof SettingsValues)[]): Readonly<Record<string, Format>> =>
  Object.fromEntries(names.map((name) => [name, number]));

/** The fields that a person enters, in words that need no label; settings have one. */
const MAIN_FIELDS: Readonly<Record<string, Format>> = {
  status: (value: WateringStatus, { lang }) => languageOf(lang).watering.status(value),
  startedAt: time,
  durationMin: (value: number) => formatMinutes(value),
  inputDepthMm: precise('mm'),
  inputVolumeM3: precise('m3'),
  mm: precise('mm'),
  name: text,
  label: text,
  startTimes: list,
  isActive: isOn,
  threshold: (value: string, { lang }) => `${formatMoisture(Number(value), lang)} %`,
  system: (value: string, context) => describeSystem(value, context),
  flowMmPerH: (value: number, { lang }) => `${formatRate(value, lang)} mm/h`,
  emitterFlowLph: precise('L/h'),
  irrigatedAreaM2: precise('m2'),
  ...settings([
    'rootDepthCm',
    'allowedDepletion',
    'refillPercent',
    'efficiencyPercent',
    'leachingPercent',
    'hoursPerDay',
  ]),
};

/** "40 min in place of 30 min"; of the only row of its kind that changed. */
export function describeChangedFields({ effects }: UndoneChangeBody, context: WordingContext): string[] {
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
      const replaced = watering.correction.replaced(formatValue(name, after[name]), formatValue(name, before[name]));
      return label === undefined ? replaced : `${label} ${replaced}`;
    });
  const note = before.note === after.note ? [] : [watering.correction.note[noteChange(before.note, after.note)]];
  return [...fields, ...note];
}

const noteChange = (before: unknown, after: unknown) =>
  before == null ? 'added' : after == null ? 'removed' : 'changed';

const isChangedAlone = ({ kind, before, after }: ChangedRowBody, counts: Readonly<Record<string, number>>): boolean =>
  before !== null && after !== null && counts[`${kind} changed`] === 1;

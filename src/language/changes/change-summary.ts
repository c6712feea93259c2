import { remarkChanges } from '../../domain/irrigation/remark-changes.ts';
import { AMOUNT_FIELDS, INPUT_MODES } from '../../domain/irrigation/watering-amount.ts';
import { asEntered, minutes, moisture, precise, rate } from '../../domain/text/figures.ts';
import {
  action,
  commaSeparated,
  join,
  list,
  name,
  type Sayable,
  sameCallWith,
  say,
  word,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { clock, timeOf, timeWithZone } from '../../domain/text/times.ts';
import type { UnitOfText } from '../../domain/text/units-of-text.ts';
import type { ChangeBody, ChangedRowBody, UndoAnswer } from '../../schema/changes/change.ts';
import { type WateringStatus, wateringRemarks } from '../../schema/irrigation/watering.ts';
import { type SettingsValues, settingFields } from '../../schema/moisture/setting-fields.ts';
import type { AdvisoryOf } from '../advisory-sentences.ts';
import { englishFormat } from '../en/grammar.ts';
import { englishQuestions, SURFACES } from '../en/questions.ts';
import { describeRemark, describeReplaced } from '../irrigation/correction-summary.ts';
import { describeSystem } from '../irrigation/watering-summary.ts';
import { SETTING_LABELS } from '../moisture/settings-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import {
  describeSubjects,
  type EffectCount,
  mainEffects,
  reversedEffects,
  type WithEffects,
} from './change-effects.ts';

const MAX_ENTRIES = 3;

export async function summarizeUndo(
  { undone }: UndoAnswer,
  context: SummaryContext,
): Promise<Text> {
  const effects = reversedEffects(undone).map(effectText);
  const subjects = await describeSubjects(undone, context);
  return say`Undone: ${withSubjects(effects, subjects)}. It was entered ${timeWithZone(undone.at)}.`;
}

export const withSubjects = (effects: readonly Text[], subjects: readonly Text[]): Text =>
  subjects.length === 0
    ? commaSeparated(effects)
    : say`${commaSeparated(effects)} (${commaSeparated(subjects)})`;

const effectText = ({ kind, action, count }: EffectCount): Text =>
  englishQuestions.effect(kind, action, count);

/** "1 watering added (North 1, yesterday 07:00)" */
export const describeEffects = async (
  change: WithEffects,
  context: SummaryContext,
): Promise<Text> => withSubjects(listEffects(change), await describeSubjects(change, context));

function listEffects(change: WithEffects): Text[] {
  const effects = mainEffects(change);
  return effects.length === 0 ? [say`readings imported`] : effects.map(effectText);
}

interface ChangesFilter {
  readonly moduleId?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly cursor?: string | undefined;
}

export async function summarizeChanges(
  { data }: { readonly data: readonly ChangeBody[] },
  context: SummaryContext,
  { moduleId, from, to, cursor }: ChangesFilter = {},
): Promise<Text> {
  const isFiltered = [moduleId, from, to, cursor].some((each) => each !== undefined);
  if (data.length === 0)
    return isFiltered ? say`No change matches.` : say`Nothing was changed yet.`;

  const entries = data.slice(0, MAX_ENTRIES).map((change) => describeEntry(change, context));
  return say`The newest changes: ${join(await Promise.all(entries), say`; `)}.`;
}

async function describeEntry(change: ChangeBody, context: SummaryContext): Promise<Text> {
  const { at, userName, surface, undoes, undoneBy } = change;
  const who = userName === null ? null : say` by ${name(userName)}`;
  return commaSeparated([
    say`${timeOf(at)}${who}, ${SURFACES[surface]}: ${await describeEffects(change, context)}`,
    ...describeChangedFields(change),
    ...(undoes === null ? [] : [say`by an undo`]),
    ...(undoneBy === null ? [] : [say`undone since`]),
  ]);
}

/** The call of a person who means what was refused or undone as something new. */
export const ENTER_AGAIN = sameCallWith('idempotencyKey: a new one, to enter it anew');

export function describeUndone({
  keptWaterings,
  isScheduleKept,
  isOfStored,
}: AdvisoryOf<'undone_since'>): Text {
  if (keptWaterings > 0)
    return say`This was undone since, but ${begunStay(keptWaterings)}.${isScheduleKept ? SCHEDULE_STOPPED : null}${ENTER_AGAIN}`;
  return isOfStored
    ? say`This change was undone since: what it changed stands as before.${ENTER_AGAIN}`
    : say`This was undone since: nothing of it is stored.${ENTER_AGAIN}`;
}

const SCHEDULE_STOPPED = say` The schedule stays with that, stopped.`;

const begunStay = (count: number): Text =>
  count === 1 ? say`1 watering had begun and stays` : say`${count} waterings had begun and stay`;

export function describeBegunWaterings({
  waterings,
  count,
  isScheduleKept,
}: AdvisoryOf<'begun_waterings_kept'>): Text {
  const listed = waterings.map(({ probe, startedAt }) =>
    probe === null ? timeOf(startedAt) : say`${name(probe)}, ${timeOf(startedAt)}`,
  );
  const others = count - waterings.length;
  if (listed.length > 0 && others > 0) listed.push(say`and ${others} more`);
  const rows = listed.length === 0 ? null : say`: ${join(listed, say`; `)}`;
  return say`${begunStay(count)}${rows}.${isScheduleKept ? SCHEDULE_STOPPED : null}`;
}

/** "This was changed since: 1 watering changed, 40 min in place of 30 min." */
export const describeChangeSince = (change: WithEffects): Text =>
  say`This was changed since: ${commaSeparated([...listEffects(change), ...describeChangedFields(change)])}.`;

export const describeWithheldRows = ({ scopes }: AdvisoryOf<'rows_withheld'>): Text => {
  const key = `a key with ${englishFormat.list(scopes)} shows them`;
  return say`Some changed values are not shown, because your key does not allow to read them.${action(key)}`;
};

/** Takes `never`, because the value of each field has a type of its own. */
type Format = (value: never) => Sayable;

const withUnit =
  (unit: UnitOfText): Format =>
  (value: number) =>
    asEntered(value, unit);
const text: Format = (value: string) => name(value);
const number: Format = (value: number) => precise(value);
const isOn: Format = (value: boolean) => (value ? say`active` : say`stopped`);
const clocks: Format = (values: readonly string[]) => list(values.map(clock));
const time: Format = (value: string) => timeOf(value);

const { depthWeights: _, stonesByDepth: __, ...figureSettings } = settingFields;

const amountsOfOtherModes = INPUT_MODES.flatMap((mode) => {
  const { field, symbol } = AMOUNT_FIELDS[mode];
  return mode === 'duration' ? [] : [[field, withUnit(symbol)] as const];
});

/** The fields that a person enters. Except for settings, their values need no label. */
const MAIN_FIELDS: Readonly<Record<string, Format>> = {
  status: (value: WateringStatus) => word(value),
  startedAt: time,
  durationMin: (value: number) => minutes(value),
  ...Object.fromEntries(amountsOfOtherModes),
  mm: withUnit('mm'),
  name: text,
  label: text,
  startTimes: clocks,
  isActive: isOn,
  threshold: (value: string) => moisture(Number(value), '%'),
  system: (value: string) => describeSystem(value),
  flowMmPerH: (value: number) => rate(value, 'mm/h'),
  emitterFlowLph: withUnit('L/h'),
  irrigatedAreaM2: withUnit('m2'),
  // Without units, because each is shown with its label.
  ...Object.fromEntries(Object.keys(figureSettings).map((name) => [name, number])),
};

/** "40 min in place of 30 min"; empty unless one row is the only one of its kind that changed. */
function describeChangedFields({ effects }: WithEffects): Text[] {
  const isOnlyChange = (row: ChangedRowBody): row is ChangedRow =>
    isChangedAlone(row, effects.counts);
  const row = effects.rows.find(isOnlyChange);
  if (row === undefined) return [];

  const { before, after } = row;
  const isChanged = (name: string): boolean =>
    name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const describeValue = (format: Format, value: unknown): Sayable =>
    value == null ? say`none` : format(value as never);

  const fields = Object.entries(MAIN_FIELDS)
    .filter(([name]) => isChanged(name))
    .map(([name, format]) => {
      const label = SETTING_LABELS[name as keyof SettingsValues];
      const replaced = describeReplaced(
        describeValue(format, after[name]),
        describeValue(format, before[name]),
      );
      return label === undefined ? replaced : say`${label} ${replaced}`;
    });

  const remarks = remarkChanges(Object.keys(wateringRemarks), before, after).map((remark) =>
    describeRemark(remark),
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

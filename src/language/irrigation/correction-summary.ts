import { withoutNulls } from '../../domain/items.ts';
import { amount, minutes } from '../../domain/text/figures.ts';
import type { Sayable } from '../../domain/text/say.ts';
import {
  call,
  capitalized,
  commaSeparated,
  join,
  listAndMore,
  name,
  sameCallWith,
  say,
  sentences,
  word,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf, timeRelativeTo } from '../../domain/text/times.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { SingleParcelAnswer, WateringAnswer } from '../../schema/irrigation/watering.ts';
import type { SummaryContext } from '../summary-context.ts';
import {
  describeDose,
  describeTime,
  describeWarnings,
  describeWettedDose,
  enteredAmount,
  summarizeAnswer,
  wateredTarget,
} from './watering-summary.ts';

type WateringChanges = Extract<Advisory, { kind: 'watering_corrected' }>;

const NOTHING_CHANGED = say`nothing changed`;
const CONFIRMED = say`confirmed`;

export async function summarizeWateringCorrection(
  answer: WateringAnswer | SingleParcelAnswer,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<Text> {
  const { event } = answer;
  const changes = advisories.find((advisory) => advisory.kind === 'watering_corrected');
  // A remote service of another version may not send the changes.
  if (changes === undefined)
    return summarizeAnswer(answer, context, say`The watering is now ${word(event.status)}:`);

  const target = await wateredTarget(answer, context);
  const parts = listChanges(changes);
  const changed = parts.length === 0 ? NOTHING_CHANGED : join(parts, say`; `);
  const sentence = say`The watering on ${target.subject}, ${describeTime(event)}: ${changed}.`;

  const concernsRemarksOnly = parts.length > 0 && parts.length === changes.remarks.length;
  if (concernsRemarksOnly) return sentence;
  if (event.status === 'skipped') {
    const restoring = Date.parse(event.startedAt) > context.now ? 'planned' : 'done';
    return changes.status === null
      ? say`${sentence} It is still cancelled and does not count.${call('correct_watering', `status: ${restoring}`)}`
      : sentence;
  }

  const isDoseUnchanged = changes.dose === null && event.waterMm !== null;
  return sentences([
    sentence,
    isDoseUnchanged ? say`The dose is ${describeDose(event)}.` : null,
    describeOtherEquipment(changes),
    ...(isDoseUnchanged ? [] : describeWarnings(answer, target)),
  ]);
}

/** Serves answers whose body already shows the watering itself. */
export function describeWateringChanges(changes: WateringChanges): Text {
  const parts = listChanges(changes);
  const changed = parts.length === 0 ? NOTHING_CHANGED : join(parts, say`; `);
  return sentences([say`${capitalized(changed)}.`, describeOtherEquipment(changes)]);
}

const describeOtherEquipment = ({ isOtherEquipment }: WateringChanges): Text | null =>
  isOtherEquipment ? say`Other equipment was in place at that time than was recorded.` : null;

/** "40 min in place of 30 min" */
export const describeReplaced = (value: Sayable, before: Sayable): Text =>
  say`${value} in place of ${before}`;

/** A service of another version may have more. */
const REMARKS: Readonly<Record<string, Text>> = { note: say`note` };

export const describeRemark = ({ field, change }: WateringChanges['remarks'][number]): Text =>
  say`${REMARKS[field] ?? name(field)} ${word(change)}`;

function listChanges(changes: WateringChanges): Text[] {
  const { start, amount: entered, remarks } = changes;
  return withoutNulls([
    describeStatus(changes),
    start === null
      ? null
      : say`moved from ${timeRelativeTo(start.from, start.to)} to ${timeRelativeTo(start.to, start.from)}`,
    entered === null
      ? null
      : describeReplaced(enteredAmount(entered.to), enteredAmount(entered.from)),
    describeRunTime(changes),
    ...describeDoseChange(changes),
    ...remarks.map(describeRemark),
  ]);
}

function describeStatus({ status, isConfirmed }: WateringChanges): Text | null {
  if (status === null) return isConfirmed ? CONFIRMED : null;
  const { from, to } = status;
  if (to === 'skipped') return say`cancelled`;
  if (to === 'planned') return from === 'done' ? say`planned, no longer done` : say`planned again`;
  return from === 'planned' ? CONFIRMED : say`counts again`;
}

/** Says the run time only beside a depth or a volume: an amount of minutes is the run time. */
function describeRunTime({ amount: entered, durationMin }: WateringChanges): Text | null {
  if (durationMin === null || entered?.from.mode === 'duration' || entered?.to.mode === 'duration')
    return null;
  return durationMin.to === null
    ? say`without a run time`
    : say`run time ${minutes(durationMin.to)}`;
}

/** Leaves out the dose where the person entered it as the amount. */
function describeDoseChange({
  amount: entered,
  dose,
  defaultFraction = null,
}: WateringChanges): (Text | null)[] {
  if (dose === null) return [];

  const { from, to } = dose;
  const isEntered = entered?.to.mode === 'depth_mm';

  return [
    isEntered || from.waterMm === to.waterMm ? null : describeNewDose(from.waterMm, to.waterMm),
    to.waterMmWetted === null || from.waterMmWetted === to.waterMmWetted
      ? null
      : describeWettedDose(to.waterMmWetted, defaultFraction),
  ];
}

function describeNewDose(fromMm: number | null, toMm: number | null): Text {
  const before = fromMm === null ? null : amount(fromMm, 'mm');
  if (toMm === null) return describeReplaced(say`no dose`, before);
  const dose = amount(toMm, 'mm');
  return before === null ? say`${dose}, it had no dose` : describeReplaced(dose, before);
}

export function describeOtherProbes({
  waterings,
  others,
}: Extract<Advisory, { kind: 'other_probes_unchanged' }>): Text {
  const rows = waterings.map(
    ({ id, probe, amount: entered, startedAt, durationMin, status, waterMm }) => {
      const values = withoutNulls<Sayable>([
        entered === null ? null : enteredAmount(entered),
        startedAt === null ? null : timeOf(startedAt),
        durationMin === null ? null : minutes(durationMin),
        status === null ? null : word(status),
        waterMm === null ? null : amount(waterMm, 'mm'),
      ]);
      const had = values.length === 0 ? null : say` (${commaSeparated(values)})`;
      return say`${name(probe)}${had}${sameCallWith(`eventId: ${id}`)}`;
    },
  );
  return say`This is one probe of a watering of the whole parcel; the others keep what they had: ${listAndMore(rows, others)}. Correct them too if the change is for the parcel.`;
}

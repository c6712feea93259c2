import type { WaterTimes } from '../../domain/moisture/water-times.ts';
import { HOUR_MIN } from '../../domain/periods.ts';
import { exact, minutes } from '../../domain/text/figures.ts';
import { commaSeparated, counted, list, name, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { clock, dayOfYear, timeOf, weekday } from '../../domain/text/times.ts';
import type {
  ParcelWaterTimesAnswer,
  ProbeWaterTimesAnswer,
  SourceWaterTimesAnswer,
} from '../../schema/moisture/water-times.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText, parcelText } from '../text/names-of-farm.ts';

export const summarizeProbeWaterTimes = async (
  answer: ProbeWaterTimesAnswer,
  { directory }: SummaryContext,
): Promise<Text> =>
  sentences([
    summarize(await moduleText(directory, answer.moduleId), answer),
    answer.timesOfParcel === null ? null : OF_PARCEL[answer.timesOfParcel],
  ]);

const OF_PARCEL = {
  replaced: say`It no longer follows its parcel in this.`,
  in_force: say`These are the times of its parcel.`,
};

export async function summarizeParcelWaterTimes(
  answer: ParcelWaterTimesAnswer,
  { directory }: SummaryContext,
): Promise<Text> {
  const { parcelId, source, sourceBefore, timesOfSource } = answer;
  const parcel = await parcelText(directory, parcelId);
  const isMoved = source !== sourceBefore;
  return sentences([
    isMoved ? describeSource(parcel, source, sourceBefore) : null,
    isMoved && isUnchanged(answer) ? null : summarize(parcel, answer),
    timesOfSource === 'replaced' ? say`It no longer follows its source in this.` : null,
  ]);
}

const describeSource = (parcel: Text, source: string | null, before: string | null): Text =>
  source === null
    ? say`${parcel} no longer draws from ${name(before)}.`
    : say`${parcel} draws from ${name(source)}${before === null ? null : say`, before from ${name(before)}`}.`;

export async function summarizeSourceWaterTimes(
  answer: SourceWaterTimesAnswer,
  { directory }: SummaryContext,
): Promise<Text> {
  const { source, isNew, parcelIds, withOwnTimes } = answer;
  const namesOf = async (ids: readonly number[]) =>
    list(await Promise.all(ids.map((id) => parcelText(directory, id))));
  const isOne = parcelIds.length === 1;
  return sentences([
    isNew && isUnchanged(answer)
      ? say`${name(source)} is new.`
      : summarize(say`${name(source)}`, answer),
    parcelIds.length === 0
      ? say`No parcel draws from it.`
      : say`${await namesOf(parcelIds)} ${isOne ? say`draws` : say`draw`} from it.`,
    withOwnTimes.length === 0
      ? null
      : say`Of these, ${await namesOf(withOwnTimes)} ${withOwnTimes.length === 1 ? say`keeps its` : say`keep their`} own times.`,
  ]);
}

const isUnchanged = ({
  waterTimes,
  before,
}: Pick<ParcelWaterTimesAnswer, 'waterTimes' | 'before'>): boolean =>
  JSON.stringify(waterTimes) === JSON.stringify(before);

function summarize(
  target: Text,
  {
    waterTimes,
    before,
    upcoming,
  }: Pick<ParcelWaterTimesAnswer, 'waterTimes' | 'before' | 'upcoming'>,
): Text {
  const isSame = isUnchanged({ waterTimes, before });
  const times = waterTimes === null ? say`water at any time` : describeWaterTimes(waterTimes);
  return sentences([
    isSame ? say`Nothing changed: ${target} already has ${times}.` : say`${target}: ${times}.`,
    isSame || before === null ? null : say`It was: ${describeWaterTimes(before)}.`,
    upcoming.length === 0
      ? null
      : say`${upcoming.length === 1 ? say`The next start is` : say`The next starts are`} ${list(upcoming.map((start) => say`${timeOf(start)}`))}.`,
  ]);
}

/** "water every 8 days from 6 June 06:00, ordered 2 days ahead" */
export const describeWaterTimes = (times: WaterTimes): Text =>
  commaSeparated([
    say`water ${describeRecurrence(times)}`,
    times.noticeHours === null || times.noticeHours === 0
      ? null
      : say`ordered ${lasting(times.noticeHours)} ahead`,
    times.seasonFrom === null || times.seasonUntil === null
      ? null
      : say`from ${dayOfYear(times.seasonFrom)} to ${dayOfYear(times.seasonUntil)}`,
    times.flowLPerH === null ? null : say`with ${exact(times.flowLPerH, 'L/h')}`,
    times.leastMm === null ? null : say`at least ${exact(times.leastMm, 'mm')}`,
    times.largestMm === null ? null : say`at most ${exact(times.largestMm, 'mm')}`,
    times.longestRunMin === null
      ? null
      : say`in runs of at most ${minutes(times.longestRunMin)}${times.pauseMin && say` with pauses of ${minutes(times.pauseMin)}`}`,
    times.hoursPerDay === null ? null : say`${minutes(times.hoursPerDay * HOUR_MIN)} a day`,
    ...(times.moved ?? []).map(({ from, to }) =>
      to === null
        ? say`without the turn of ${timeOf(from)}`
        : say`with the turn of ${timeOf(from)} moved to ${timeOf(to)}`,
    ),
  ]);

const lasting = (hours: number): Text =>
  hours % DAY_H === 0 ? say`${counted(hours / DAY_H, 'day')}` : say`${minutes(hours * HOUR_MIN)}`;

const DAY_H = 24;

/** A Monday, so that weekdays follow it. */
const MONDAYS_MONTH = '2024-01-0';

function describeRecurrence({
  everyHours,
  turnAt,
  weekdays,
  fromTime,
  untilTime,
}: WaterTimes): Text {
  const until = untilTime === null ? null : say` until ${clock(untilTime)}`;
  if (everyHours !== null && turnAt !== null)
    return say`every ${everyHours === DAY_H ? say`day` : lasting(everyHours)} from ${timeOf(turnAt)}${until}`;
  if (weekdays === null && fromTime === null && untilTime === null) return say`at any time`;

  const days =
    weekdays === null
      ? say`every day`
      : say`on ${list(weekdays.map((day) => weekday(`${MONDAYS_MONTH}${day}`)))}`;
  return say`${days}${fromTime === null ? null : say` from ${clock(fromTime)}`}${until}`;
}

import { LocalDay } from '../local-day.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Period } from '../periods.ts';
import { localMsAt } from '../time-zone.ts';

/** A turn that comes at another time, or not at all. Instants in ISO 8601. */
export interface MovedTurn {
  readonly from: string;
  /** Null where the turn is dropped. */
  readonly to: string | null;
}

/**
 * When and how water can be had. Null where nothing was said: water then comes at any time. Clock
 * times are local, HH:MM; days of the year MM-DD; instants in ISO 8601.
 */
export interface WaterTimes {
  /** A turn comes each so many hours from `turnAt` on; whole days keep the clock time. */
  readonly everyHours: number | null;
  /** The start of one turn. */
  readonly turnAt: string | null;
  /** 1 = Monday to 7 = Sunday, on which water comes where there are no turns. */
  readonly weekdays: readonly number[] | null;
  /** When water begins on a day; of turns, `turnAt` says it. */
  readonly fromTime: string | null;
  /** When it ends; on the next day, where that is not after the beginning. */
  readonly untilTime: string | null;
  /** Water has to be ordered so long ahead. */
  readonly noticeHours: number | null;
  readonly seasonFrom: string | null;
  readonly seasonUntil: string | null;
  readonly moved: readonly MovedTurn[] | null;
  readonly flowLPerH: number | null;
  /** Over the whole area. */
  readonly leastMm: number | null;
  readonly largestMm: number | null;
  /** A longer run is given in runs of at most this, with pauses between them. */
  readonly longestRunMin: number | null;
  /** Between two runs; null where they follow each other. */
  readonly pauseMin: number | null;
  /** What a source gives in a day. */
  readonly hoursPerDay: number | null;
}

export const NO_WATER_TIMES: WaterTimes = {
  everyHours: null,
  turnAt: null,
  weekdays: null,
  fromTime: null,
  untilTime: null,
  noticeHours: null,
  seasonFrom: null,
  seasonUntil: null,
  moved: null,
  flowLPerH: null,
  leastMm: null,
  largestMm: null,
  longestRunMin: null,
  pauseMin: null,
  hoursPerDay: null,
};

/** An older program knew fewer of its fields. */
export const toWholeTimes = (times: Partial<WaterTimes> | null): WaterTimes | null =>
  times && { ...NO_WATER_TIMES, ...times };

/** A turn that somebody moved is found by its day: nobody says its minute. */
const MOVED_WITHIN_MS = DAY_MS / 2;

const msOfClock = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * HOUR_MS + minutes * MINUTE_MS;
};

/** Water comes at some times only. */
export const isRestricted = (times: WaterTimes): boolean =>
  times.everyHours !== null ||
  times.weekdays !== null ||
  times.fromTime !== null ||
  times.untilTime !== null ||
  times.seasonFrom !== null;

/** Nothing further ahead is looked for: the longest turn comes every 60 days. */
const MAX_AHEAD_MS = 370 * DAY_MS;

interface OpeningsRequest {
  readonly now: number;
  readonly zone: string;
  readonly count: number;
  /** Leaves out others. */
  readonly canBeHad?: (opening: Period) => boolean;
}

/**
 * The next `count` periods in which water can be had, with one that runs. Empty where water comes
 * at any time.
 */
export function nextOpenings(
  times: WaterTimes,
  { now, zone, count, canBeHad = isInTime(times, now) }: OpeningsRequest,
): Period[] {
  if (!isRestricted(times)) return [];

  const openings: Period[] = [];
  for (const opening of openingsFrom(times, now, zone)) {
    if (opening.start > now + MAX_AHEAD_MS) break;
    if (opening.end > now && canBeHad(opening)) openings.push(opening);
    if (openings.length === count) break;
  }
  return openings;
}

/** There is still time to order it. */
export const isInTime =
  ({ noticeHours }: WaterTimes, now: number) =>
  ({ start }: Period): boolean =>
    noticeHours === null || start >= now + noticeHours * HOUR_MS;

/** In order of their starts, with those that may still run. */
function* openingsFrom(times: WaterTimes, now: number, zone: string): Generator<Period> {
  const moved = times.moved ?? [];
  const added = moved
    .flatMap(({ to }) => (to === null ? [] : Date.parse(to)))
    .sort((a, b) => a - b)
    .map((start) => ({ start, end: endOfOpening(start, times, zone) }));
  const isMoved = ({ start }: Period): boolean =>
    moved.some(({ from }) => Math.abs(Date.parse(from) - start) < MOVED_WITHIN_MS);

  for (const regular of regularOpenings(times, now, zone)) {
    while (added[0] !== undefined && added[0].start <= regular.start)
      yield added.shift() ?? regular;
    if (!isMoved(regular) && isInSeason(times, LocalDay.at(regular.start, zone))) yield regular;
    if (regular.start > now + MAX_AHEAD_MS) return;
  }
}

const isInSeason = ({ seasonFrom, seasonUntil }: WaterTimes, day: LocalDay): boolean =>
  seasonFrom === null || seasonUntil === null || day.isWithin(seasonFrom, seasonUntil);

/** The season of water does not end between two days of water. */
export function isSameSeason(times: WaterTimes, { start, end }: Period, zone: string): boolean {
  const last = LocalDay.at(end, zone);
  for (let day = LocalDay.at(start, zone); day.daysUntil(last) > 0; day = day.next())
    if (!isInSeason(times, day)) return false;
  return true;
}

/** Without end. The first may have begun two days before now, so that one that runs is among them. */
function* regularOpenings(times: WaterTimes, now: number, zone: string): Generator<Period> {
  const opening = (start: number): Period => ({ start, end: endOfOpening(start, times, zone) });
  const { everyHours, weekdays, fromTime } = times;
  if (everyHours === null || times.turnAt === null) {
    const clock = msOfClock(fromTime ?? '00:00');
    for (let day = LocalDay.at(now, zone).plus(-2); ; day = day.next())
      if (weekdays === null || weekdays.includes(day.weekday))
        yield opening(day.resolve(clock, zone).at);
  }

  const turnAt = Date.parse(times.turnAt);
  const periodMs = everyHours * HOUR_MS;
  const first = Math.floor((now - 2 * DAY_MS - turnAt) / periodMs) - 1;
  if (periodMs % DAY_MS !== 0)
    for (let turn = first; ; turn++) yield opening(turnAt + turn * periodMs);

  const anchorDay = LocalDay.at(turnAt, zone);
  const clock = localMsAt(turnAt, zone) - anchorDay.midnightMs;
  for (let turn = first; ; turn++)
    yield opening(anchorDay.plus((turn * periodMs) / DAY_MS).resolve(clock, zone).at);
}

/** Where nobody said when it ends, water comes for a day. */
export function endOfOpening(start: number, times: WaterTimes, zone: string): number {
  const { untilTime, everyHours, fromTime } = times;
  if (untilTime !== null) {
    const day = LocalDay.at(start, zone);
    const sameDay = day.resolve(msOfClock(untilTime), zone).at;
    return sameDay > start ? sameDay : day.next().resolve(msOfClock(untilTime), zone).at;
  }
  if (everyHours === null && fromTime === null)
    return LocalDay.at(start, zone).next().startIn(zone);
  return start + DAY_MS;
}

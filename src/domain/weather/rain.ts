import { LocalDay } from '../local-day.ts';
import { DAY_MS, MINUTE_MS } from '../periods.ts';

export interface RainRecord {
  readonly id: number;
  /** Null for the whole farm. */
  readonly parcelId: number | null;
  /** The station whose gauge measured it; null if a person entered it. */
  readonly moduleId: number | null;
  /** The day on which it began. */
  readonly localDay: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly isWholeDay: boolean;
  readonly mm: number;
}

export interface DayOfRain<R extends RainRecord = RainRecord> {
  readonly localDay: string;
  readonly mm: number;
  /** The records that count towards `mm`. */
  readonly counted: readonly R[];
}

/** An absent bound leaves that side open. `from` is included, `to` is not. */
export interface PeriodBounds {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface RecordedRain extends PeriodBounds {
  /** The records of the period, and around it, because those decide what counts in it. */
  readonly records: readonly RainRecord[];
}

/** The longest time that one record may cover. */
export const MAX_RAIN_HOURS = 48;

/** A record further from a period cannot affect which records count in it. */
export const RAIN_MARGIN_DAYS = 4;
const MARGIN_MS = RAIN_MARGIN_DAYS * DAY_MS;

export const withMargin = ({ from, to }: PeriodBounds): PeriodBounds => ({
  from: from === undefined ? undefined : from - MARGIN_MS,
  to: to === undefined ? undefined : to + MARGIN_MS,
});

/**
 * Groups rain by the day on which it began. Each rain counts once (`countedRain`), and several
 * gauges are averaged.
 */
export function rainByDay<R extends RainRecord>(
  records: readonly R[],
  parcelId: number | null,
): DayOfRain<R>[] {
  const days = new Map<string, R[]>();
  for (const record of countedRain(records, parcelId))
    days.set(record.localDay, [...(days.get(record.localDay) ?? []), record]);

  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([localDay, counted]) => ({
      localDay,
      mm: sumOf(counted) / new Set(counted.map(({ moduleId }) => moduleId)).size,
      counted,
    }));
}

/** Includes rain that began in the period, and the total of a day that overlaps its start. */
export const rainByDayInPeriod = (
  { records, from, to }: RecordedRain,
  parcelId: number | null,
): DayOfRain[] =>
  rainByDay(records, parcelId)
    .map(({ localDay, mm, counted: countedOnDay }) => {
      const counted = countedOnDay.filter(
        ({ startedAt, endedAt, isWholeDay }) =>
          (from === undefined || startedAt >= from || (isWholeDay && endedAt! > from)) &&
          (to === undefined || startedAt < to),
      );
      return { localDay, mm: (mm * sumOf(counted)) / sumOf(countedOnDay), counted };
    })
    .filter(({ counted }) => counted.length > 0);

export interface RainContribution {
  readonly record: RainRecord;
  /**
   * The record's part of the day's rain: less than its amount where several gauges are averaged.
   */
  readonly mm: number;
}

export const rainContributions = (days: readonly DayOfRain[]): RainContribution[] =>
  days.flatMap(({ mm, counted }) => {
    const recordedMm = sumOf(counted);
    return counted.map((record) => ({ record, mm: (record.mm / recordedMm) * mm }));
  });

/**
 * Records of the parcel replace those of the farm. A day's total entered by a person replaces
 * measurements of gauges, which replace entered amounts with a time. Of two totals, or of two
 * amounts at the same time, the newest counts.
 */
function countedRain<R extends RainRecord>(records: readonly R[], parcelId: number | null): R[] {
  const counted = new Map<number, R[]>();
  const ranked = records
    .filter((record) => record.mm > 0 && fallsOn(record, parcelId))
    .sort((a, b) => rankOf(a, parcelId) - rankOf(b, parcelId) || b.id - a.id);
  for (const record of ranked) {
    const day = Math.floor(record.startedAt / DAY_MS);
    const isCounted = NEAR_DAYS.some((days) =>
      counted.get(day + days)?.some((other) => mayBeSameRain(other, record)),
    );
    if (!isCounted) counted.set(day, [...(counted.get(day) ?? []), record]);
  }

  return [...counted.values()].flat();
}

/** Rain of the whole farm falls on every parcel. */
const fallsOn = (record: RainRecord, parcelId: number | null): boolean =>
  record.parcelId === null || record.parcelId === parcelId;

/** Distances in UTC days at which records may overlap or share a local day. */
const NEAR_DAYS = [-3, -2, -1, 0, 1, 2, 3];

/** More than any rank of a kind. */
const FARM_RANK = 4;

/** The lowest rank counts first. Records of the parcel rank before those of the farm. */
function rankOf(record: RainRecord, parcelId: number | null): number {
  const kind = kindRank(record);
  return record.parcelId === parcelId ? kind : FARM_RANK + kind;
}

/** From 0 to 3. */
function kindRank(record: RainRecord): number {
  const { moduleId, isWholeDay } = record;
  if (moduleId === null) return isWholeDay ? 0 : 3;
  // Of two intervals of a gauge the longer one ranks first, because it includes the rain of the
  // shorter one. No record is as long as the margin, so the quotient is less than 1.
  return (isWholeDay ? 1 : 2) - lengthMs(record) / MARGIN_MS;
}

/** Amounts that may be the same rain are not added up. */
export function mayBeSameRain(a: RainRecord, b: RainRecord): boolean {
  const isSameParcel = a.parcelId === b.parcelId;
  const isSameSource = isSameParcel && a.moduleId === b.moduleId;
  const areTwoGauges = a.moduleId !== null && b.moduleId !== null && !isSameSource;
  // The gauges of one parcel are averaged.
  if (isSameParcel && areTwoGauges) return false;

  const isSameDay = a.localDay === b.localDay;
  if (isSameDay && (!isSameSource || a.isWholeDay || b.isWholeDay)) return true;

  const sharedMs = Math.min(endOf(a), endOf(b)) - Math.max(a.startedAt, b.startedAt);
  const shorterMs = Math.min(lengthMs(a), lengthMs(b));
  const isSameGauge = isSameSource && a.moduleId !== null;
  const minSharedMs = isSameGauge ? COVERED_SHARE * shorterMs : Math.min(JITTER_MS, shorterMs);
  return sharedMs >= minSharedMs;
}

/** Consecutive intervals of a gauge may overlap, because each is as late as its message was. */
const COVERED_SHARE = 0.75;

/** Clocks differ by seconds: consecutive periods may overlap by less than this. */
const JITTER_MS = MINUTE_MS;

/** A record without an end, or with one at its start, lasts 1 ms. */
const endOf = ({ startedAt, endedAt }: RainRecord): number => Math.max(startedAt + 1, endedAt ?? 0);

const lengthMs = (record: RainRecord): number => endOf(record) - record.startedAt;

const sumOf = (records: readonly RainRecord[]): number =>
  records.reduce((sum, { mm }) => sum + mm, 0);

/** A record in an API response. Without times it is the total of the day. */
interface RainResponse {
  readonly id: number;
  readonly parcelId: number | null;
  readonly moduleId: number | null;
  readonly day: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly mm: number;
}

export function toRainRecord(
  { day, startedAt, endedAt, ...row }: RainResponse,
  zone: string,
): RainRecord {
  const date = LocalDay.parse(day);
  const isWholeDay = startedAt === null;
  const defaultEnd = isWholeDay ? date.next().startIn(zone) : null;

  return {
    ...row,
    localDay: day,
    isWholeDay,
    startedAt: isWholeDay ? date.startIn(zone) : Date.parse(startedAt),
    endedAt: endedAt === null ? defaultEnd : Date.parse(endedAt),
  };
}

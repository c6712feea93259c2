import { addCivilDays, parseIsoDate } from '../calendar.ts';
import { DAY_MS, MINUTE_MS } from '../periods.ts';
import { midnightAt } from '../time-zone.ts';

export interface RainRecord {
  readonly id: number;
  /** Null for the whole farm. */
  readonly parcelId: number | null;
  /** The station whose gauge measured it. */
  readonly moduleId: number | null;
  /** On which it began. */
  readonly localDay: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly isWholeDay: boolean;
  readonly mm: number;
}

export interface DayOfRain<R extends RainRecord = RainRecord> {
  readonly localDay: string;
  readonly mm: number;
  /** Those whose amounts are summed. */
  readonly counted: readonly R[];
}

/** In ms. */
export interface RainPeriod {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What counts of a period is known with the records around it. */
export interface RainOfPeriod extends RainPeriod {
  readonly records: readonly RainRecord[];
}

/** At most, of one record. */
export const MAX_RAIN_HOURS = 48;

/** Further away no record is of the same rain, nor replaces one that may be. */
export const RAIN_MARGIN_DAYS = 4;
const MARGIN_MS = RAIN_MARGIN_DAYS * DAY_MS;

export const withMargin = ({ from, to }: RainPeriod): RainPeriod => ({
  from: from === undefined ? undefined : from - MARGIN_MS,
  to: to === undefined ? undefined : to + MARGIN_MS,
});

/** By the day on which it began, without what may be the same rain (`countedRain`). Several gauges are averaged. */
export function rainByDay<R extends RainRecord>(records: readonly R[], parcelId: number | null): DayOfRain<R>[] {
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

/** What began in the period, and the total of a day of which it has a part. */
export const rainOfPeriodByDay = ({ records, from, to }: RainOfPeriod, parcelId: number | null): DayOfRain[] =>
  rainByDay(records, parcelId)
    .map(({ localDay, mm, counted: ofDay }) => {
      const counted = ofDay.filter(
        ({ startedAt, endedAt, isWholeDay }) =>
          (from === undefined || startedAt >= from || (isWholeDay && endedAt! > from)) &&
          (to === undefined || startedAt < to),
      );
      return { localDay, mm: (mm * sumOf(counted)) / sumOf(ofDay), counted };
    })
    .filter(({ counted }) => counted.length > 0);

export interface FallenRain {
  readonly record: RainRecord;
  /** Its part of the day: less than the record where several gauges are averaged. */
  readonly mm: number;
}

export const fallenRain = (days: readonly DayOfRain[]): FallenRain[] =>
  days.flatMap(({ mm, counted }) => {
    const all = sumOf(counted);
    return counted.map((record) => ({ record, mm: (record.mm / all) * mm }));
  });

/**
 * What a parcel has of its own replaces that of the farm. A total of the day that a person gave replaces what gauges
 * measured, which replaces amounts with an hour. The newest of two totals counts, and of two amounts at the same time.
 */
function countedRain<R extends RainRecord>(records: readonly R[], parcelId: number | null): R[] {
  const counted = new Map<number, R[]>();
  const ranked = records
    .filter(({ mm, parcelId: place }) => mm > 0 && (place ?? parcelId) === parcelId)
    .sort((a, b) => rankOf(a, parcelId) - rankOf(b, parcelId) || b.id - a.id);
  for (const record of ranked) {
    const day = Math.floor(record.startedAt / DAY_MS);
    const isTaken = NEAR_DAYS.some((days) => counted.get(day + days)?.some((each) => mayBeSameRain(each, record)));
    if (!isTaken) counted.set(day, [...(counted.get(day) ?? []), record]);
  }
  return [...counted.values()].flat();
}

/** In UTC, of records that may share time or a local day. */
const NEAR_DAYS = [-3, -2, -1, 0, 1, 2, 3];

/** Of two intervals of a gauge, the longer comes first: it has the rain of the shorter. */
function rankOf(record: RainRecord, parcelId: number | null): number {
  const { moduleId, isWholeDay } = record;
  const kind = moduleId === null ? (isWholeDay ? 0 : 3) : (isWholeDay ? 1 : 2) - lengthMs(record) / MARGIN_MS;
  return record.parcelId === parcelId ? kind : kind + 4;
}

/** Whether they are not added up. */
export function mayBeSameRain(a: RainRecord, b: RainRecord): boolean {
  const isOnePlace = a.parcelId === b.parcelId;
  const isOneSource = isOnePlace && a.moduleId === b.moduleId;
  if (isOnePlace && !isOneSource && a.moduleId && b.moduleId) return false;
  const sharedMs = Math.min(endOf(a), endOf(b)) - Math.max(a.startedAt, b.startedAt);
  const shorterMs = Math.min(lengthMs(a), lengthMs(b));
  return (
    (a.localDay === b.localDay && (!isOneSource || a.isWholeDay || b.isWholeDay)) ||
    sharedMs >= (isOneSource && a.moduleId ? COVERED_SHARE * shorterMs : Math.min(JITTER_MS, shorterMs))
  );
}

/** Intervals of a gauge that follow one another are as late as its messages were, and share some of their time. */
const COVERED_SHARE = 0.75;

/** Clocks do not agree to the second: periods that follow one another may share less than this. */
const JITTER_MS = MINUTE_MS;

/** Without an end it is at its start. */
const endOf = ({ startedAt, endedAt }: RainRecord): number => Math.max(startedAt + 1, endedAt ?? 0);

const lengthMs = (record: RainRecord): number => endOf(record) - record.startedAt;

const sumOf = (records: readonly RainRecord[]): number => records.reduce((sum, { mm }) => sum + mm, 0);

/** As served: without times the record is of the whole day. */
interface ServedRain {
  readonly id: number;
  readonly parcelId: number | null;
  readonly moduleId: number | null;
  readonly day: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly mm: number;
}

export function toRainRecord({ day, startedAt, endedAt, ...row }: ServedRain, zone: string): RainRecord {
  const date = parseIsoDate(day);
  return {
    ...row,
    localDay: day,
    isWholeDay: startedAt === null,
    startedAt: startedAt === null ? midnightAt(date, zone) : Date.parse(startedAt),
    endedAt:
      endedAt !== null ? Date.parse(endedAt) : startedAt === null ? midnightAt(addCivilDays(date, 1), zone) : null,
  };
}

import { DAY_MS, MINUTE_MS, type Period } from '../periods.ts';

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

/** In ms; without a bound all that is before or after. */
export interface RainPeriod {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What counts of a period is known with the records around it. */
export interface RainOfPeriod extends RainPeriod {
  readonly records: readonly RainRecord[];
}

/** A record of more is refused. */
export const MAX_RAIN_HOURS = 48;

/** Further away no record is of the same rain, nor replaces one that may be. */
export const RAIN_MARGIN_DAYS = 4;
const MARGIN_MS = RAIN_MARGIN_DAYS * DAY_MS;

export const withMargin = ({ from, to }: RainPeriod): RainPeriod => ({
  from: from === undefined ? undefined : from - MARGIN_MS,
  to: to === undefined ? undefined : to + MARGIN_MS,
});

/**
 * By the day on which it began, without what may be the same rain (`countedRain`). Of a period: what began in it, and the
 * total of a day of which it has a part. Several gauges are averaged.
 */
export function rainByDay<R extends RainRecord>(
  records: readonly R[],
  parcelId: number | null,
  period: RainPeriod = {},
): DayOfRain<R>[] {
  const days = new Map<string, R[]>();
  for (const record of countedRain(records, parcelId))
    days.set(record.localDay, [...(days.get(record.localDay) ?? []), record]);
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([localDay, ofDay]) => {
      const gauges = new Set(ofDay.map(({ moduleId }) => moduleId)).size;
      const counted = ofDay.filter((record) => isOf(period, record));
      return { localDay, mm: sumOf(counted) / gauges, counted };
    })
    .filter(({ counted }) => counted.length > 0);
}

const isOf = ({ from, to }: RainPeriod, { startedAt, endedAt, isWholeDay }: RainRecord): boolean =>
  (from === undefined || startedAt >= from || (isWholeDay && (endedAt ?? 0) > from)) &&
  (to === undefined || startedAt < to);

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
    .filter((record) => record.mm > 0 && (record.parcelId === null || record.parcelId === parcelId))
    .map((record) => ({ record, rank: rankOf(record, parcelId), lengthMs: gaugeLengthMs(record) }))
    .sort((a, b) => a.rank - b.rank || b.lengthMs - a.lengthMs || b.record.id - a.record.id);
  for (const { record } of ranked) {
    const day = Math.floor(record.startedAt / DAY_MS);
    const near = NEAR_DAYS.flatMap((days) => counted.get(day + days) ?? []);
    if (!near.some((each) => mayBeSameRain(each, record))) counted.set(day, [...(counted.get(day) ?? []), record]);
  }
  return [...counted.values()].flat();
}

/** In UTC, of records that may share time or a local day. */
const NEAR_DAYS = [-3, -2, -1, 0, 1, 2, 3];

function rankOf({ parcelId: place, moduleId, isWholeDay }: RainRecord, parcelId: number | null): number {
  const kind = moduleId === null ? (isWholeDay ? 0 : 3) : isWholeDay ? 1 : 2;
  return kind + (place === parcelId ? 0 : 4);
}

/** Of two intervals of a gauge, the longer has the rain of the shorter. */
const gaugeLengthMs = ({ moduleId, startedAt, endedAt }: RainRecord): number =>
  moduleId === null ? 0 : (endedAt ?? startedAt) - startedAt;

/** Whether they are not added up. */
export function mayBeSameRain(a: RainRecord, b: RainRecord): boolean {
  const isSameDay = a.localDay === b.localDay;
  if (a.parcelId === b.parcelId && a.moduleId !== null && b.moduleId !== null)
    return a.moduleId === b.moduleId && ((isSameDay && (a.isWholeDay || b.isWholeDay)) || isMostlyCovered(a, b));
  const isAmount = ({ moduleId, isWholeDay }: RainRecord): boolean => moduleId === null && !isWholeDay;
  const areAdded = a.parcelId === b.parcelId && isAmount(a) && isAmount(b);
  return (isSameDay && !areAdded) || overlaps(periodOf(a), periodOf(b));
}

/** Intervals of a gauge that follow one another are as late as its messages were, and share some of their time. */
const COVERED_SHARE = 0.75;

function isMostlyCovered(a: RainRecord, b: RainRecord): boolean {
  const [one, other] = [wholePeriodOf(a), wholePeriodOf(b)];
  const sharedMs = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  return sharedMs >= COVERED_SHARE * Math.min(one.end - one.start, other.end - other.start);
}

const sumOf = (records: readonly RainRecord[]): number => records.reduce((sum, { mm }) => sum + mm, 0);

/** Clocks do not agree to the second: periods that follow one another may share less than this. */
const JITTER_MS = MINUTE_MS;

const periodOf = ({ startedAt, endedAt }: RainRecord): Period => ({
  start: startedAt,
  end: Math.max(startedAt + 1, (endedAt ?? 0) - JITTER_MS),
});

/** Without an end it is at its start. */
const wholePeriodOf = ({ startedAt, endedAt }: RainRecord): Period => ({
  start: startedAt,
  end: Math.max(startedAt + 1, endedAt ?? 0),
});

const overlaps = (a: Period, b: Period): boolean => a.start < b.end && b.start < a.end;

import { MINUTE_MS, type Period } from '../periods.ts';

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

/** Rain is not added up where two records may be of the same rain: the rules of `countedOfDay`. */
export function rainByDay<R extends RainRecord>(records: readonly R[], parcelId: number | null): DayOfRain<R>[] {
  const days = new Map<string, R[]>();
  for (const record of records)
    if (record.mm > 0 && (record.parcelId === null || record.parcelId === parcelId))
      days.set(record.localDay, [...(days.get(record.localDay) ?? []), record]);
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([localDay, ofDay]) => {
      const own = ofDay.filter((record) => record.parcelId === parcelId);
      return { localDay, ...countedOfDay(own.length > 0 ? own : ofDay) };
    });
}

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
 * Several gauges are averaged.
 */
function countedOfDay<R extends RainRecord>(records: readonly R[]): { mm: number; counted: readonly R[] } {
  const entered = records.filter(({ moduleId }) => moduleId === null);
  const total = newest(entered.filter(({ isWholeDay }) => isWholeDay));
  if (total !== undefined) return { mm: total.mm, counted: [total] };
  const gauges = [...new Set(records.flatMap(({ moduleId }) => moduleId ?? []))].map((id) =>
    ofOneGauge(records.filter(({ moduleId }) => moduleId === id)),
  );
  const counted = gauges.length > 0 ? gauges.flat() : withoutOverlaps(entered);
  return { mm: sumOf(counted) / Math.max(1, gauges.length), counted };
}

function ofOneGauge<R extends RainRecord>(records: readonly R[]): readonly R[] {
  const total = newest(records.filter(({ isWholeDay }) => isWholeDay));
  return total === undefined ? withoutOverlaps(records) : [total];
}

const newest = <R extends RainRecord>(records: readonly R[]): R | undefined =>
  records.reduce<R | undefined>((best, each) => (best === undefined || each.id > best.id ? each : best), undefined);

function withoutOverlaps<R extends RainRecord>(records: readonly R[]): R[] {
  const counted: R[] = [];
  for (const record of [...records].sort((a, b) => b.id - a.id))
    if (!counted.some((each) => overlaps(periodOf(each), periodOf(record)))) counted.push(record);
  return counted;
}

const sumOf = (records: readonly RainRecord[]): number => records.reduce((sum, { mm }) => sum + mm, 0);

/** A gauge does not send to the second: intervals that follow one another may share less than this. */
const JITTER_MS = MINUTE_MS;

/** Without an end it is at its start. */
const periodOf = ({ startedAt, endedAt }: RainRecord): Period => ({
  start: startedAt,
  end: Math.max(startedAt + 1, (endedAt ?? 0) - JITTER_MS),
});

const overlaps = (a: Period, b: Period): boolean => a.start < b.end && b.start < a.end;

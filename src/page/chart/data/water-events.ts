import type { ChartedRain, ChartedWatering } from '../../../chart/moisture-chart.ts';
import { parseIsoDate } from '../../../domain/calendar.ts';
import { midnightAt } from '../../../domain/time-zone.ts';
import { rainByDay, toRainRecord } from '../../../domain/weather/rain.ts';
import type { WateringBody } from '../../../schema/irrigation/watering.ts';
import type { RainBody } from '../../../schema/weather/rain.ts';

/** A concise answer omits fields that are null. */
export type WateringRow = Pick<WateringBody, 'id' | 'moduleId' | 'startedAt' | 'status'> &
  Partial<Pick<WateringBody, 'durationMin' | 'waterMm'>>;

export interface WaterEvents {
  readonly waterings: readonly WateringRow[];
  readonly rain: readonly RainBody[];
}

/**
 * A watering of a parcel is logged on each of its probes; of those that start together, the probe's
 * own is drawn.
 */
export function chartedWaterings(
  events: readonly WaterEvents[],
  moduleId: number,
): ChartedWatering[] {
  const all = events
    .flatMap(({ waterings }) => waterings)
    .filter(({ status }) => status !== 'skipped');
  const own = all.filter((watering) => watering.moduleId === moduleId);
  const isOfProbeAlone = own.length === all.length;

  // The probe's own come last, so that they replace those that start at the same time. A tile may
  // repeat a watering of another.
  const separate = new Map<string, WateringRow>();
  for (const watering of [...all, ...own])
    separate.set(isOfProbeAlone ? String(watering.id) : watering.startedAt, watering);

  return [...separate.values()].map(({ startedAt, durationMin, waterMm, status }) => ({
    at: Date.parse(startedAt),
    durationMin: durationMin ?? null,
    mm: waterMm ?? null,
    isPlanned: status === 'planned',
  }));
}

/** The rain that counts, by day. */
export function chartedRain(
  events: readonly WaterEvents[],
  parcelId: number | null,
  zone: string,
): ChartedRain[] {
  const rows = new Map(events.flatMap(({ rain }) => rain).map((row) => [row.id, row]));
  const records = [...rows.values()].map((row) => toRainRecord(row, zone));
  return rainByDay(records, parcelId).map(({ localDay, mm }) => ({
    at: midnightAt(parseIsoDate(localDay), zone),
    mm,
  }));
}

import type { ChartedRain, ChartedWatering } from '../../../chart/moisture-chart.ts';
import { LocalDay } from '../../../domain/local-day.ts';
import { rainByDay, toRainRecord } from '../../../domain/weather/rain.ts';
import type { WateringBody } from '../../../schema/irrigation/watering.ts';
import type { RainBody } from '../../../schema/weather/rain.ts';

/** A concise answer omits fields that are null. */
export type WateringRow = Pick<WateringBody, 'id' | 'moduleId' | 'startedAt' | 'status'> &
  Partial<Pick<WateringBody, 'durationMin' | 'waterMm'>> & {
    /** As done; planned ones that are due do. */
    readonly isCounted?: boolean;
    readonly isAssumed?: boolean;
  };

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
  const waterings = events
    .flatMap((tile) => tile.waterings)
    .filter(({ status }) => status !== 'skipped');
  const ofThisProbe = waterings.filter((watering) => watering.moduleId === moduleId);
  const haveOtherProbes = ofThisProbe.length < waterings.length;

  // Two tiles may both have a watering. The probe's own come last, so that they replace those of
  // other probes that start at the same time.
  const drawn = new Map<string, WateringRow>();
  for (const watering of [...waterings, ...ofThisProbe])
    drawn.set(haveOtherProbes ? watering.startedAt : String(watering.id), watering);

  return [...drawn.values()].map(
    ({ startedAt, durationMin, waterMm, status, isCounted, isAssumed }) => ({
      at: Date.parse(startedAt),
      durationMin: durationMin ?? null,
      mm: waterMm ?? null,
      isPlanned: status === 'planned' && !isCounted,
      isAssumed,
    }),
  );
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
    at: LocalDay.parse(localDay).startIn(zone),
    mm,
  }));
}

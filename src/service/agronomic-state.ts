import { agronomicState, curveSoil, thresholdsOf } from '../domain/agronomic-state.ts';
import type { SeriesRows } from '../domain/buckets.ts';
import { usualStep } from '../domain/coverage.ts';
import { summarySeries } from '../domain/series.ts';
import type { Call } from '../operation/call.ts';
import type { AgronomicStateBody } from '../schema/series.ts';
import { lastReadings } from '../store/series.ts';
import type { CompanyDb } from '../store/tables.ts';
import { drawnThresholds } from './agronomy.ts';
import { commissionedModule } from './modules.ts';
import { READINGS_OF_A_STEP } from './series-coverage.ts';
import { type ServedCurve, servedCurve, weightySensors } from './served-curve.ts';
import { isoOf } from './wire.ts';

/** Whether a probe stands in soil that is too wet, well watered or too dry, by its newest fresh moisture. */
export async function getAgronomicState(call: Call, moduleId: number): Promise<AgronomicStateBody> {
  const module = await commissionedModule(call, moduleId);
  const served = await servedCurve(call.db, module, 'humidity');
  // What a station calls humidity is that of the air.
  const isOfSoil = served.type === 'humidity' && served.sensors.length > 0 && module.category !== 'WEATHER_STATION';
  if (!isOfSoil) call.remark('It has no soil moisture sensor; get_moisture_series shows what it measures.');

  const round = isOfSoil ? await newestRound(call.db, served) : null;
  const newest = round && summarySeries(served.curve, round)[0]!;
  const { fieldCapacity, wiltingPoint } = await drawnThresholds(call, moduleId);
  const soil = isOfSoil
    ? curveSoil(served.curve, served.layers, newest?.at ?? call.now, (place) =>
        round ? !Number.isNaN(round.means[place]![0]) : true,
      )
    : null;
  const thresholds = thresholdsOf({ fieldCapacity, stressPoint: wiltingPoint }, soil);
  return {
    moduleId,
    state: agronomicState(newest, thresholds, call.now),
    value_vwc: newest?.value ?? null,
    time: newest && isoOf(newest.at),
    ...thresholds,
  };
}

/**
 * The newest row of a curve, null without a reading. Sensors may send seconds apart: readings less than half a usual step
 * before the newest one are of its round, and it is of that instant.
 */
async function newestRound(db: CompanyDb, served: ServedCurve): Promise<SeriesRows | null> {
  const ids = weightySensors(served);
  const last = await lastReadings(db, ids, Number.MAX_SAFE_INTEGER, READINGS_OF_A_STEP);
  const newest = new Map(ids.map((id, place) => [id, last[place]!.at(-1)]));
  const at = Math.max(...last.flatMap((readings) => readings.at(-1)?.at ?? []));
  if (!Number.isFinite(at)) return null;
  const steps = last.flatMap((readings) => usualStep(readings.map((reading) => reading.at)) ?? []);
  const roundMs = steps.length === 0 ? 0 : Math.min(...steps) / 2;
  const means = served.sensors.map(({ id }) => {
    const reading = newest.get(id);
    const isOfRound = reading !== undefined && (reading.at === at || at - reading.at < roundMs);
    return [isOfRound ? reading.value : Number.NaN];
  });
  return { at: [at], means };
}

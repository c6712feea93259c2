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
import { saySilent } from './silent-depths.ts';
import { isoOf } from './wire.ts';

/** Whether a probe stands in soil that is too wet, well watered or too dry, by its newest fresh moisture. */
export async function getAgronomicState(call: Call, moduleId: number): Promise<AgronomicStateBody> {
  const module = await commissionedModule(call, moduleId);
  const served = await servedCurve(call.db, module, 'humidity');
  // What a station calls humidity is that of the air.
  const isOfSoil = served.type === 'humidity' && served.sensors.length > 0 && module.category !== 'WEATHER_STATION';
  if (!isOfSoil) call.remark('It has no soil moisture sensor; get_moisture_series shows what it measures.');

  const round = isOfSoil ? await newestRound(call.db, served, call.now) : null;
  const silent = round && saySilent(served, round, 0);
  if (silent) call.remark(silent);
  const newest = round && summarySeries(served.curve, round)[0]!;
  const { fieldCapacity, wiltingPoint } = await drawnThresholds(call, moduleId);
  const soil = isOfSoil
    ? curveSoil(served.curve, served.layers, call.now, (place) =>
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

/** A round that is not whole after this long, in ms, counts as it is. */
const ROUND_WAITS_MS = 30 * 60_000;
/** A sensor that has sent within this time, in ms, is waited for. */
const REPORTING_MS = 24 * 3_600_000;

/**
 * The newest row of a curve that counts, null without a reading. Sensors may send seconds apart: readings less than half a
 * usual step before an instant are of its round. A round counts when every sensor that reported in the last day is in it,
 * or when it is half an hour old.
 */
async function newestRound(db: CompanyDb, served: ServedCurve, now: number): Promise<SeriesRows | null> {
  const ids = weightySensors(served);
  const last = await lastReadings(db, ids, Number.MAX_SAFE_INTEGER, READINGS_OF_A_STEP);
  const steps = last.flatMap((readings) => usualStep(readings.map((reading) => reading.at)) ?? []);
  const roundMs = steps.length === 0 ? 0 : Math.min(...steps) / 2;
  const inRound = (place: number, at: number) =>
    last[place]!.findLast((reading) => reading.at <= at && (reading.at === at || at - reading.at < roundMs));
  const reporting = ids.flatMap((_, place) => (now - (last[place]!.at(-1)?.at ?? 0) < REPORTING_MS ? [place] : []));
  const instants = [...new Set(last.flat().map(({ at }) => at))].sort((a, b) => b - a);
  const counts = (at: number): boolean =>
    now - at >= ROUND_WAITS_MS || reporting.every((place) => inRound(place, at) !== undefined);
  const at = instants.find(counts) ?? instants[0];
  if (at === undefined) return null;
  const value = new Map(ids.map((id, place) => [id, inRound(place, at)?.value]));
  return { at: [at], means: served.sensors.map(({ id }) => [value.get(id) ?? Number.NaN]) };
}

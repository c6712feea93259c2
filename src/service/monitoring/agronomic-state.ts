import { firstOf, itemAt } from '../../domain/items.ts';
import { classifyAgronomicState } from '../../domain/moisture/agronomic-state.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { type SeriesPoint, summaryPoints } from '../../domain/moisture/series.ts';
import {
  classifyTension,
  isAboveDryLevel,
  typicalTension,
} from '../../domain/moisture/tension-state.ts';
import { soilHorizonById, type UsdaClass } from '../../domain/soil/soil-catalog.ts';
import { layerAt } from '../../domain/soil/soil-profile.ts';
import type { Call } from '../../operation/call.ts';
import type { AgronomicStateBody, TensionBody } from '../../schema/moisture/series.ts';
import type { Module } from '../../store/company/modules.ts';
import { adviseOfFiringAlertsOnModule } from '../alerts/alert-advisories.ts';
import { drawnTensionLevels, thresholdsFor } from '../alerts/drawn-thresholds.ts';
import { newestCycle } from '../moisture/curve-cycles.ts';
import {
  adviseOfSilentDepths,
  loadSummarySeriesSource,
  type SummarySeriesSource,
} from '../moisture/summary-series.ts';
import { suspectReadings } from '../moisture/suspect-readings.ts';
import { requireCommissionedModule } from '../ownership.ts';
import { toIso } from '../wire-format.ts';

const measuresTension = ({ type, sensors }: SummarySeriesSource): boolean =>
  type === 'tensio' && sensors.length > 0;

/** Tension for a tensiometer, else moisture, even if the probe measures both. */
async function loadStateSource(
  { db, now }: Call,
  { id, category }: Module,
): Promise<SummarySeriesSource> {
  const tension =
    category === 'TENSIOMETER' ? await loadSummarySeriesSource(db, id, 'tensio', now) : null;
  return tension && measuresTension(tension)
    ? tension
    : loadSummarySeriesSource(db, id, 'humidity', now);
}

export async function getAgronomicState(call: Call, moduleId: number): Promise<AgronomicStateBody> {
  const module = await requireCommissionedModule(call, moduleId);
  const source = await loadStateSource(call, module);
  const tension = measuresTension(source) ? await tensionState(call, moduleId, source) : null;
  const hasSoil = isSoilMoisture(source, module);
  if (!hasSoil && !tension) call.advise({ kind: 'no_moisture_for_state' });

  const cycle = hasSoil ? await newestCycle(call.db, source, call.now) : null;
  if (cycle) adviseOfSilentDepths(call, source, cycle, 0);
  const newest = cycle && firstOf(summaryPoints(source.type, source.curve, cycle));
  // Without a cycle, no sensor is known to be silent.
  const hasValue = (sensorIndex: number): boolean =>
    cycle ? !Number.isNaN(itemAt(cycle.means, sensorIndex)[0]) : true;

  const { crop, ...thresholds } = await thresholdsFor(
    call,
    module,
    hasSoil ? { source, hasValue } : null,
  );
  const { stressPoint, allowedDepletion: share, basis } = thresholds;
  if (stressPoint !== null && !tension)
    call.advise({ kind: 'allowed_depletion', share, basis: basis.allowedDepletion, crop });
  await adviseOfFiringAlertsOnModule(call, moduleId);

  return {
    moduleId,
    state: classifyAgronomicState(newest, thresholds, call.now),
    value_vwc: newest?.value ?? null,
    time: newest && toIso(newest.at),
    ...thresholds,
    doubts: hasSoil ? await suspectReadings(call.db, source, call.now) : [],
    ...tension,
  };
}

async function tensionState(call: Call, moduleId: number, source: SummarySeriesSource) {
  const cycle = await newestCycle(call.db, source, call.now);
  if (cycle) adviseOfSilentDepths(call, source, cycle, 0);
  const newest = cycle && toTension(firstOf(summaryPoints(source.type, source.curve, cycle)));
  const levels = await drawnTensionLevels(call, moduleId);
  const usdaClass = heaviestTexture(source, call.now);
  const tension: TensionBody = {
    value: newest?.value ?? null,
    ...levels,
    isDry: isAboveDryLevel(newest, levels, call.now),
  };
  if (usdaClass !== null) tension.typical = { usdaClass, ...typicalTension(usdaClass) };

  return {
    state: classifyTension(newest, levels, call.now),
    time: newest && toIso(newest.at),
    tension,
  };
}

/** Some loggers send the water potential, which is the negative tension. */
const toTension = ({ at, value }: SeriesPoint): SeriesPoint => ({
  at,
  value: value && Math.abs(value),
});

/**
 * The texture class with the greatest weight in the curve; of two with the same weight, the
 * shallower one.
 */
function heaviestTexture({ curve, layers }: SummarySeriesSource, at: number): UsdaClass | null {
  const weights = new Map<UsdaClass, number>();
  for (const [sensorIndex, depth] of curve.depthsCm.entries()) {
    const layer = depth === null ? null : layerAt(layers, depth, at);
    const usdaClass = layer && soilHorizonById(layer.soilHorizonId)?.usdaClass;
    if (usdaClass)
      weights.set(usdaClass, (weights.get(usdaClass) ?? 0) + itemAt(curve.weights, sensorIndex));
  }

  const [heaviest] = [...weights].sort(([, a], [, b]) => b - a);
  return heaviest?.[0] ?? null;
}

import { classifyTension, isAboveDryLevel, typicalTension } from '../../domain/moisture/agronomic-state.ts';
import { type SeriesPoint, summaryPoints } from '../../domain/moisture/series.ts';
import { soilHorizonById, type UsdaClass } from '../../domain/soil/soil-catalog.ts';
import { layerAt } from '../../domain/soil/soil-profile.ts';
import type { Call } from '../../operation/call.ts';
import type { TensionBody } from '../../schema/series.ts';
import { drawnTensionLevels } from '../alerts/drawn-thresholds.ts';
import { newestCycle } from '../moisture/curve-cycles.ts';
import { noteSilentDepths, type SummarySeriesSource } from '../moisture/summary-series.ts';
import { toIso } from '../wire-format.ts';

export async function tensionState(call: Call, moduleId: number, source: SummarySeriesSource) {
  const cycle = await newestCycle(call.db, source, call.now);
  if (cycle) noteSilentDepths(call, source, cycle, 0);
  const newest = cycle && toTension(summaryPoints(source.curve, cycle)[0]!);
  const levels = await drawnTensionLevels(call, moduleId);
  const usdaClass = heaviestTexture(source, call.now);
  const tension: TensionBody = {
    value: newest?.value ?? null,
    ...levels,
    isDry: isAboveDryLevel(newest, levels, call.now),
    ...(usdaClass && { typical: { usdaClass, ...typicalTension(usdaClass) } }),
  };
  return { state: classifyTension(newest, levels, call.now), time: newest && toIso(newest.at), tension };
}

/** Some loggers send the water potential, which is the negative tension. */
const toTension = ({ at, value }: SeriesPoint): SeriesPoint => ({ at, value: value && Math.abs(value) });

/** Of the soil around the sensors, the class with the greatest weight in the curve; of equal ones the shallowest. */
function heaviestTexture({ curve, layers }: SummarySeriesSource, at: number): UsdaClass | null {
  const weights = new Map<UsdaClass, number>();
  curve.depthsCm.forEach((depth, sensor) => {
    const layer = depth === null ? null : layerAt(layers, depth, at);
    const usdaClass = layer && soilHorizonById(layer.soilHorizonId)?.usdaClass;
    if (usdaClass) weights.set(usdaClass, (weights.get(usdaClass) ?? 0) + curve.weights[sensor]!);
  });
  const [heaviest] = [...weights].sort(([, a], [, b]) => b - a);
  return heaviest?.[0] ?? null;
}

import { lineHeightInUnit, tensionLines, thresholdLines } from '../../domain/alerts/annotation.ts';
import { curveSoilConstants, resolveThresholds, type TensionLevels } from '../../domain/moisture/agronomic-state.ts';
import type { Call } from '../../operation/call.ts';
import { type Annotation, annotationsOn } from '../../store/alerts/annotations.ts';
import type { Module } from '../../store/company/places.ts';
import { defaultDepletion, probeSettingsAt } from '../moisture/probe-settings.ts';
import { loadSummarySeriesSource, type SummarySeriesSource } from '../moisture/summary-series.ts';

/** `hasValue` tells which sensors, by index, contributed to the value that the thresholds are for. */
export async function agronomicThresholds(
  { db, now }: Pick<Call, 'db' | 'now'>,
  module: Pick<Module, 'id' | 'parcelId'>,
  soil: { source: SummarySeriesSource; hasValue: (sensor: number) => boolean } | null,
) {
  const lines = await drawnThresholds(db, module.id);
  const constants = soil && curveSoilConstants(soil.source.curve, soil.source.layers, now, soil.hasValue);
  const { allowedDepletion: share } = await probeSettingsAt(db, module.id, now);
  const depletion =
    share === null ? await defaultDepletion(db, module) : { crop: null, share, basis: 'setting' as const };
  return { crop: depletion.crop, ...resolveThresholds(lines, constants, depletion) };
}

export async function thresholdsOfModule(call: Pick<Call, 'db' | 'now'>, module: Pick<Module, 'id' | 'parcelId'>) {
  const source = await loadSummarySeriesSource(call.db, module.id, 'humidity', call.now);
  return agronomicThresholds(call, module, { source, hasValue: () => true });
}

/** Notes that an alert at `level` (%) is below the stress point, so that it would warn late. */
export async function noteLateThreshold(
  call: Call,
  module: Pick<Module, 'id' | 'parcelId'>,
  level: number,
): Promise<void> {
  const { stressPoint } = await thresholdsOfModule(call, module);
  if (stressPoint !== null && level < stressPoint) call.note({ kind: 'below_stress_point', stressPoint });
}

/** In % volumetric water content; null if none is drawn. */
async function drawnThresholds(db: Call['db'], moduleId: number) {
  const drawings = await annotationsOn(db, moduleId, 'humidity');
  return {
    fieldCapacity: newestHeight(thresholdLines(drawings, 'threshold1')),
    wiltingPoint: newestHeight(thresholdLines(drawings, 'threshold2')),
  };
}

export async function drawnTensionLevels({ db }: Pick<Call, 'db'>, moduleId: number): Promise<TensionLevels> {
  const drawings = await annotationsOn(db, moduleId, 'tensio');
  return {
    wetLevel: newestHeight(tensionLines(drawings, 'wet')),
    dryLevel: newestHeight(tensionLines(drawings, 'dry')),
  };
}

function newestHeight(lines: readonly Annotation[]): number | null {
  const newest = lines.at(-1);
  return newest ? lineHeightInUnit(newest) : null;
}

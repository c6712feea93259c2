import { lineHeightInUnit } from '../../domain/alerts/annotation.ts';
import { tensionLines, thresholdLines } from '../../domain/alerts/drawn-lines.ts';
import { curveSoilConstants, resolveThresholds } from '../../domain/moisture/agronomic-state.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import type { TensionLevels } from '../../domain/moisture/tension-state.ts';
import type { Call } from '../../operation/call.ts';
import { type Annotation, annotationsOn } from '../../store/alerts/annotations.ts';
import type { Module } from '../../store/company/modules.ts';
import { defaultDepletion, probeSettingsAt } from '../moisture/probe-settings.ts';
import { loadSummarySeriesSource } from '../moisture/summary-series.ts';

/**
 * `hasValue` is true for the sensors, by index, that contributed to the value with which the
 * thresholds are compared.
 */
export async function thresholdsFor(
  { db, now }: Pick<Call, 'db' | 'now'>,
  module: Pick<Module, 'id' | 'parcelId'>,
  moisture: { source: SummarySource; hasValue: (sensorIndex: number) => boolean } | null,
) {
  const lines = await drawnThresholds(db, module.id);
  const constants =
    moisture &&
    curveSoilConstants(moisture.source.curve, moisture.source.layers, now, moisture.hasValue);
  const { allowedDepletion: share } = await probeSettingsAt(db, module.id, now);
  const depletion =
    share === null
      ? await defaultDepletion(db, module)
      : { crop: null, share, basis: 'setting' as const };

  return { crop: depletion.crop, ...resolveThresholds(lines, constants, depletion) };
}

export async function currentThresholds(
  call: Pick<Call, 'db' | 'now'>,
  module: Pick<Module, 'id' | 'parcelId'>,
) {
  const source = await loadSummarySeriesSource(call.db, module.id, 'humidity', call.now);
  return thresholdsFor(call, module, { source, hasValue: () => true });
}

/** An alert at a `level` (%) below the stress point would warn late. */
export async function adviseOfAlertBelowStressPoint(
  call: Call,
  module: Pick<Module, 'id' | 'parcelId'>,
  level: number,
): Promise<void> {
  const { stressPoint } = await currentThresholds(call, module);
  if (stressPoint !== null && level < stressPoint)
    call.advise({ kind: 'below_stress_point', stressPoint });
}

/** The height in % volumetric water content; null if none is drawn. */
async function drawnThresholds(db: Call['db'], moduleId: number) {
  const drawings = await annotationsOn(db, moduleId, 'humidity');
  return {
    fieldCapacity: valueOfNewestLine(thresholdLines(drawings, 'threshold1')),
    wiltingPoint: valueOfNewestLine(thresholdLines(drawings, 'threshold2')),
  };
}

export async function drawnTensionLevels(
  { db }: Pick<Call, 'db'>,
  moduleId: number,
): Promise<TensionLevels> {
  const drawings = await annotationsOn(db, moduleId, 'tensio');
  return {
    wetLevel: valueOfNewestLine(tensionLines(drawings, 'wet')),
    dryLevel: valueOfNewestLine(tensionLines(drawings, 'dry')),
  };
}

function valueOfNewestLine(lines: readonly Annotation[]): number | null {
  const newest = lines.at(-1);
  return newest ? lineHeightInUnit(newest) : null;
}

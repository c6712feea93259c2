import { curveSoilConstants, resolveThresholds } from '../../domain/moisture/agronomic-state.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { depletionOf } from '../../domain/soil/allowed-depletion.ts';
import type { Call } from '../../operation/call.ts';
import { heightOfNewestLine } from '../../store/alerts/annotations.ts';
import type { Module } from '../../store/company/modules.ts';
import { cropOf, probeSettingsAt } from '../moisture/probe-settings.ts';
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
  const lines = {
    fieldCapacity: await heightOfNewestLine(db, module.id, 'threshold1'),
    wiltingPoint: await heightOfNewestLine(db, module.id, 'threshold2'),
  };
  const constants =
    moisture &&
    curveSoilConstants(moisture.source.curve, moisture.source.layers, now, moisture.hasValue);
  const { allowedDepletion: share } = await probeSettingsAt(db, module.id, now);
  const depletion = depletionOf(share, await cropOf(db, module));
  return resolveThresholds(lines, constants, depletion);
}

export async function currentThresholds(
  call: Pick<Call, 'db' | 'now'>,
  module: Pick<Module, 'id' | 'parcelId'>,
) {
  const source = await loadSummarySeriesSource(call.db, module.id, 'humidity', call.now);
  return thresholdsFor(call, module, { source, hasValue: () => true });
}

/** An alert at a `level` (%) below the stress point would warn late. `hasLine`: a line moves it. */
export async function adviseOfAlertBelowStressPoint(
  call: Call,
  module: Pick<Module, 'id' | 'parcelId'>,
  level: number,
  hasLine: boolean,
): Promise<void> {
  const { stressPoint } = await currentThresholds(call, module);
  if (stressPoint !== null && level < stressPoint)
    call.advise({ kind: 'below_stress_point', stressPoint, hasLine });
}

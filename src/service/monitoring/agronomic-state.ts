import {
  classifyAgronomicState,
  curveSoilConstants,
  resolveThresholds,
} from '../../domain/moisture/agronomic-state.ts';
import { summaryPoints } from '../../domain/moisture/series.ts';
import type { Call } from '../../operation/call.ts';
import type { AgronomicStateBody } from '../../schema/series.ts';
import { noteFiringAlertsOf } from '../alerts/alert-notes.ts';
import { drawnThresholds } from '../alerts/threshold-lines.ts';
import { isSoilMoistureCurve, newestCycle } from '../moisture/curve-cycles.ts';
import { loadSummarySeriesSource, noteSilentDepths } from '../moisture/summary-series.ts';
import { commissionedModule } from '../ownership.ts';
import { toIso } from '../wire-format.ts';

/** Whether a probe stands in soil that is too wet, well watered or too dry, by its newest fresh moisture. */
export async function getAgronomicState(call: Call, moduleId: number): Promise<AgronomicStateBody> {
  const [module, served] = await Promise.all([
    commissionedModule(call, moduleId),
    loadSummarySeriesSource(call.db, moduleId, 'humidity'),
  ]);
  const hasSoil = isSoilMoistureCurve(served, module);
  if (!hasSoil) call.note({ kind: 'no_moisture_for_state' });

  const cycle = hasSoil ? await newestCycle(call.db, served, call.now) : null;
  if (cycle) noteSilentDepths(call, served, cycle, 0);
  const newest = cycle && summaryPoints(served.curve, cycle)[0]!;
  const { fieldCapacity, wiltingPoint } = await drawnThresholds(call, moduleId);
  const soil = hasSoil
    ? curveSoilConstants(served.curve, served.layers, call.now, (place) =>
        cycle ? !Number.isNaN(cycle.means[place]![0]) : true,
      )
    : null;
  const thresholds = resolveThresholds({ fieldCapacity, stressPoint: wiltingPoint }, soil);
  await noteFiringAlertsOf(call, moduleId);
  return {
    moduleId,
    state: classifyAgronomicState(newest, thresholds, call.now),
    value_vwc: newest?.value ?? null,
    time: newest && toIso(newest.at),
    ...thresholds,
  };
}

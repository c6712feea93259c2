import { agronomicState, curveSoil, thresholdsOf } from '../domain/agronomic-state.ts';
import { summarySeries } from '../domain/series.ts';
import type { Call } from '../operation/call.ts';
import type { AgronomicStateBody } from '../schema/series.ts';
import { drawnThresholds } from './agronomy.ts';
import { isOfSoil, newestRound } from './curve-rounds.ts';
import { remarkFiring } from './firing.ts';
import { commissionedModule } from './modules.ts';
import { stateWords } from './say-state.ts';
import { servedCurve } from './served-curve.ts';
import { saySilent } from './silent-depths.ts';
import { isoOf } from './wire.ts';

/** Whether a probe stands in soil that is too wet, well watered or too dry, by its newest fresh moisture. */
export async function getAgronomicState(call: Call, moduleId: number): Promise<AgronomicStateBody> {
  const [module, served] = await Promise.all([
    commissionedModule(call, moduleId),
    servedCurve(call.db, moduleId, 'humidity'),
  ]);
  const hasSoil = isOfSoil(served, module);
  if (!hasSoil) call.remark(stateWords(call).noSoilMoisture);

  const round = hasSoil ? await newestRound(call.db, served, call.now) : null;
  const silent = round && saySilent(served, round, 0, call);
  if (silent) call.remark(silent);
  const newest = round && summarySeries(served.curve, round)[0]!;
  const { fieldCapacity, wiltingPoint } = await drawnThresholds(call, moduleId);
  const soil = hasSoil
    ? curveSoil(served.curve, served.layers, call.now, (place) =>
        round ? !Number.isNaN(round.means[place]![0]) : true,
      )
    : null;
  const thresholds = thresholdsOf({ fieldCapacity, stressPoint: wiltingPoint }, soil);
  await remarkFiring(call, moduleId);
  return {
    moduleId,
    state: agronomicState(newest, thresholds, call.now),
    value_vwc: newest?.value ?? null,
    time: newest && isoOf(newest.at),
    ...thresholds,
  };
}

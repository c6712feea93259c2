import type { StateFacts, TensionFacts } from '../../domain/facts/probe-facts.ts';
import { type CurveNow, probeState } from '../../domain/facts/probe-state.ts';
import type { Call } from '../../operation/call.ts';
import type { AgronomicStateBody, TensionBody } from '../../schema/moisture/series.ts';
import {
  toSuspectReadingBody,
  toSuspectTensionBody,
} from '../../schema/moisture/suspect-bodies.ts';
import { toIsoOrNull } from '../../schema/wire-format.ts';
import { adviseOfFiringAlertsOnModule } from '../alerts/alert-advisories.ts';
import { loadStateInputs } from '../facts/probe-facts-loading.ts';
import { adviseOfSilentDepths } from '../moisture/summary-series.ts';
import { requireCommissionedModule } from '../ownership.ts';

export async function getAgronomicState(call: Call, moduleId: number): Promise<AgronomicStateBody> {
  await requireCommissionedModule(call, moduleId);
  // The module is in service, as has just been checked in the same transaction.
  const inputs = (await loadStateInputs(call, moduleId))!;
  const { moisture, tension, depletion } = inputs;
  const facts = probeState(inputs, call.now);

  adviseOfSilentDepthsNow(call, tension);
  if (moisture === null && tension === null) call.advise({ kind: 'no_moisture_for_state' });
  adviseOfSilentDepthsNow(call, moisture);
  if (facts.stressPoint !== null && tension === null)
    call.advise({ kind: 'allowed_depletion', ...depletion });
  await adviseOfFiringAlertsOnModule(call, moduleId);

  return toStateBody(moduleId, facts);
}

function adviseOfSilentDepthsNow(call: Call, curve: CurveNow | null): void {
  if (curve?.cycle) adviseOfSilentDepths(call, curve.source, curve.cycle, 0);
}

export function toStateBody(
  moduleId: number,
  { moisture, at, doubts, tension, ...facts }: StateFacts,
): AgronomicStateBody {
  const body = {
    moduleId,
    ...facts,
    value_vwc: moisture,
    time: toIsoOrNull(at),
    doubts: doubts.map(toSuspectReadingBody),
  };
  return tension === undefined ? body : { ...body, tension: toTensionBody(tension) };
}

const toTensionBody = ({ typical, suspect, ...tension }: TensionFacts): TensionBody => ({
  ...tension,
  typical,
  suspect: suspect?.map(toSuspectTensionBody),
});

import type { ProbeAdvice } from '../../domain/advice/advice.ts';
import {
  differingProbes,
  MAX_COMPARED,
  parcelWithSetup,
} from '../../domain/advice/farm/differing-probes.ts';
import type { FarmConditions } from '../../domain/advice/probe/farm-conditions.ts';
import { unfrozenState } from '../../domain/advice/probe/frozen-depths.ts';
import { adviseProbe } from '../../domain/advice/probe/probe-advice.ts';
import type { Reason } from '../../domain/advice/reason.ts';
import { withholdsAmount } from '../../domain/advice/reason-kinds.ts';
import { isSeenByOthers } from '../../domain/advice/witness/assumed-water.ts';
import type { ModuleFacts, ProbeFacts } from '../../domain/facts/probe-facts.ts';
import type { FactSource } from '../../operation/fact-source.ts';

const NO_REQUEST = { expectedRainMm: 0 };

/** The other soil probes of the parcel, if the setup of the parcel waters this one. */
export async function probesOfParcel(
  facts: Pick<FactSource, 'modules'>,
  probe: ProbeFacts,
): Promise<readonly ModuleFacts[]> {
  const parcelId = parcelWithSetup(probe);
  if (parcelId === null) return [];
  return (await facts.modules())
    .filter(
      (module) =>
        module.parcelId === parcelId &&
        module.id !== probe.module.id &&
        module.category === 'SOIL_PROBE',
    )
    .slice(0, MAX_COMPARED);
}

/** Reads their states, and the facts of those that seem to differ: some depths may be frozen. */
export async function differingOnValve(
  facts: Pick<FactSource, 'states' | 'probes'>,
  probe: ProbeFacts,
  others: readonly ModuleFacts[],
  farm: FarmConditions,
): Promise<number[]> {
  const own = { module: probe.module, unfrozenState: unfrozenState(probe, farm) };
  const states = await facts.states(others.map(({ id }) => id));
  const asRead = others.map((module) => ({ module, unfrozenState: states.get(module.id) ?? null }));

  const seeming = differingProbes(own, asRead, farm.now).map(({ module }) => module.id);
  if (seeming.length === 0) return [];
  const sameValve = [...(await facts.probes(seeming)).values()]
    .filter((other) => parcelWithSetup(other) !== null)
    .filter((other) => !adviseProbe(other, farm, NO_REQUEST).advice.reasons.some(withholdsAmount))
    .map((other) => ({ module: other.module, unfrozenState: unfrozenState(other, farm) }));
  return differingProbes(own, sameValve, farm.now).map(({ module }) => module.id);
}

/** The facts of each of them that uses the setup of the parcel. */
export async function probesOnValve(
  facts: Pick<FactSource, 'probes'>,
  others: readonly ModuleFacts[],
): Promise<ProbeFacts[]> {
  const probes = await facts.probes(others.map(({ id }) => id));
  return [...probes.values()].filter((probe) => parcelWithSetup(probe) !== null);
}

export const advicesOnValve = (
  probes: readonly ProbeFacts[],
  farm: FarmConditions,
): ProbeAdvice[] => probes.map((probe) => adviseProbe(probe, farm, NO_REQUEST).advice);

/** Waterings of a schedule are taken to have run if another probe on the valve shows them. */
export const reasonsOnValve = (
  reasons: readonly Reason[],
  onValve: readonly ProbeFacts[],
  farm: FarmConditions,
): Reason[] =>
  reasons.map((reason) =>
    reason.kind === 'NO_RESPONSE' && reason.areScheduled
      ? { ...reason, areScheduled: !isSeenByOthers(reason.startedAt, onValve, farm) }
      : reason,
  );

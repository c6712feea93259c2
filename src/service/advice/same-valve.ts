import { differingProbes, parcelWithSetup } from '../../domain/advice/farm/differing-probes.ts';
import { adviseProbe } from '../../domain/advice/probe/advise-probe.ts';
import type { FarmConditions } from '../../domain/advice/probe/farm-conditions.ts';
import type { ProbeAdvice } from '../../domain/advice/probe-advice.ts';
import type { ModuleFacts, ProbeFacts } from '../../domain/facts/probe-facts.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import { nullIfNotFound } from '../../schema/error.ts';

/** More are seldom on one valve. */
const MAX_COMPARED = 12;

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

/** Reads no more than their states, and the equipment of those that differ. */
export async function differingOnValve(
  facts: Pick<FactSource, 'state' | 'setup'>,
  probe: ProbeFacts,
  others: readonly ModuleFacts[],
  now: number,
): Promise<number[]> {
  const states = [];
  for (const module of others) {
    const state = await nullIfNotFound(() => facts.state(module.id));
    states.push({ module, state });
  }

  const differing: number[] = [];
  for (const { module } of differingProbes(probe, states, now)) {
    const setup = await facts.setup(module.id);
    if (parcelWithSetup({ module, setup }) !== null) differing.push(module.id);
  }
  return differing;
}

/** The advice for each of them that uses the setup of the parcel. */
export async function advicesOnValve(
  facts: Pick<FactSource, 'probes'>,
  others: readonly ModuleFacts[],
  farm: FarmConditions,
): Promise<ProbeAdvice[]> {
  const probes = await facts.probes(others.map(({ id }) => id));
  return [...probes.values()]
    .filter((probe) => parcelWithSetup(probe) !== null)
    .map((probe) => adviseProbe(probe, farm, { expectedRainMm: 0 }).advice);
}

import {
  hasChangedAtOnce,
  withoutExplainedChanges,
} from '../../domain/advice/probe/explained-changes.ts';
import type { ModuleFacts, ProbeFacts } from '../../domain/facts/probe-facts.ts';
import type { FactSource } from '../../operation/fact-source.ts';

interface ProbeSource {
  readonly modules: () => Promise<readonly ModuleFacts[]>;
  readonly probes: (ids: readonly number[]) => Promise<Iterable<ProbeFacts>>;
}

export const probeSource = (facts: Pick<FactSource, 'modules' | 'probes'>): ProbeSource => ({
  modules: () => facts.modules(),
  probes: async (ids) => (await facts.probes(ids)).values(),
});

/**
 * The probes without the falls of tension, or jumps of all depths, that another probe of their parcel
 * explains. The others are read only where there is such a change.
 */
export async function withChangesExplained(
  probes: readonly ProbeFacts[],
  source: ProbeSource,
): Promise<ProbeFacts[]> {
  const checked: ProbeFacts[] = [];
  for (const facts of probes)
    checked.push(
      hasChangedAtOnce(facts)
        ? withoutExplainedChanges(facts, await othersOfParcel(facts.module, source))
        : facts,
    );
  return checked;
}

const MEASURING_WATER = ['SOIL_PROBE', 'TENSIOMETER'];

async function othersOfParcel(
  { id, parcelId }: ModuleFacts,
  { modules, probes }: ProbeSource,
): Promise<ProbeFacts[]> {
  if (parcelId === null) return [];
  const others = (await modules()).filter(
    (module) =>
      module.parcelId === parcelId &&
      module.id !== id &&
      MEASURING_WATER.includes(module.category ?? ''),
  );
  return others.length === 0 ? [] : [...(await probes(others.map((module) => module.id)))];
}

import {
  hasChangedAtOnce,
  withoutExplainedChanges,
} from '../../domain/advice/probe/changes-at-once.ts';
import type { ModuleFacts, ProbeFacts } from '../../domain/facts/probe-facts.ts';
import { chunksOf } from '../../domain/groups.ts';
import type { FactSource } from '../../operation/fact-source.ts';

interface ProbeSource {
  readonly modules: () => Promise<readonly ModuleFacts[]>;
  readonly probes: (ids: readonly number[]) => Promise<Iterable<ProbeFacts>>;
}

export const probeSource = (facts: Pick<FactSource, 'modules' | 'probes'>): ProbeSource => ({
  modules: () => facts.modules(),
  probes: async (ids) => (await facts.probes(ids)).values(),
});

/** The probes of which it is read at once when water arrived. */
const PROBES_AT_ONCE = 50;

/** When water arrived at probes, by their ids. */
type Wettings = ReadonlyMap<number, readonly number[]>;

/**
 * Leaves out the falls of tension, and jumps of all depths, that another probe of the parcel explains.
 * The others are read only where there is such a change, once for each parcel.
 */
export class ExplainedChanges {
  readonly #source: ProbeSource;
  readonly #wettings = new Map<number, Promise<Wettings>>();

  constructor(source: ProbeSource) {
    this.#source = source;
  }

  async removeFrom(probe: ProbeFacts): Promise<ProbeFacts> {
    if (!hasChangedAtOnce(probe)) return probe;

    const { id, parcelId } = probe.module;
    if (parcelId === null) return withoutExplainedChanges(probe, []);

    const wettings = this.#wettings.get(parcelId) ?? this.#wettingsOf(parcelId);
    this.#wettings.set(parcelId, wettings);
    const others = [...(await wettings)].filter(([other]) => other !== id);
    return withoutExplainedChanges(
      probe,
      others.flatMap(([, wettedAt]) => wettedAt),
    );
  }

  async #wettingsOf(parcelId: number): Promise<Wettings> {
    const ids = (await this.#source.modules())
      .filter((module) => module.parcelId === parcelId && measuresWater(module))
      .map(({ id }) => id);

    const wettings = new Map<number, readonly number[]>();
    for (const group of chunksOf(ids, PROBES_AT_ONCE))
      for (const { module, wettedAt } of await this.#source.probes(group))
        wettings.set(module.id, wettedAt);
    return wettings;
  }
}

const MEASURING_WATER = ['SOIL_PROBE', 'TENSIOMETER'];

const measuresWater = ({ category }: ModuleFacts): boolean =>
  MEASURING_WATER.includes(category ?? '');

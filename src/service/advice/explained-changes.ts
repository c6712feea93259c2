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
  /** Of probes that were read already, by their ids. */
  readonly #wettedAt = new Map<number, readonly number[]>();
  #modules: Promise<readonly ModuleFacts[]> | undefined;

  constructor(source: ProbeSource) {
    this.#source = source;
  }

  /** These are not read again where another probe has such a change. */
  remember(probes: Iterable<ProbeFacts>): void {
    for (const { module, wettedAt } of probes) this.#wettedAt.set(module.id, wettedAt);
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
    this.#modules ??= this.#source.modules();
    const ids = (await this.#modules)
      .filter((module) => module.parcelId === parcelId && measuresWater(module))
      .map(({ id }) => id);

    const unread = ids.filter((id) => !this.#wettedAt.has(id));
    for (const group of chunksOf(unread, PROBES_AT_ONCE))
      this.remember(await this.#source.probes(group));

    return new Map(ids.map((id) => [id, this.#wettedAt.get(id) ?? []]));
  }
}

const MEASURING_WATER = ['SOIL_PROBE', 'TENSIOMETER'];

const measuresWater = ({ category }: ModuleFacts): boolean =>
  MEASURING_WATER.includes(category ?? '');

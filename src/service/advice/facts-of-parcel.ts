import type { ModuleFacts, ProbeFacts, StateFacts } from '../../domain/facts/probe-facts.ts';
import { chunksOf } from '../../domain/groups.ts';
import { isProbe } from '../../language/summary-context.ts';
import { PROBES_AT_ONCE } from './farm/load-farm.ts';
import type { AdviceSource } from './probe-adviser.ts';

/**
 * Reads the facts for advice on the probes of a parcel, a group of them at a time. Advice compares
 * each with the same few others, which are kept.
 */
export class FactsOfParcel implements AdviceSource {
  readonly #facts: AdviceSource;
  readonly #modules: readonly ModuleFacts[];
  #group: ReadonlyMap<number, ProbeFacts> = new Map();
  readonly #compared = new Map<number, ProbeFacts>();

  static async load(facts: AdviceSource, parcelId: number): Promise<FactsOfParcel> {
    const modules = await facts.modules();
    return new FactsOfParcel(
      facts,
      modules.filter((module) => module.parcelId === parcelId),
    );
  }

  private constructor(facts: AdviceSource, modules: readonly ModuleFacts[]) {
    this.#facts = facts;
    this.#modules = modules;
  }

  /** Without those that were never in service. */
  async *inGroups(): AsyncGenerator<ProbeFacts> {
    const ids = this.#modules.filter(isProbe).map(({ id }) => id);
    for (const group of chunksOf(ids, PROBES_AT_ONCE)) {
      if (!group.every((id) => this.#group.has(id))) this.#group = await this.#facts.probes(group);
      yield* this.#group.values();
    }
  }

  async modules(): Promise<readonly ModuleFacts[]> {
    return this.#modules;
  }

  module(id: number): Promise<ModuleFacts> {
    return this.#facts.module(id);
  }

  async probes(ids: readonly number[]): Promise<ReadonlyMap<number, ProbeFacts>> {
    const missing = ids.filter((id) => !this.#group.has(id) && !this.#compared.has(id));
    if (missing.length > 0)
      for (const [id, probe] of await this.#facts.probes(missing)) this.#compared.set(id, probe);

    const found = new Map<number, ProbeFacts>();
    for (const id of ids) {
      const probe = this.#group.get(id) ?? this.#compared.get(id);
      if (probe !== undefined) found.set(id, probe);
    }
    return found;
  }

  async states(ids: readonly number[]): Promise<ReadonlyMap<number, StateFacts>> {
    const probes = await this.probes(ids);
    return new Map([...probes].map(([id, { state }]) => [id, state]));
  }

  waterings: AdviceSource['waterings'] = (selection) => this.#facts.waterings(selection);

  parcelWaterings: AdviceSource['parcelWaterings'] = (parcelId, period) =>
    this.#facts.parcelWaterings(parcelId, period);

  rain: AdviceSource['rain'] = (period) => this.#facts.rain(period);

  weather: AdviceSource['weather'] = (days) => this.#facts.weather(days);
}

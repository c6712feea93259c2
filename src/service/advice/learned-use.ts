import { MAX_BALANCE_DAYS } from '../../domain/advice/balance/balance-from-full.ts';
import { dryFallsOf } from '../../domain/advice/balance/dry-falls.ts';
import type { FarmConditions } from '../../domain/advice/probe/farm-conditions.ts';
import { moistureConditions } from '../../domain/advice/probe/moisture-conditions.ts';
import type { Reason } from '../../domain/advice/reason.ts';
import { learnWaterUse, type WaterUse } from '../../domain/balance/water-use.ts';
import type { ModuleFacts, ProbeFacts } from '../../domain/facts/probe-facts.ts';
import { type WateringFacts, withThoseOfParcel } from '../../domain/facts/watering-facts.ts';
import { groupBy } from '../../domain/groups.ts';
import { DAY_MS } from '../../domain/periods.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { ConditionsOfProbes } from './probe-conditions.ts';
import { probesOfParcel, probesOnValve } from './same-valve.ts';

interface Period {
  readonly from: number;
  readonly to: number;
}

export interface UseSource {
  readonly modules: () => Promise<readonly ModuleFacts[]>;
  readonly probes: (ids: readonly number[]) => Promise<ReadonlyMap<number, ProbeFacts>>;
  readonly waterings: (ids: readonly number[], period: Period) => Promise<readonly WateringFacts[]>;
  readonly parcelWaterings: (parcelId: number, period: Period) => Promise<readonly WateringFacts[]>;
}

export const useSource = (
  facts: Pick<FactSource, 'modules' | 'probes' | 'waterings' | 'parcelWaterings'>,
): UseSource => ({
  modules: () => facts.modules(),
  probes: (ids) => facts.probes(ids),
  waterings: (ids, period) =>
    facts.waterings({ targets: ids.map((moduleId) => ({ moduleId })), ...period }),
  parcelWaterings: (parcelId, period) => facts.parcelWaterings(parcelId, period),
});

/**
 * Learns how much water a parcel uses, only where an answer depends on a balance that readings
 * began. Once for the probes of a parcel that share its setup.
 */
export class LearnedUse {
  readonly #source: UseSource;
  readonly #conditions: Pick<ConditionsOfProbes, 'longPast'>;
  readonly #now: number;
  /** By parcel, or of a probe alone. */
  readonly #learned = new Map<string, Promise<readonly WaterUse[]>>();

  constructor(
    source: UseSource,
    conditions: Pick<ConditionsOfProbes, 'longPast'>,
    { now }: { readonly now: number },
  ) {
    this.#source = source;
    this.#conditions = conditions;
    this.#now = now;
  }

  /** The probe with what was learned; null where its advice, for these reasons, needs none. */
  async addTo(probe: ProbeFacts, reasons: readonly Reason[]): Promise<ProbeFacts | null> {
    if (probe.dayMeans === null || !reasons.some(beginsWithReadings)) return null;

    const others = await probesOfParcel(this.#source, probe);
    const { id, parcelId } = probe.module;
    const key = others.length === 0 ? `probe ${id}` : `parcel ${parcelId}`;
    const learned = this.#learned.get(key) ?? this.#learn(probe, others);
    this.#learned.set(key, learned);
    return { ...probe, waterUse: await learned };
  }

  async #learn(probe: ProbeFacts, others: readonly ModuleFacts[]): Promise<readonly WaterUse[]> {
    const probes = [probe, ...(await probesOnValve(this.#source, others))];
    const farm = await this.#conditions.longPast();
    const period = { from: this.#now - MAX_BALANCE_DAYS * DAY_MS, to: this.#now + 1 };
    const { parcelId } = probe.module;
    const ids = probes.map(({ module }) => module.id);
    const ofProbes = groupBy(await this.#source.waterings(ids, period), ({ moduleId }) => moduleId);
    const ofParcel = parcelId === null ? [] : await this.#source.parcelWaterings(parcelId, period);

    return learnWaterUse(
      probes.map((each) => {
        const own = withThoseOfParcel(ofProbes.get(each.module.id) ?? [], ofParcel);
        return fallsWith(own, each, farm);
      }),
      farm.today
        .plus(-MAX_BALANCE_DAYS)
        .until(farm.today)
        .map(({ iso }) => iso),
    );
  }
}

const fallsWith = (waterings: readonly WateringFacts[], probe: ProbeFacts, farm: FarmConditions) =>
  dryFallsOf(moistureConditions({ ...probe, waterings, earlierWaterings: [] }, farm), farm);

/** A balance since full soil is one of soil that nothing measured. */
const beginsWithReadings = (reason: Reason): boolean =>
  (reason.kind === 'BY_BALANCE' && reason.from === undefined && reason.since !== undefined) ||
  reason.kind === 'DRY_BY_BALANCE' ||
  reason.kind === 'BALANCE_DIFFERS';

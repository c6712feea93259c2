import type { FarmConditions } from '../../domain/advice/probe/farm-conditions.ts';
import { judgeResponse } from '../../domain/advice/probe/response-conditions.ts';
import { areExchanged, modulesWateredAt } from '../../domain/advice/response/exchanged-probes.ts';
import type { ProbeFacts } from '../../domain/facts/probe-facts.ts';
import type { LogShift } from '../../domain/facts/response-facts.ts';
import type { WateringFacts } from '../../domain/facts/watering-facts.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import type { FactSource } from '../../operation/fact-source.ts';

interface ExchangeSource {
  readonly probes: (ids: readonly number[]) => Promise<Iterable<ProbeFacts>>;
  /** Those of the whole farm that started in the period. */
  readonly waterings: (period: Period) => Promise<readonly WateringFacts[]>;
}

export const exchangeSource = (
  facts: Pick<FactSource, 'probes' | 'waterings'>,
): ExchangeSource => ({
  probes: async (ids) => (await facts.probes(ids)).values(),
  waterings: ({ start, end }) => facts.waterings({ from: start, to: end, status: 'done' }),
});

/** More fit where a farm waters all blocks at the same times, so that none of them can be named. */
const MAX_COMPARED = 8;

/**
 * Finds the probe with which another one was exchanged. Others are read only where a log seems to be
 * shifted, and only those whose log fits what the soil shows.
 */
export class ExchangedProbes {
  readonly #source: ExchangeSource;

  constructor(source: ExchangeSource) {
    this.#source = source;
  }

  async markIn(probe: ProbeFacts, farm: FarmConditions): Promise<ProbeFacts> {
    const shift = shiftOf(probe, farm);
    if (shift === null) return probe;

    const partner = await this.#partnerOf(probe, shift, farm);
    if (partner === null) return probe;

    // Both answers name each other, or neither does.
    const partnerShift = shiftOf(partner, farm);
    const isMutual = partnerShift && (await this.#partnerOf(partner, partnerShift, farm));
    return isMutual
      ? { ...probe, response: { ...probe.response, exchangedWith: partner.module.id } }
      : probe;
  }

  /** Null where none fits, or where several do. */
  async #partnerOf(
    { module: { id } }: ProbeFacts,
    shift: LogShift,
    farm: FarmConditions,
  ): Promise<ProbeFacts | null> {
    const { start, end } = shift.record;
    const waterings = await this.#source.waterings({ start: start - DAY_MS, end });
    const ids = modulesWateredAt(shift.roseAt, waterings, id);
    if (ids.length === 0 || ids.length > MAX_COMPARED) return null;

    const partners: ProbeFacts[] = [];
    for (const other of await this.#source.probes(ids)) {
      const otherShift = shiftOf(other, farm);
      if (otherShift !== null && areExchanged(shift, otherShift)) partners.push(other);
    }
    const [partner] = partners;
    return partner === undefined || partners.length > 1 ? null : partner;
  }
}

const shiftOf = ({ response, module }: ProbeFacts, farm: FarmConditions): LogShift | null =>
  judgeResponse(response, farm.rainOn(module.parcelId)).logShift;

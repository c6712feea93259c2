import type { ProbeFacts } from '../../facts/probe-facts.ts';
import { doneWaterings, type WateringFacts } from '../../facts/watering-facts.ts';
import { LocalDay } from '../../local-day.ts';
import type { FarmConditions } from '../probe/farm-conditions.ts';
import { isUnseen, ownWitnesses } from './witness.ts';

/** The waterings of a probe since a local day that neither a person nor the probe saw. */
export function assumedSince(
  since: string,
  facts: ProbeFacts,
  farm: FarmConditions,
): WateringFacts[] {
  const { done, witnesses } = witnessedBy(facts, farm);
  return done.filter(
    ({ id, startedAt }) =>
      LocalDay.at(startedAt, farm.zone).iso >= since && witnesses.get(id)?.kind === 'assumed',
  );
}

/** True if a person or one of these probes saw a watering that started at one of these times. */
export function isSeenByOthers(
  startedAt: readonly number[],
  others: readonly ProbeFacts[],
  farm: FarmConditions,
): boolean {
  return others.some((facts) => {
    const { done, witnesses } = witnessedBy(facts, farm);
    return done.some(
      (watering) =>
        startedAt.includes(watering.startedAt) && !isUnseen(witnesses.get(watering.id)?.kind),
    );
  });
}

function witnessedBy(
  { module, waterings, earlierWaterings, evidence }: ProbeFacts,
  farm: FarmConditions,
) {
  const all = doneWaterings([...earlierWaterings, ...waterings], farm.now);
  const done = [...new Map(all.map((watering) => [watering.id, watering])).values()];
  const rain = farm.rainOn(module.parcelId);
  return { done, witnesses: ownWitnesses(done, { evidence, rain, now: farm.now }) };
}

/** The facts that the probe would have if these waterings had not run. */
export function withoutWaterings(facts: ProbeFacts, left: readonly WateringFacts[]): ProbeFacts {
  const ids = new Set(left.map(({ id }) => id));
  const ran = (waterings: readonly WateringFacts[]) => waterings.filter(({ id }) => !ids.has(id));
  return {
    ...facts,
    waterings: ran(facts.waterings),
    earlierWaterings: ran(facts.earlierWaterings),
    wateringsOnValve: ran(facts.wateringsOnValve),
  };
}

import type { ProbeWateringFacts } from '../../facts/watering-facts.ts';
import { firstOf } from '../../items.ts';
import { DAY_MS } from '../../periods.ts';
import { irrigationWitnesses, type Witness } from '../witness/witness.ts';
import { groupByShared } from './brief-lists.ts';
import { parcelWithSetup } from './differing-probes.ts';
import type { FarmProbe } from './farm-probe.ts';

/** Waterings of one valve that a schedule counts as done, and that nobody saw. */
export interface AssumedWaterings {
  readonly probe: FarmProbe;
  /** The parcel whose setup waters it; null for a setup of its own. */
  readonly parcelId: number | null;
  /** A parcel that was watered at once counts once. */
  readonly count: number;
  readonly newest: ProbeWateringFacts;
}

const ASKED_MS = 7 * DAY_MS;

/** The waterings that were done in the last two weeks; the keys are their ids. */
export function farmWitnesses(probes: readonly FarmProbe[]): Map<number, Witness> {
  const done = probes.flatMap(({ waterings, witnesses }) =>
    waterings.filter(({ id }) => witnesses.has(id)),
  );
  const own = new Map(probes.flatMap(({ witnesses }) => [...witnesses]));
  return irrigationWitnesses(done, own);
}

/**
 * The waterings of the last seven days, the most first. Leaves out those that a probe may still
 * show.
 */
export function assumedWaterings(probes: readonly FarmProbe[], now: number): AssumedWaterings[] {
  const witnesses = farmWitnesses(probes);
  const isAssumed = ({ id, startedAt }: ProbeWateringFacts): boolean => {
    const witness = witnesses.get(id);
    return (
      startedAt > now - ASKED_MS && witness?.kind === 'assumed' && witness.reason !== 'too_early'
    );
  };
  const assumed = probes
    .map((probe) => ({ probe, waterings: probe.waterings.filter(isAssumed) }))
    .filter(({ waterings }) => waterings.length > 0);

  return groupByShared(assumed, ({ probe }) => parcelWithSetup(probe))
    .map((ofValve) => {
      const waterings = ofValve.flatMap((each) => each.waterings);
      const newest = waterings.reduce((a, b) => (b.startedAt > a.startedAt ? b : a));
      const { probe } = ofValve.find((each) => each.waterings.includes(newest)) ?? firstOf(ofValve);
      return {
        probe,
        parcelId: parcelWithSetup(probe),
        count: new Set(waterings.map(({ startedAt }) => startedAt)).size,
        newest,
      };
    })
    .sort((a, b) => b.count - a.count);
}

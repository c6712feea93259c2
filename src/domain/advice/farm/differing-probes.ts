import type { ModuleFacts, SetupFacts, StateFacts } from '../../facts/probe-facts.ts';
import { isFreshAt } from '../../moisture/coverage.ts';

/** A probe of a parcel whose valve waters several. */
export interface ValveProbe {
  readonly module: ModuleFacts;
  readonly setup: Pick<SetupFacts, 'installation'> | null;
  /** Without frozen depths; null where these are most of its curve. */
  readonly unfrozenState: StateFacts | null;
}

/** A probe is compared with as many others of its valve; more are seldom on one. */
export const MAX_COMPARED = 12;

/**
 * The parcel whose setup the probe uses: one valve waters all probes of a parcel without a setup of
 * their own.
 */
export const parcelWithSetup = ({
  module,
  setup,
}: Pick<ValveProbe, 'module' | 'setup'>): number | null =>
  setup?.installation?.scope === 'parcel' ? module.parcelId : null;

/**
 * Half of what the soil holds between wilting point and field capacity: more than crops are usually
 * allowed to take before they are watered (FAO-56, Table 22), so that one of the two is in stress
 * or under too much water whenever the other is well.
 */
const MIN_DIFFERENCE = 0.5;

/** The share of its available water that the soil holds; more than 1 above field capacity. */
export function availableShare(state: StateFacts | null, now: number): number | null {
  if (state === null || state.tension !== undefined || state.doubts.length > 0) return null;

  const { moisture, at, fieldCapacity, wiltingPoint } = state;
  if (moisture === null || at === null || !isFreshAt(at, now)) return null;
  if (fieldCapacity === null || wiltingPoint === null || wiltingPoint >= fieldCapacity) return null;
  return (moisture - wiltingPoint) / (fieldCapacity - wiltingPoint);
}

/** Above field capacity a difference is one of drainage. */
export const differMuch = (a: number, b: number): boolean =>
  Math.min(a, b) < 1 && Math.abs(a - b) >= MIN_DIFFERENCE;

/** The probes of the same valve that are much wetter or drier for their soil than this one. */
export function differingProbes<P extends Pick<ValveProbe, 'module' | 'unfrozenState'>>(
  probe: Pick<ValveProbe, 'module' | 'unfrozenState'>,
  sameValve: readonly P[],
  now: number,
): P[] {
  const own = availableShare(probe.unfrozenState, now);
  if (own === null) return [];
  return sameValve.filter((other) => {
    const share = availableShare(other.unfrozenState, now);
    return other.module.id !== probe.module.id && share !== null && differMuch(own, share);
  });
}

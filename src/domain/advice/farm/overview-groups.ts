import { reasonOf } from '../reason.ts';
import type { AssessedProbe } from './assessed-probes.ts';
import type { FarmProbe } from './farm-probe.ts';

/**
 * `driest`, `highestTension` and `next` contain only probes in season, with fresh data and without doubt.
 * `next`: probes that will be under stress, or already are and have their water planned. `silent`
 * includes stations.
 */
export const OVERVIEW_GROUPS = [
  'driest',
  'highestTension',
  'needsWater',
  'next',
  'checkFirst',
  'differing',
  'firing',
  'silent',
  'unjudged',
] as const;
export type OverviewGroupName = (typeof OVERVIEW_GROUPS)[number];

const MAX_NAMED_PER_GROUP = 6;

/** A silent station is in a group without having been assessed. */
export type GroupMember = Pick<AssessedProbe, 'probe' | 'check' | 'state'>;

export interface ProbeGroup {
  readonly group: OverviewGroupName;
  readonly count: number;
  readonly first: readonly GroupMember[];
}

/**
 * `assessed` has the most urgent probe first, and the groups keep that order, except the two that
 * are ordered by value; silent stations come last. A probe may be in several groups. Empty groups
 * are left out.
 */
export function overviewGroups(
  assessed: readonly AssessedProbe[],
  silentStations: readonly FarmProbe[],
): ProbeGroup[] {
  const trusted = assessed.filter(({ probe, isInDoubt }) => {
    return !probe.isSilent && !isInDoubt;
  });
  const stations = silentStations.map(
    (probe): GroupMember => ({
      probe,
      check: null,
      state: null,
    }),
  );

  const members: Readonly<Record<OverviewGroupName, readonly GroupMember[]>> = {
    driest: orderedBy(trusted, moistureOf),
    highestTension: orderedBy(trusted, negativeTensionOf),
    needsWater: assessed.filter(({ needsWater }) => needsWater),
    next: trusted.filter(
      ({ probe, needsWater, check }) =>
        !needsWater && check === null && probe.daysToStress !== null,
    ),
    checkFirst: assessed.filter(({ check }) => check !== null),
    differing: assessed.filter(({ probe }) => isDiffering(probe)),
    firing: assessed.filter(({ alert }) => alert === 'firing'),
    silent: [...assessed.filter(({ probe }) => probe.isSilent), ...stations],
    unjudged: assessed.filter((probe) => probe.isUnjudged),
  };

  return OVERVIEW_GROUPS.flatMap((group) => {
    const { length: count } = members[group];
    return count === 0 ? [] : { group, count, first: members[group].slice(0, MAX_NAMED_PER_GROUP) };
  });
}

const isDiffering = ({ advice }: FarmProbe): boolean =>
  advice !== null && reasonOf(advice.reasons, 'PROBES_DIFFER') !== undefined;

const moistureOf = ({ state }: FarmProbe): number | null => state?.moisture ?? null;

/** A higher tension is drier. */
const negativeTensionOf = ({ state }: FarmProbe): number | null =>
  state?.tension?.value == null ? null : -state.tension.value;

/** The probes with a value, the lowest first. */
const orderedBy = (
  probes: readonly AssessedProbe[],
  measure: (probe: FarmProbe) => number | null,
): AssessedProbe[] =>
  probes
    .flatMap((member) => {
      const value = measure(member.probe);
      return value === null ? [] : [{ member, value }];
    })
    .sort((a, b) => a.value - b.value)
    .map(({ member }) => member);

import {
  OVERVIEW_GROUPS,
  type OverviewGroup,
  type OverviewGroupName,
  type OverviewProbe,
  type OverviewRow,
} from '../../../schema/advice/overview.ts';
import type { AssessedProbe } from './assessed-probes.ts';

const MAX_NAMED_PER_GROUP = 6;

/**
 * `assessed` has the most urgent probe first, and the groups keep that order, except the two that
 * are ordered by value; silent stations come last. A probe may be in several groups. Empty groups
 * are left out.
 */
export function overviewGroups(
  assessed: readonly AssessedProbe[],
  silentStations: readonly OverviewProbe[],
): OverviewGroup[] {
  const rowsWith = (isMember: (probe: AssessedProbe) => boolean): OverviewRow[] =>
    assessed.filter(isMember).map(({ row }) => row);

  const trusted = rowsWith(({ condition }) => !condition.isSilent && !condition.hasSuspectReading);
  const trustedOrderedBy = (
    field: 'value_vwc' | 'value_tensio',
    compare: (a: number, b: number) => number,
  ): OverviewRow[] =>
    trusted
      .flatMap((row) => {
        const value = row[field];
        return value === null ? [] : [{ row, value }];
      })
      .sort((a, b) => compare(a.value, b.value))
      .map(({ row }) => row);

  const nextUnderStress = trusted.filter(
    (row) => !row.needsWater && row.check === null && row.daysToStress !== null,
  );

  const rowsOfGroup: Readonly<Record<OverviewGroupName, OverviewRow[]>> = {
    driest: trustedOrderedBy('value_vwc', (a, b) => a - b),
    highestTension: trustedOrderedBy('value_tensio', (a, b) => b - a),
    needsWater: rowsWith(({ row }) => row.needsWater),
    next: nextUnderStress,
    checkFirst: rowsWith(({ row }) => row.check !== null),
    firing: rowsWith(({ row }) => row.alert === 'firing'),
    silent: rowsWith(({ condition }) => condition.isSilent),
    unjudged: rowsWith((probe) => probe.isUnjudged),
  };

  return OVERVIEW_GROUPS.flatMap((group) => {
    const members = rowsOfGroup[group].map(toMember);
    if (group === 'silent') members.push(...silentStations);
    if (members.length === 0) return [];
    return [{ group, count: members.length, first: members.slice(0, MAX_NAMED_PER_GROUP) }];
  });
}

const toMember = ({
  moduleId,
  name,
  value_vwc,
  value_tensio,
  state,
  daysToStress,
  check,
  time,
}: OverviewRow): OverviewProbe => ({
  moduleId,
  name,
  value_vwc,
  value_tensio,
  state,
  daysToStress,
  check,
  time,
});

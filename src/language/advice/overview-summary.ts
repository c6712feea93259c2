import type { OverviewGroupName } from '../../domain/advice/farm/overview-groups.ts';
import { withoutNulls } from '../../domain/items.ts';
import { isQualityFlag } from '../../domain/moisture/quality-flags.ts';
import { exact, moisture } from '../../domain/text/figures.ts';
import { call, counted, noun, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { OverviewBody, OverviewGroup, OverviewProbe } from '../../schema/advice/overview.ts';
import { englishReasons } from '../en/reasons.ts';
import {
  listWithMore,
  probeName,
  silentSince,
  stressIn,
  UNDER_STRESS,
} from './brief/brief-row-texts.ts';
import { NO_PROBE } from './brief/brief-summary.ts';

const MAX_DESCRIBED = 3;
const MAX_DIFFERING = 2;

type ListedGroup = Exclude<
  OverviewGroupName,
  'driest' | 'highestTension' | 'needsWater' | 'next' | 'differing'
>;

const LISTS: Readonly<Record<ListedGroup, (probes: Text) => Text>> = {
  checkFirst: (probes) => say`Check before watering: ${probes}.`,
  firing: (probes) => say`Alerts firing: ${probes}.`,
  silent: (probes) => say`Silent: ${probes}.`,
  unjudged: (probes) => say`No stress point or dry level to judge by: ${probes}.`,
};

export function summarizeOverview({
  probes,
  stations,
  groups,
  leftOut,
}: Pick<OverviewBody, 'probes' | 'stations' | 'groups' | 'leftOut'>): Text {
  if (probes === 0)
    return stations === 0
      ? NO_PROBE
      : say`There are no probes, only ${counted(stations, 'weather station')}.${call('set_module')}`;

  const groupOf = (group: OverviewGroupName): OverviewGroup | undefined =>
    groups.find((each) => each.group === group);
  const sentence = (group: ListedGroup, describe: (probe: OverviewProbe) => Text): Text[] => {
    const found = groupOf(group);
    return found === undefined ? [] : [LISTS[group](listProbes(found, describe))];
  };

  const next = groupOf('next');
  const described = [
    ...[groupOf('needsWater'), next].flatMap((group) => group?.first.slice(0, MAX_DESCRIBED) ?? []),
    ...(groupOf('unjudged')?.first ?? []),
  ];
  const silence = sentence('silent', describeSilence);
  const isAllSilent = groupOf('silent')?.count === probes;
  return sentences([
    ...(isAllSilent ? silence : [describeNeed(groupOf('needsWater'))]),
    ...sentence('checkFirst', describeCheck),
    ...describeDiffering(groupOf('differing')),
    ...sentence('firing', describeValue),
    next === undefined ? null : say`Next: ${listFirst(next, describeOutlook)}.`,
    ...describeDriest(probes, groupOf('driest'), groupOf('highestTension'), described),
    ...(isAllSilent ? [] : silence),
    ...sentence('unjudged', describeValue),
    leftOut === 0
      ? null
      : say`${leftOut} less urgent ${noun(leftOut, 'one is', 'ones are')} not listed here.`,
  ]);
}

const listProbes = (
  { count, first }: OverviewGroup,
  describe: (probe: OverviewProbe) => Text,
): Text => listWithMore(first.map(describe), count - first.length);

function describeDiffering(group: OverviewGroup | undefined): Text[] {
  if (group === undefined) return [];
  const named = group.first.slice(0, MAX_DIFFERING);
  const probes = listWithMore(named.map(probeName), group.count - named.length);
  return [say`Unlike others on their valve: ${probes}.`];
}

function describeNeed(group: OverviewGroup | undefined): Text {
  if (group === undefined) return say`None is known to need more water today than is planned.`;

  const probes = listProbes(group, (probe) =>
    group.first.indexOf(probe) < MAX_DESCRIBED ? describeOutlook(probe) : probeName(probe),
  );
  return say`${group.count} ${noun(group.count, 'needs', 'need')} water today: ${probes}.`;
}

/** Names only the others if some are described already. */
function describeDriest(
  probes: number,
  driest: OverviewGroup | undefined,
  highestTension: OverviewGroup | undefined,
  described: readonly OverviewProbe[],
): Text[] {
  if (driest === undefined && highestTension === undefined)
    return [
      probes === 1
        ? say`The only probe cannot be judged by its readings now.`
        : say`None of the ${probes} probes can be judged by its readings now.`,
    ];

  const ids = new Set(described.map(({ moduleId }) => moduleId));
  const shown = [driest, highestTension].flatMap(
    (group) => group?.first.slice(0, MAX_DESCRIBED) ?? [],
  );
  const others = shown.filter(({ moduleId }) => !ids.has(moduleId));
  if (others.length < shown.length)
    return others.length === 0
      ? []
      : [say`Others: ${listWithMore(others.map(describeOutlook), 0)}.`];

  const heading = probes === 1 ? null : say`Driest of ${probes} probes: `;
  return withoutNulls([
    driest === undefined ? null : say`${heading}${listFirst(driest, describeOutlook)}.`,
    highestTension === undefined
      ? null
      : say`Highest tension, which is drier: ${listFirst(highestTension, describeOutlook)}.`,
  ]);
}

/** Leaves out how many others there are. */
const listFirst = ({ first }: OverviewGroup, describe: (probe: OverviewProbe) => Text): Text =>
  listWithMore(first.slice(0, MAX_DESCRIBED).map(describe), 0);

function describeValue(probe: OverviewProbe): Text {
  const { value_vwc: percent, value_tensio: tension } = probe;
  if (percent !== null) return say`${probeName(probe)}, ${moisture(percent, '%')}`;
  return tension === null ? probeName(probe) : say`${probeName(probe)}, ${exact(tension, 'kPa')}`;
}

const describeOutlook = (probe: OverviewProbe): Text =>
  say`${describeValue(probe)}${describeState(probe)}`;

function describeState({ state, daysToStress: days }: OverviewProbe): Text | null {
  if (state === 'stress' || days === 0) return say`, ${UNDER_STRESS}`;
  if (days !== null) return say`, ${stressIn(days)}`;
  if (state === null) return null;
  return state === 'comfort' ? say`, in comfort` : say`, very wet`;
}

function describeCheck(probe: OverviewProbe): Text {
  const { check } = probe;
  if (check === null) return describeValue(probe);
  // The mean of a sensor in doubt and of others says nothing.
  const shown = isQualityFlag(check) ? probeName(probe) : describeValue(probe);
  return say`${shown} (${englishReasons[check].check})`;
}

const describeSilence = (probe: OverviewProbe): Text =>
  say`${probeName(probe)}, ${silentSince(probe.time)}`;

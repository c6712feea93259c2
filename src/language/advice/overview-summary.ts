import type { OverviewGroupName } from '../../domain/advice/farm/overview-groups.ts';
import { withoutNulls } from '../../domain/items.ts';
import { isQualityFlag } from '../../domain/moisture/suspect-readings.ts';
import type { OverviewBody, OverviewGroup, OverviewProbe } from '../../schema/advice/overview.ts';
import { formatDaysAhead, formatMoisture, formatNumber } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatTime } from '../time.ts';
import { briefPhrases } from './brief/brief-phrases.ts';
import { probeName } from './brief/brief-rows.ts';
import { overviewPhrases } from './overview-phrases.ts';

const MAX_DESCRIBED = 3;
const MAX_DIFFERING = 2;

export function summarizeOverview(
  {
    probes,
    stations,
    groups,
    leftOut,
  }: Pick<OverviewBody, 'probes' | 'stations' | 'groups' | 'leftOut'>,
  context: SummaryContext,
): string {
  if (probes === 0)
    return stations === 0 ? briefPhrases.noProbe : overviewPhrases.noProbe(stations);

  const groupOf = (name: OverviewGroupName): OverviewGroup | undefined =>
    groups.find(({ group }) => group === name);
  const sentence = (
    name: Exclude<OverviewGroupName, 'driest' | 'highestTension' | 'needsWater' | 'next'>,
    describe: (probe: OverviewProbe) => string,
  ): string[] => {
    const group = groupOf(name);
    return group === undefined ? [] : [overviewPhrases[name](listProbes(group, describe))];
  };

  const next = groupOf('next');
  const described = [
    ...[groupOf('needsWater'), next].flatMap((group) => group?.first.slice(0, MAX_DESCRIBED) ?? []),
    ...(groupOf('unjudged')?.first ?? []),
  ];
  const silence = sentence('silent', (probe) => describeSilence(probe, context));
  const isAllSilent = groupOf('silent')?.count === probes;
  return joinSentences([
    ...(isAllSilent ? silence : [describeNeed(groupOf('needsWater'))]),
    ...sentence('checkFirst', describeCheck),
    ...describeDiffering(groupOf('differing')),
    ...sentence('firing', describeValue),
    next === undefined ? null : overviewPhrases.next(listFirst(next, describeOutlook)),
    ...describeDriest(probes, groupOf('driest'), groupOf('highestTension'), described),
    ...(isAllSilent ? [] : silence),
    ...sentence('unjudged', describeValue),
    leftOut === 0 ? null : overviewPhrases.omittedProbes(leftOut),
  ]);
}

const listProbes = (
  { count, first }: OverviewGroup,
  describe: (probe: OverviewProbe) => string,
): string => briefPhrases.list(first.map(describe), count - first.length);

function describeDiffering(group: OverviewGroup | undefined): string[] {
  if (group === undefined) return [];
  const named = group.first.slice(0, MAX_DIFFERING);
  return [
    overviewPhrases.differing(briefPhrases.list(named.map(probeName), group.count - named.length)),
  ];
}

function describeNeed(group: OverviewGroup | undefined): string {
  if (group === undefined) return overviewPhrases.noNeed;

  return overviewPhrases.needs(
    group.count,
    listProbes(group, (probe) =>
      group.first.indexOf(probe) < MAX_DESCRIBED ? describeOutlook(probe) : probeName(probe),
    ),
  );
}

/** Of those that are described already, only the others follow. */
function describeDriest(
  probes: number,
  driest: OverviewGroup | undefined,
  highestTension: OverviewGroup | undefined,
  described: readonly OverviewProbe[],
): string[] {
  if (driest === undefined && highestTension === undefined)
    return [overviewPhrases.noValue(probes)];

  const ids = new Set(described.map(({ moduleId }) => moduleId));
  const shown = [driest, highestTension].flatMap(
    (group) => group?.first.slice(0, MAX_DESCRIBED) ?? [],
  );
  const others = shown.filter(({ moduleId }) => !ids.has(moduleId));
  if (others.length < shown.length)
    return others.length === 0
      ? []
      : [overviewPhrases.others(briefPhrases.list(others.map(describeOutlook), 0))];

  return withoutNulls([
    driest === undefined
      ? null
      : overviewPhrases.driest(probes, listFirst(driest, describeOutlook)),
    highestTension === undefined
      ? null
      : overviewPhrases.driestTension(listFirst(highestTension, describeOutlook)),
  ]);
}

/** Leaves out how many others there are. */
const listFirst = ({ first }: OverviewGroup, describe: (probe: OverviewProbe) => string): string =>
  briefPhrases.list(first.slice(0, MAX_DESCRIBED).map(describe), 0);

function describeValue(probe: OverviewProbe): string {
  const { value_vwc: moisture, value_tensio: tension } = probe;
  if (moisture !== null)
    return overviewPhrases.moisture(probeName(probe), formatMoisture(moisture));
  return tension === null
    ? probeName(probe)
    : overviewPhrases.tension(probeName(probe), formatNumber(tension));
}

const describeOutlook = (probe: OverviewProbe): string =>
  `${describeValue(probe)}${describeState(probe)}`;

function describeState({ state, daysToStress: days }: OverviewProbe): string {
  if (state === 'stress' || days === 0) return `, ${briefPhrases.underStress}`;
  if (days !== null) return `, ${briefPhrases.stressIn(formatDaysAhead(days))}`;
  return state === null ? '' : `, ${overviewPhrases[state]}`;
}

function describeCheck(probe: OverviewProbe): string {
  const { check } = probe;
  if (check === null) return describeValue(probe);
  // The mean of a sensor in doubt and of others says nothing.
  const shown = isQualityFlag(check) ? probeName(probe) : describeValue(probe);
  return `${shown} (${briefPhrases.checks[check]})`;
}

function describeSilence(probe: OverviewProbe, context: SummaryContext): string {
  const since =
    probe.time === null
      ? briefPhrases.noContact
      : briefPhrases.since(formatTime(probe.time, context));
  return `${probeName(probe)}, ${since}`;
}

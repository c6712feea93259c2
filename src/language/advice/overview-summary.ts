import type {
  OverviewBody,
  OverviewGroup,
  OverviewGroupName,
  OverviewProbe,
} from '../../schema/advice/overview.ts';
import { languageOf } from '../index.ts';
import { formatDaysAhead, formatMoisture, formatNumber } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatTime } from '../time.ts';
import { probeName } from './brief-summary.ts';

const MAX_DESCRIBED = 3;

export function summarizeOverview(
  {
    probes,
    stations,
    groups,
    leftOut,
  }: Pick<OverviewBody, 'probes' | 'stations' | 'groups' | 'leftOut'>,
  context: SummaryContext,
): string {
  const { overview: phrases, brief } = languageOf(context.lang);
  if (probes === 0) return stations === 0 ? brief.noProbe : phrases.noProbe(stations);

  const groupOf = (name: OverviewGroupName): OverviewGroup | undefined =>
    groups.find(({ group }) => group === name);
  const sentence = (
    name: Exclude<OverviewGroupName, 'driest' | 'highestTension' | 'needsWater' | 'next'>,
    describe: (probe: OverviewProbe) => string,
  ): string[] => {
    const group = groupOf(name);
    return group === undefined ? [] : [phrases[name](listProbes(group, context, describe))];
  };

  const next = groupOf('next');
  return [
    describeNeed(groupOf('needsWater'), context),
    ...sentence('checkFirst', (probe) => describeCheck(probe, context)),
    ...sentence('firing', (probe) => describeValue(probe, context)),
    ...(next === undefined
      ? []
      : [phrases.next(listFirst(next, context, (probe) => describeOutlook(probe, context)))]),
    ...describeDriest(probes, groupOf('driest'), groupOf('highestTension'), context),
    ...sentence('silent', (probe) => describeSilence(probe, context)),
    ...sentence('unjudged', (probe) => describeValue(probe, context)),
    ...(leftOut === 0 ? [] : [phrases.omittedProbes(leftOut)]),
  ].join(' ');
}

const listProbes = (
  { count, first }: OverviewGroup,
  { lang }: SummaryContext,
  describe: (probe: OverviewProbe) => string,
): string => languageOf(lang).brief.list(first.map(describe), count - first.length);

function describeNeed(group: OverviewGroup | undefined, context: SummaryContext): string {
  const phrases = languageOf(context.lang).overview;
  if (group === undefined) return phrases.noNeed;

  return phrases.needs(
    group.count,
    listProbes(group, context, (probe) =>
      group.first.indexOf(probe) < MAX_DESCRIBED
        ? describeOutlook(probe, context)
        : probeName(probe),
    ),
  );
}

function describeDriest(
  probes: number,
  driest: OverviewGroup | undefined,
  highestTension: OverviewGroup | undefined,
  context: SummaryContext,
): string[] {
  const phrases = languageOf(context.lang).overview;
  if (driest === undefined && highestTension === undefined) return [phrases.noValue(probes)];

  const describe = (group: OverviewGroup): string =>
    listFirst(group, context, (each) =>
      each.daysToStress === null ? describeOutlook(each, context) : describeValue(each, context),
    );

  return [
    ...(driest === undefined ? [] : [phrases.driest(probes, describe(driest))]),
    ...(highestTension === undefined ? [] : [phrases.driestTension(describe(highestTension))]),
  ];
}

/** Leaves out how many others there are. */
const listFirst = (
  { first }: OverviewGroup,
  { lang }: SummaryContext,
  describe: (probe: OverviewProbe) => string,
): string => languageOf(lang).brief.list(first.slice(0, MAX_DESCRIBED).map(describe), 0);

function describeValue(probe: OverviewProbe, { lang }: SummaryContext): string {
  const phrases = languageOf(lang).overview;
  const { value_vwc: moisture, value_tensio: tension } = probe;
  if (moisture !== null) return phrases.moisture(probeName(probe), formatMoisture(moisture, lang));
  return tension === null
    ? probeName(probe)
    : phrases.tension(probeName(probe), formatNumber(tension, lang));
}

const describeOutlook = (probe: OverviewProbe, context: SummaryContext): string =>
  `${describeValue(probe, context)}${describeState(probe, context)}`;

function describeState(
  { state, daysToStress: days }: OverviewProbe,
  { lang }: SummaryContext,
): string {
  const { overview, brief } = languageOf(lang);
  if (state === 'stress' || days === 0) return `, ${brief.underStress}`;
  if (days !== null) return `, ${brief.stressIn(formatDaysAhead(days, lang))}`;
  return state === null ? '' : `, ${overview[state]}`;
}

function describeCheck(probe: OverviewProbe, context: SummaryContext): string {
  const { check } = probe;
  const reason = check === null ? '' : ` (${languageOf(context.lang).brief.checks[check]})`;
  return `${describeValue(probe, context)}${reason}`;
}

function describeSilence(probe: OverviewProbe, context: SummaryContext): string {
  const { brief } = languageOf(context.lang);
  const since =
    probe.time === null ? brief.noContact : brief.since(formatTime(probe.time, context));
  return `${probeName(probe)}, ${since}`;
}

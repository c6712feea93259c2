import { groupBy } from '../../../domain/groups.ts';
import { firstOf, withoutNulls } from '../../../domain/items.ts';
import { readingAge } from '../../../domain/moisture/coverage.ts';
import { capitalize } from '../../../domain/text.ts';
import type { BriefBody } from '../../../schema/advice/brief.ts';
import {
  formatAdvisedMinutes,
  formatAmount,
  formatMinutes,
  formatNumber,
} from '../../number-format.ts';
import { joinSentences } from '../../sentences.ts';
import { moduleName, parcelName, type SummaryContext } from '../../summary-context.ts';
import { formatLocalDay, formatTime } from '../../time.ts';

import { describeChecks, describeNeeds } from './brief-needs.ts';
import { briefPhrases } from './brief-phrases.ts';
import {
  listBriefWaterings,
  listNamesAndCount,
  listRows,
  probeName,
  probeWithMoisture,
} from './brief-rows.ts';

export async function summarizeBrief(brief: BriefBody, context: SummaryContext): Promise<string> {
  if (brief.modules === 0) return briefPhrases.noProbe;

  const urgent = [
    ...(await describeNeeds(brief, context)),
    ...(await describeIfItRuns(brief, context)),
    ...describeChecks(brief, context),
    ...describeFiringAlerts(brief, context),
    ...describeSilentDevices(brief, context),
  ];
  const toComplete = [
    ...describeUnconfirmedWaterings(brief, context),
    ...(await describeAssumedWaterings(brief, context)),
    ...describeMissingDoses(brief),
    ...describeUnjudgedProbes(brief),
    ...(await describeUnknownRest(brief, context)),
  ];

  const nextWatering = describeNextWatering(brief, context);
  const rain = await describeRain(brief, context);
  if (urgent.length + toComplete.length === 0)
    return joinSentences([briefPhrases.allQuiet(context.zone, nextWatering), ...rain]);

  return joinSentences([
    ...urgent,
    ...describeNoNeed(brief),
    ...toComplete,
    ...rain,
    `${capitalize(nextWatering)} (${context.zone}).`,
  ]);
}

type NeedFacts = Pick<
  BriefBody,
  'modules' | 'needsWater' | 'checkFirst' | 'silent' | 'unjudged' | 'leftOut'
>;

/** Follows what is more urgent. That nothing is known of a farm is no good news. */
export function describeNoNeed({
  modules,
  needsWater,
  checkFirst,
  silent,
  unjudged,
  leftOut,
}: NeedFacts): string[] {
  if (needsWater.length + checkFirst.length > 0) return [];

  const behindGateways = silent.gateways.reduce((sum, gateway) => sum + gateway.modules, 0);
  const silentModules = silent.modules.length + leftOut.silentModules + behindGateways;
  const unknown = silentModules + unjudged.length + leftOut.unjudged;
  return [unknown < modules ? briefPhrases.noNeed : briefPhrases.needUnknown(modules)];
}

const MAX_RAIN_ROWS = 4;

/** "12 mm (yesterday)" */
async function describeRain({ rain = [] }: BriefBody, context: SummaryContext): Promise<string[]> {
  const rows = rain.slice(0, MAX_RAIN_ROWS).map(async ({ parcelId, day, mm }) => {
    const parcel = parcelId === null ? null : await parcelName(context.directory, parcelId);
    const when = formatLocalDay(day, context);
    return `${formatAmount(mm)} mm (${parcel === null ? when : `${when}, ${parcel}`})`;
  });
  return rows.length === 0 ? [] : [`Rain: ${(await Promise.all(rows)).join(', ')}.`];
}

function describeFiringAlerts({ alerts, leftOut }: BriefBody, context: SummaryContext): string[] {
  if (alerts.length === 0) return [];

  const { now } = context;
  const byProbe = [...groupBy(alerts, ({ moduleId }) => moduleId).values()];
  const list = listRows(
    byProbe,
    { leftOut: leftOut.alerts },
    (ofProbe) => {
      const row = firstOf(ofProbe);
      const { value_vwc: value, time } = row;
      const isOld = time !== null && !readingAge(Date.parse(time), now).isFresh;
      const since = withoutNulls(ofProbe.map((alert) => alert.since)).sort()[0];
      return withoutNulls([
        probeName(row),
        briefPhrases.moisture(
          value === null ? null : formatNumber(value),
          isOld ? formatTime(time, context) : null,
        ),
        briefPhrases.thresholds(ofProbe.map(({ threshold }) => formatNumber(threshold))),
        since === undefined ? null : briefPhrases.lowSince(formatTime(since, context)),
      ]).join(', ');
    },
    (ofProbe) => probeName(firstOf(ofProbe)),
  );

  return [briefPhrases.firing(list)];
}

function describeSilentDevices(
  { silent: { gateways, modules }, leftOut }: BriefBody,
  context: SummaryContext,
): string[] {
  const since = (time: string | null): string =>
    time === null ? briefPhrases.noContact : briefPhrases.since(formatTime(time, context));
  const describeGateway = ({
    imei,
    modules,
    names = [],
    lastSeen,
  }: BriefBody['silent']['gateways'][number]): string =>
    `${briefPhrases.gateway(imei, listNamesAndCount(names, modules))}, ${since(lastSeen)}`;

  const describeProbe = (probe: BriefBody['silent']['modules'][number]): string =>
    `${probeName(probe)}, ${since(probe.lastAt)}`;

  return withoutNulls([
    gateways.length === 0
      ? null
      : briefPhrases.silentGateways(
          listRows(
            gateways,
            { leftOut: leftOut.silentGateways },
            describeGateway,
            ({ imei }) => imei,
          ),
        ),
    modules.length === 0
      ? null
      : briefPhrases.silentProbes(
          listRows(modules, { leftOut: leftOut.silentModules }, describeProbe, probeName),
        ),
  ]);
}

function describeUnconfirmedWaterings(
  { toConfirm, leftOut }: BriefBody,
  context: SummaryContext,
): string[] {
  const [newest] = toConfirm;
  if (!newest) return [];
  const total = toConfirm.length + leftOut.toConfirm;
  if (total === 1)
    return [briefPhrases.oneToConfirm(formatTime(newest.startedAt, context), probeName(newest))];
  return [briefPhrases.toConfirm(total, listBriefWaterings(toConfirm, leftOut.toConfirm, context))];
}

/** Of more than two the first is named, and the rows have the others. */
const MAX_NAMED_VALVES = 2;
const namedOf = <Row>(rows: readonly Row[], leftOut: number): readonly Row[] =>
  rows.length + leftOut > MAX_NAMED_VALVES ? rows.slice(0, 1) : rows;

/** "5 on North block, the last yesterday 06:00" */
async function describeAssumedWaterings(
  { assumed, leftOut }: BriefBody,
  context: SummaryContext,
): Promise<string[]> {
  if (!assumed || assumed.length === 0) return [];
  const more = leftOut.assumed ?? 0;
  const rows = await Promise.all(
    namedOf(assumed, more).map(async (row) =>
      briefPhrases.assumedOn(
        await nameOfValve(row, context),
        row.count,
        formatTime(row.startedAt, context),
      ),
    ),
  );
  const others = assumed.length - rows.length + more;
  if (others > 0) rows.push(briefPhrases.assumedOnMore(others));
  return [briefPhrases.assumed(briefPhrases.list(rows, 0))];
}

/** "North 2 (needs 5 h 15 min; planned today 22:00 for 6 h)" */
async function describeIfItRuns(
  { ifItRuns, leftOut }: BriefBody,
  context: SummaryContext,
): Promise<string[]> {
  if (!ifItRuns || ifItRuns.length === 0) return [];
  const more = leftOut.ifItRuns ?? 0;
  const rows = await Promise.all(
    namedOf(ifItRuns, more).map(async (row) =>
      briefPhrases.plannedFor({
        name: await nameOfValve(row, context),
        needed: row.neededMin === null ? null : formatAdvisedMinutes(row.neededMin),
        at: formatTime(row.startedAt, context),
        duration: row.durationMin === null ? null : formatMinutes(row.durationMin),
      }),
    ),
  );
  return [briefPhrases.ifItRuns(briefPhrases.list(rows, ifItRuns.length - rows.length + more))];
}

const nameOfValve = async (
  row: {
    readonly parcelId: number | null;
    readonly moduleId: number;
    readonly name: string | null;
  },
  { directory }: SummaryContext,
): Promise<string> =>
  row.parcelId === null ? probeName(row) : parcelName(directory, row.parcelId);

function describeMissingDoses({ missingDoses, leftOut }: BriefBody): string[] {
  if (missingDoses.length === 0) return [];
  const describeProbe = (row: BriefBody['missingDoses'][number]): string =>
    briefPhrases.probeMissingDoses(row.count, probeName(row), row.missing);
  return [
    briefPhrases.dosesMissing(
      listRows(
        missingDoses,
        { leftOut: leftOut.missingDoses, detailedOfMany: 1 },
        describeProbe,
        probeName,
      ),
    ),
  ];
}

function describeUnjudgedProbes({ unjudged, leftOut }: BriefBody): string[] {
  const { withoutStressPoint, crossedThresholds, withoutDryLevel, tensionWithoutDryLevel } =
    briefPhrases;
  const groups = [
    {
      describeGroup: withoutStressPoint,
      rows: unjudged.filter((row) => row.value_tensio === undefined && !row.isCrossed),
    },
    { describeGroup: crossedThresholds, rows: unjudged.filter((row) => row.isCrossed) },
    {
      describeGroup: withoutDryLevel,
      rows: unjudged.filter((row) => row.value_tensio !== undefined),
    },
  ].filter(({ rows }) => rows.length > 0);

  const describe = (row: BriefBody['unjudged'][number]): string => {
    const { value_tensio: value, dryFrom, dryTo } = row;
    if (value === undefined) return probeWithMoisture(row);

    const formatLevel = (level: number | undefined): string | null =>
      level === undefined ? null : formatNumber(level);
    return tensionWithoutDryLevel(
      probeName(row),
      formatNumber(value),
      formatLevel(dryFrom),
      formatLevel(dryTo),
    );
  };

  return groups.map(({ describeGroup, rows }, index) =>
    describeGroup(
      listRows(rows, { leftOut: index === 0 ? leftOut.unjudged : 0 }, describe, probeName),
    ),
  );
}

async function describeUnknownRest(
  { restUnknown = [], leftOut }: BriefBody,
  { directory }: SummaryContext,
): Promise<string[]> {
  if (restUnknown.length === 0) return [];
  const modules = await directory.modules();
  const names = await Promise.all(
    restUnknown.map((id) => {
      const parcelId = modules.find((module) => module.id === id)?.parcelId ?? null;
      return parcelId === null ? moduleName(directory, id) : parcelName(directory, parcelId);
    }),
  );
  const count = names.length + leftOut.restUnknown;
  return [briefPhrases.restUnknown(listNamesAndCount(names, count), count)];
}

function describeNextWatering({ schedule, leftOut }: BriefBody, context: SummaryContext): string {
  const [next] = schedule;
  if (!next) return briefPhrases.nothingPlannedAhead;
  return briefPhrases.ahead(
    schedule.length + leftOut.schedule,
    listBriefWaterings(schedule, leftOut.schedule, context),
  );
}

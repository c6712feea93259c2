import { MAX_NAMED_PROBES, type Span } from '../../domain/advice/brief.ts';
import { withoutNulls } from '../../domain/items.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { QUALITY_FLAGS, type QualityFlag } from '../../domain/moisture/suspect-readings.ts';
import { capitalize } from '../../domain/text.ts';
import type { BriefBody } from '../../schema/advice/advice.ts';
import { englishFormat } from '../en/grammar.ts';
import { englishTime } from '../en/time.ts';
import { describeDoubtfulValues } from '../moisture/suspect-readings.ts';
import {
  formatAdvisedMinutes,
  formatAmount,
  formatAmountOrNull,
  formatDaysAhead,
  formatEstimate,
  formatMoisture,
  formatNumber,
} from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { parcelName, type SummaryContext } from '../summary-context.ts';
import { formatTime } from '../time.ts';
import { rainPhrases } from '../weather/rain-phrases.ts';
import { describeRainDay } from '../weather/rain-summary.ts';
import { briefPhrases } from './brief-phrases.ts';

/** Up to this many rows, each is listed with its details. */
const MAX_DETAILED = 5;
/** A longer list shows this many rows with details. */
const DETAILED_OF_MANY = 2;
const MAX_PROBES_OF_VALVE = 3;

interface NamedProbe {
  readonly moduleId: number;
  readonly name: string | null;
}

export const probeName = ({ name, moduleId }: NamedProbe): string => name ?? `module ${moduleId}`;

/** "North 1 at 14.2 %" */
const probeWithMoisture = (
  probe: NamedProbe & { readonly value_vwc?: number | null | undefined },
): string =>
  probe.value_vwc == null
    ? probeName(probe)
    : briefPhrases.atMoisture(probeName(probe), formatMoisture(probe.value_vwc));

export async function summarizeBrief(brief: BriefBody, context: SummaryContext): Promise<string> {
  if (brief.modules === 0) return briefPhrases.noProbe;

  const sentences = [
    ...(await describeNeeds(brief, context)),
    ...describeChecks(brief, context),
    ...describeFiringAlerts(brief, context),
    ...describeSilentDevices(brief, context),
    ...describeUnconfirmedWaterings(brief, context),
    ...describeMissingDoses(brief),
    ...describeUnjudgedProbes(brief),
  ];

  const nextWatering = describeNextWatering(brief, context);
  const rain = await describeRain(brief, context);
  if (sentences.length === 0)
    return joinSentences([briefPhrases.allQuiet(context.zone, nextWatering), ...rain]);

  const noNeed = brief.needsWater.length + brief.checkFirst.length > 0 ? [] : [briefPhrases.noNeed];
  return joinSentences([
    ...noNeed,
    ...sentences,
    ...rain,
    `${capitalize(nextWatering)} (${context.zone}).`,
  ]);
}

const MAX_RAIN_ROWS = 4;

/** "12 mm (yesterday)" */
async function describeRain({ rain = [] }: BriefBody, context: SummaryContext): Promise<string[]> {
  const rows = rain.slice(0, MAX_RAIN_ROWS).map(async ({ parcelId, day, mm }) => {
    const parcel = parcelId === null ? null : await parcelName(context.directory, parcelId);
    return rainPhrases.row(formatAmount(mm), describeRainDay(day, context), parcel);
  });
  return rows.length === 0 ? [] : [rainPhrases.recent(await Promise.all(rows))];
}

interface ListOptions {
  readonly leftOut: number;
  readonly maxDetailed?: number;
}

/**
 * Lists up to `maxDetailed` rows with details. Of more, only the first few have details; the others
 * are named, or counted if there are more than MAX_NAMED_PROBES, so that the brief of a large farm
 * can be read aloud.
 */
function listRows<T>(
  rows: readonly T[],
  { leftOut, maxDetailed = MAX_DETAILED }: ListOptions,
  format: (row: T) => string,
  nameOf?: (row: T) => string,
): string {
  const total = rows.length + leftOut;
  const detailed = total <= maxDetailed ? rows : rows.slice(0, DETAILED_OF_MANY);
  const named = nameOf && total <= MAX_NAMED_PROBES ? rows.slice(detailed.length).map(nameOf) : [];

  return briefPhrases.list(
    withoutNulls([...detailed.map(format), named.length === 0 ? null : englishFormat.list(named)]),
    total - detailed.length - named.length,
  );
}

/** "North 1, North 2 and 3 more" */
function listNames(names: readonly string[], total: number): string {
  return englishFormat.list(
    withoutNulls([...names, total > names.length ? briefPhrases.more(total - names.length) : null]),
  );
}

type NeedRow = BriefBody['needsWater'][number];

async function describeNeeds(
  { needsWater, checkFirst, leftOut }: BriefBody,
  context: SummaryContext,
): Promise<string[]> {
  if (needsWater.length === 0) return [];
  const maxDetailed = checkFirst.length > 0 ? 3 : 4;
  const rows = await Promise.all(
    needsWater.map(async (row) => ({
      row,
      valve: await describeValve(row, context),
      name: isOfParcel(row) ? await parcelName(context.directory, row.parcelId) : probeName(row),
    })),
  );

  const list = listRows(
    rows,
    { leftOut: leftOut.needsWater, maxDetailed },
    (each) => describeNeed(each.row, each.valve),
    ({ name }) => name,
  );

  return [briefPhrases.needs(list)];
}

const isOfParcel = (row: NeedRow): row is NeedRow & { parcelId: number } =>
  row.parcelId !== null && row.probes > 1;

/**
 * "North 1", or "North block (3 of 4 probes, driest North 1)" if its setup waters other probes too.
 */
async function describeValve(row: NeedRow, { directory }: SummaryContext): Promise<string> {
  const { probes, dryProbes, driest = [] } = row;
  if (!isOfParcel(row)) return probeWithMoisture({ ...row, ...driest[0] });

  const named = driest.length === 0 ? [row] : driest;
  const shown = named.slice(0, MAX_PROBES_OF_VALVE).map((each) => probeWithMoisture(each));
  const names = listNames(shown, dryProbes);

  return briefPhrases.valve(await parcelName(directory, row.parcelId), dryProbes, probes, names);
}

function describeNeed(row: NeedRow, valve: string): string {
  const {
    plannedMm,
    daysToStress: days,
    remainingMin: total,
    todayMin: today,
    remainingMm: mm,
  } = row;
  if (row.value_tensio !== undefined && row.dryLevel !== undefined)
    return briefPhrases.tension(valve, formatNumber(row.value_tensio), formatNumber(row.dryLevel));

  const amount =
    total === null || today === null
      ? briefPhrases.neededMm(mm && formatSpan(mm, (each) => formatEstimate(each)))
      : briefPhrases.neededTime(
          formatSpan(today, formatAdvisedMinutes),
          today.most === total.most ? null : formatSpan(total, formatAdvisedMinutes),
        );

  const beyond = plannedMm === 0 ? [] : [briefPhrases.beyondPlanned(formatAmountOrNull(plannedMm))];
  const stress =
    days === 0 ? briefPhrases.underStress : briefPhrases.stressIn(formatDaysAhead(days!));

  return `${[valve, amount, ...beyond].join(' ')}, ${stress}`;
}

function formatSpan({ least, most }: Span, format: (value: number) => string): string {
  const [from, to] = [format(least), format(most)];
  return from === to ? from : englishTime.range(from, to);
}

const isDoubt = (reason: BriefBody['checkFirst'][number]['reason']): reason is QualityFlag =>
  (QUALITY_FLAGS as readonly string[]).includes(reason);

const MAX_DETAILED_CHECKS = 2;
const MAX_NAMED_CHECKS = 3;

function describeChecks(
  { checkFirst: rows, leftOut }: BriefBody,
  context: SummaryContext,
): string[] {
  if (rows.length === 0) return [];

  const { checkFirst, checks, list } = briefPhrases;
  const total = rows.length + leftOut.checkFirst;
  if (total <= MAX_DETAILED_CHECKS)
    return [
      checkFirst(
        list(
          rows.map((row) => describeCheck(row, context)),
          0,
        ),
      ),
    ];

  const named = rows.slice(0, total <= MAX_NAMED_PROBES ? MAX_NAMED_PROBES : MAX_NAMED_CHECKS);
  const groups = [...new Set(named.map(({ reason }) => reason))].map((reason) => {
    const names = named
      .filter((row) => row.reason === reason)
      .map((row) =>
        total <= MAX_DETAILED || named.indexOf(row) < MAX_NAMED_CHECKS
          ? probeWithMoisture(row)
          : probeName(row),
      );
    return `${names.join(', ')} (${checks[reason]})`;
  });

  return [checkFirst(list(groups, total - named.length))];
}

/**
 * "North 1 (62 % at 10 cm, where its soil holds at most 46 %)", "South 2 at 14.2 % (watered
 * recently)"
 */
function describeCheck(row: BriefBody['checkFirst'][number], context: SummaryContext): string {
  if (isDoubt(row.reason))
    return `${probeName(row)} (${describeDoubtfulValues(row.doubts, context)})`;
  return `${probeWithMoisture(row)} (${briefPhrases.checks[row.reason]})`;
}

function describeFiringAlerts({ alerts, leftOut }: BriefBody, context: SummaryContext): string[] {
  if (alerts.length === 0) return [];

  const { now } = context;
  const list = listRows(
    alerts,
    { leftOut: leftOut.alerts },
    (row) => {
      const { value_vwc: value, time, since, threshold } = row;
      const isOld = time !== null && !readingAge(Date.parse(time), now).isFresh;
      return withoutNulls([
        probeName(row),
        briefPhrases.moisture(
          value === null ? null : formatNumber(value),
          isOld ? formatTime(time, context) : null,
        ),
        briefPhrases.threshold(formatNumber(threshold)),
        since === null ? null : briefPhrases.since(formatTime(since, context)),
      ]).join(', ');
    },
    probeName,
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
    `${briefPhrases.gateway(imei, listNames(names, modules))}, ${since(lastSeen)}`;

  const describeProbe = (each: BriefBody['silent']['modules'][number]): string =>
    `${probeName(each)}, ${since(each.lastAt)}`;

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
  return [briefPhrases.toConfirm(total, listWaterings(toConfirm, leftOut.toConfirm, context))];
}

function describeMissingDoses({ missingDoses, leftOut }: BriefBody): string[] {
  if (missingDoses.length === 0) return [];
  const each = (row: BriefBody['missingDoses'][number]): string =>
    briefPhrases.probeMissingDoses(row.count, probeName(row), row.missing);
  return [
    briefPhrases.dosesMissing(
      listRows(missingDoses, { leftOut: leftOut.missingDoses }, each, probeName),
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

    const usual = [dryFrom, dryTo].flatMap((each) =>
      each === undefined ? [] : [formatNumber(each)],
    );

    return tensionWithoutDryLevel(
      probeName(row),
      formatNumber(value),
      usual[0] ?? null,
      usual[1] ?? null,
    );
  };

  return groups.map(({ describeGroup, rows }, index) =>
    describeGroup(
      listRows(rows, { leftOut: index === 0 ? leftOut.unjudged : 0 }, describe, probeName),
    ),
  );
}

function describeNextWatering({ schedule, leftOut }: BriefBody, context: SummaryContext): string {
  const [next] = schedule;
  if (!next) return briefPhrases.nothingPlannedAhead;
  return briefPhrases.ahead(
    schedule.length + leftOut.schedule,
    listWaterings(schedule, leftOut.schedule, context),
  );
}

const MAX_LISTED_WATERINGS = 4;

const listWaterings = (
  rows: readonly (NamedProbe & { readonly startedAt: string; readonly waterMm?: number | null })[],
  leftOut: number,
  context: SummaryContext,
): string =>
  listRows(rows, { leftOut, maxDetailed: MAX_LISTED_WATERINGS }, (row) =>
    briefPhrases.watering(
      formatTime(row.startedAt, context),
      probeName(row),
      formatAmountOrNull(row.waterMm ?? null),
    ),
  );

import { groupBy } from '../../../domain/groups.ts';
import type { MissingDoseReason } from '../../../domain/irrigation/dose.ts';
import { firstOf, withoutNulls } from '../../../domain/items.ts';
import { readingAge } from '../../../domain/moisture/coverage.ts';
import { advisedMinutes, amount, exact, minutes } from '../../../domain/text/figures.ts';
import {
  call,
  capitalized,
  commaSeparated,
  counted,
  list,
  name,
  type Sayable,
  say,
  sentences,
} from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import { localDay, timeOf, zone } from '../../../domain/text/times.ts';
import type { BriefBody } from '../../../schema/advice/brief.ts';
import { turnOfBody } from '../../../schema/advice/turn-body.ts';
import type { SummaryContext } from '../../summary-context.ts';
import { lineCall } from '../../text/line-call.ts';
import { moduleText, parcelText } from '../../text/names-of-farm.ts';
import { describeVerdict, ifOrdered, stressBeforeWater } from '../turn-summary.ts';
import {
  describeChecks,
  describeNeeds,
  describeNeedsByBalance,
  describeShortSources,
} from './brief-needs.ts';
import {
  listBriefWaterings,
  listNamesAndCount,
  listRows,
  listWithMore,
  probeName,
  probeWithMoisture,
  silentSince,
} from './brief-row-texts.ts';

export const NO_PROBE = say`There are no probes yet: say which ones you have and where, or import a farm file.${call('set_module')}`;

export async function summarizeBrief(brief: BriefBody, context: SummaryContext): Promise<Text> {
  if (brief.modules === 0) return describeWithoutProbes(brief, context);

  const urgent = [
    ...(await describeNeeds(brief, context)),
    ...describeNeedsByBalance(brief),
    ...describeShortSources(brief),
    ...(await describeIfItRuns(brief, context)),
    ...(await describeTurns(brief, context)),
    ...describeChecks(brief, context),
    ...describeFiringAlerts(brief, context),
    ...describeSilentDevices(brief),
  ];
  const toComplete = [
    ...describeUnconfirmedWaterings(brief),
    ...(await describeAssumedWaterings(brief, context)),
    ...describeMissingDoses(brief),
    ...describeUnjudgedProbes(brief),
    ...(await describeUnknownRest(brief, context)),
  ];

  const nextWatering = describeNextWatering(brief);
  const rain = await describeRain(brief, context);
  if (urgent.length + toComplete.length === 0)
    return sentences([
      say`All is quiet (${zone}): no probe is known to need more water today than is planned, no alert is firing and every device is sending data; ${nextWatering}.`,
      ...rain,
    ]);

  return sentences([
    ...urgent,
    ...describeNoNeed(brief),
    ...toComplete,
    ...rain,
    say`${capitalized(nextWatering)} (${zone}).`,
  ]);
}

/** Of a farm that a water balance has to tell about, if anything does. */
async function describeWithoutProbes(brief: BriefBody, context: SummaryContext): Promise<Text> {
  const { byBalance, schedule } = brief;
  const needs = [
    ...describeNeedsByBalance(brief),
    ...describeShortSources(brief),
    ...(await describeTurns(brief, context)),
  ];
  return sentences([
    ...needs,
    ...(needs.length === 0 ? describeNoBalance(byBalance) : []),
    ...describeUnconfirmedWaterings(brief),
    schedule.length === 0 ? null : say`${capitalized(describeNextWatering(brief))} (${zone}).`,
  ]);
}

function describeNoBalance(byBalance: BriefBody['byBalance']): Text[] {
  if (byBalance == null || byBalance.isUnknown) return [NO_PROBE];
  return [say`By the water balance no parcel is known to need water today.`];
}

/** Each by name: who waits for water has to know until when. */
async function describeTurns(
  { turns, byBalance }: BriefBody,
  { directory, now }: SummaryContext,
): Promise<Text[]> {
  const ofProbes = await Promise.all(
    (turns ?? []).map(async ({ parcelId, turn, ...probe }) => ({
      target: parcelId === null ? probeName(probe) : await parcelText(directory, parcelId),
      turn,
    })),
  );
  const ofParcels = (byBalance?.parcels ?? []).flatMap(({ name: parcel, turn }) =>
    turn === undefined ? [] : [{ target: say`${name(parcel)}`, turn }],
  );
  return [...ofProbes, ...ofParcels].map(({ target, turn: body }) => {
    const turn = turnOfBody(body);
    const order =
      turn.orderBy === null || turn.verdict === 'skip'
        ? null
        : say`; order it by ${timeOf(turn.orderBy)}`;
    const verdict = turn.isLate ? capitalized(stressBeforeWater(turn)) : describeVerdict(turn, now);
    const missed = turn.missedAt === null ? null : say`; ${ifOrdered(turn.missedAt)}`;
    return say`${target}: ${verdict}${order}${missed}.`;
  });
}

type NeedFacts = Pick<
  BriefBody,
  'modules' | 'needsWater' | 'checkFirst' | 'silent' | 'unjudged' | 'leftOut'
>;

/** Follows what is more urgent. That nothing is known of a farm is no good news. */
function describeNoNeed({
  modules,
  needsWater,
  checkFirst,
  silent,
  unjudged,
  leftOut,
}: NeedFacts): Text[] {
  if (needsWater.length + checkFirst.length > 0) return [];

  const behindGateways = silent.gateways.reduce((sum, gateway) => sum + gateway.modules, 0);
  const silentModules = silent.modules.length + leftOut.silentModules + behindGateways;
  const unknown = silentModules + unjudged.length + leftOut.unjudged;
  if (unknown < modules) return [say`No probe is known to need more water today than is planned.`];
  return [say`Whether ${modules === 1 ? say`it needs` : say`they need`} water is unknown.`];
}

const MAX_RAIN_ROWS = 4;

/** "12 mm (yesterday)" */
async function describeRain({ rain = [] }: BriefBody, context: SummaryContext): Promise<Text[]> {
  const rows = rain.slice(0, MAX_RAIN_ROWS).map(async ({ parcelId, day, mm }) => {
    const parcel = parcelId === null ? null : await parcelText(context.directory, parcelId);
    return say`${amount(mm, 'mm')} (${localDay(day)}${parcel && say`, ${parcel}`})`;
  });
  return rows.length === 0 ? [] : [say`Rain: ${commaSeparated(await Promise.all(rows))}.`];
}

function describeFiringAlerts({ alerts, leftOut }: BriefBody, { now }: SummaryContext): Text[] {
  if (alerts.length === 0) return [];

  const byProbe = [...groupBy(alerts, ({ moduleId }) => moduleId).values()];
  const firing = listRows(
    byProbe,
    {
      leftOut: leftOut.alerts,
      merging: {
        keyOf: (ofProbe) => JSON.stringify([firingSince(ofProbe), thresholdsOf(ofProbe)]),
        describe: (ofProbes) => describeFiringProbes(ofProbes, now),
      },
    },
    (ofProbe) => describeFiringProbes([ofProbe], now),
    (ofProbe) => probeName(firstOf(ofProbe)),
  );
  return [say`Alerts firing: ${firing}.`];
}

type AlertRows = BriefBody['alerts'];

const firingSince = (ofProbe: AlertRows): string | undefined =>
  withoutNulls(ofProbe.map((alert) => alert.since)).sort()[0];

const thresholdsOf = (ofProbe: AlertRows): number[] =>
  ofProbe.map(({ threshold }) => Number(threshold));

/** Probes with the same thresholds, low since the same instant. */
function describeFiringProbes(ofProbes: readonly AlertRows[], now: number): Text {
  const since = firingSince(firstOf(ofProbes));
  const levels = thresholdsOf(firstOf(ofProbes));
  return commaSeparated([
    ...ofProbes.map((ofProbe) => describeFiringReading(firstOf(ofProbe), now)),
    say`${levels.length === 1 ? say`threshold` : say`thresholds`} ${exact(levels, '%')}`,
    since === undefined ? null : say`low since ${timeOf(since)}`,
  ]);
}

function describeFiringReading(row: AlertRows[number], now: number): Text {
  const { value_vwc: value, time } = row;
  if (value === null) return say`${probeName(row)}, moisture unknown`;
  const isOld = time !== null && !readingAge(Date.parse(time), now).isFresh;
  return say`${probeName(row)}, ${exact(value, '%')}${isOld ? say` from ${timeOf(time)}` : null}`;
}

function describeSilentDevices({ silent: { gateways, modules }, leftOut }: BriefBody): Text[] {
  const silentGateways = listRows(
    gateways,
    {
      leftOut: leftOut.silentGateways,
      maxDetailed: 3,
      merging: { keyOf: ({ lastSeen }) => lastSeen, describe: describeGatewaysOfInstant },
    },
    (gateway) => say`${describeGateway(gateway)}, ${silentSince(gateway.lastSeen)}`,
    ({ imei }) => name(imei),
  );
  const silentProbes = listRows(
    modules,
    { leftOut: leftOut.silentModules, detailedOfMany: 1 },
    (probe) => say`${probeName(probe)}, ${silentSince(probe.lastAt)}`,
    probeName,
  );
  return withoutNulls([
    gateways.length === 0 ? null : say`Silent gateways: ${silentGateways}.`,
    modules.length === 0 ? null : say`Silent probes: ${silentProbes}.`,
  ]);
}

type SilentGateway = BriefBody['silent']['gateways'][number];

function describeGateway({ imei, modules, names = [] }: SilentGateway): Sayable {
  if (modules === 0 && names.length === 0) return name(imei);
  return say`${name(imei)} with ${listNamesAndCount(names.map(name), modules)}`;
}

/** "350000000000000 (24 probes) and 350000000000006 (27 probes), since 28 Jun 12:00" */
function describeGatewaysOfInstant(gateways: readonly SilentGateway[]): Text {
  const each = gateways.map(({ imei, modules }) =>
    modules === 0 ? name(imei) : say`${name(imei)} (${counted(modules, 'probe')})`,
  );
  return say`${list(each)}, ${silentSince(firstOf(gateways).lastSeen)}`;
}

function describeUnconfirmedWaterings({ toConfirm, leftOut }: BriefBody): Text[] {
  const [newest] = toConfirm;
  if (!newest) return [];
  const total = toConfirm.length + leftOut.toConfirm;
  return total === 1
    ? [
        say`Did the watering planned on ${probeName(newest)} ${timeOf(newest.startedAt)} run? It is waiting to be confirmed.`,
      ]
    : [
        say`${total} waterings await confirmation: ${listBriefWaterings(toConfirm, leftOut.toConfirm)}.`,
      ];
}

/** The first of more is named, and the rows have the others. */
const MAX_NAMED_VALVES = 2;
const namedOf = <Row>(rows: readonly Row[], leftOut: number): readonly Row[] =>
  rows.length + leftOut > MAX_NAMED_VALVES ? rows.slice(0, 1) : rows;

/** "5 on North block, the last yesterday 06:00" */
async function describeAssumedWaterings(
  { assumed, leftOut }: BriefBody,
  context: SummaryContext,
): Promise<Text[]> {
  if (!assumed || assumed.length === 0) return [];
  const more = leftOut.assumed ?? 0;
  const rows = await Promise.all(
    namedOf(assumed, more).map(async (row) => {
      const last = row.count === 1 ? null : say`the last `;
      return say`${row.count} on ${await nameOfValve(row, context)}, ${last}${timeOf(row.startedAt)}`;
    }),
  );
  const others = assumed.length - rows.length + more;
  if (others > 0) rows.push(say`and on ${counted(others, 'more valve')}`);
  return [
    say`Unseen waterings, last 7 days: ${listWithMore(rows, 0)}. Did they run?${call('correct_watering', 'status: done or skipped')}`,
  ];
}

/** "North 2 needs 5 h 15 min, planned today 22:00 for 6 h" */
async function describeIfItRuns(
  { ifItRuns, leftOut }: BriefBody,
  context: SummaryContext,
): Promise<Text[]> {
  if (!ifItRuns || ifItRuns.length === 0) return [];
  const more = leftOut.ifItRuns ?? 0;
  const rows = await Promise.all(
    namedOf(ifItRuns, more).map(async (row) => {
      const { neededMin, startedAt, durationMin } = row;
      const needs = neededMin === null ? null : say` needs ${advisedMinutes(neededMin)}`;
      const duration = durationMin === null ? null : say` for ${minutes(durationMin)}`;
      return say`${await nameOfValve(row, context)}${needs}, planned ${timeOf(startedAt)}${duration}`;
    }),
  );
  return [say`Enough if it runs: ${listWithMore(rows, ifItRuns.length - rows.length + more)}.`];
}

const nameOfValve = async (
  row: {
    readonly parcelId: number | null;
    readonly moduleId: number;
    readonly name: string | null;
  },
  { directory }: SummaryContext,
): Promise<Text> => (row.parcelId === null ? probeName(row) : parcelText(directory, row.parcelId));

const MISSING_INPUTS: Readonly<Record<MissingDoseReason, Text>> = {
  NO_INSTALLATION: say`its equipment`,
  MISSING_FLOW_RATE: say`its application rate`,
  MISSING_IRRIGATED_AREA: say`its irrigated area`,
};

function describeMissingDoses({ missingDoses, leftOut }: BriefBody): Text[] {
  if (missingDoses.length === 0) return [];
  const rows = listRows(
    missingDoses,
    { leftOut: leftOut.missingDoses, detailedOfMany: 1 },
    (row) => say`${row.count} on ${probeName(row)} without ${MISSING_INPUTS[row.missing]}`,
    probeName,
  );
  return [say`Doses missing: ${rows}.`];
}

type UnjudgedRow = BriefBody['unjudged'][number];

function describeUnjudgedProbes({ unjudged, leftOut }: BriefBody): Text[] {
  const groups = [
    {
      describeGroup: (rows: Text) => say`No stress point: ${rows}.${call('set_soil_profile')}`,
      rows: unjudged.filter((row) => row.value_tensio === undefined && !row.isCrossed),
    },
    {
      describeGroup: (rows: Text) =>
        say`The wilting point is not below the field capacity: ${rows}; move or delete a line.${call('update_annotation')}${call('delete_annotation')}`,
      rows: unjudged.filter((row) => row.isCrossed),
    },
    {
      describeGroup: (rows: Text) =>
        say`No dry level (higher is drier): ${rows}.${lineCall('dry')}`,
      rows: unjudged.filter((row) => row.value_tensio !== undefined),
    },
  ].filter(({ rows }) => rows.length > 0);

  return groups.map(({ describeGroup, rows }, index) =>
    describeGroup(
      listRows(
        rows,
        { leftOut: index === 0 ? leftOut.unjudged : 0, detailedOfMany: 1 },
        describeUnjudged,
        probeName,
      ),
    ),
  );
}

function describeUnjudged(row: UnjudgedRow): Text {
  const { value_tensio: value, dryFrom, dryTo } = row;
  if (value === undefined) return probeWithMoisture(row);
  const usual =
    dryFrom === undefined || dryTo === undefined
      ? null
      : say`, on its soil usually watered at ${exact([dryFrom, dryTo], 'kPa', 'to')}`;
  return say`${probeName(row)} at ${exact(value, 'kPa')}${usual}`;
}

async function describeUnknownRest(
  { restUnknown = [], leftOut }: BriefBody,
  { directory }: SummaryContext,
): Promise<Text[]> {
  if (restUnknown.length === 0) return [];
  const modules = await directory.modules();
  const names = await Promise.all(
    restUnknown.map((id) => {
      const parcelId = modules.find((module) => module.id === id)?.parcelId ?? null;
      return parcelId === null ? moduleText(directory, id) : parcelText(directory, parcelId);
    }),
  );
  const count = names.length + leftOut.restUnknown;
  const get = count === 1 ? say`gets` : say`get`;
  return [
    say`Is the crop at rest? It is cold or winter, so ${listNamesAndCount(names, count)} ${get} no amount until somebody says when it rests, or that it never does.${call('set_probe_settings', 'restFrom: a day or never', 'restUntil')}`,
  ];
}

function describeNextWatering({ schedule, leftOut }: BriefBody): Text {
  if (schedule.length === 0) return say`nothing is planned within 48 hours`;
  const count = schedule.length + leftOut.schedule;
  const planned = count === 1 ? say`one watering is` : say`${count} waterings are`;
  return say`${planned} planned within 48 hours: ${listBriefWaterings(schedule, leftOut.schedule)}`;
}

import {
  compareByShortfall,
  compareLatestFirst,
  groupBySharedEquipment,
  MAX_NAMED_PROBES,
  spanOf,
  topRows,
} from '../../domain/advice/brief-lists.ts';
import { compareByNeed, remainingNeed } from '../../domain/advice/water-need.ts';
import { roundTo } from '../../domain/decimal.ts';
import { type MissingDoseReason, sumDoses } from '../../domain/irrigation/dose.ts';
import { readAllRows } from '../../domain/list-pages.ts';
import { type RecordedRain, rainByDayInPeriod } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { BriefBody } from '../../schema/advice/brief.ts';
import type { ListedModuleBody } from '../../schema/company/company.ts';
import { roundAmount, roundAmountOrNull, toIso } from '../wire-format.ts';
import {
  checkBeforeWatering,
  commonestMissingInput,
  daysOfWatering,
  lacksLevel,
  loadProbe,
  mapModules,
  type ProbeNeedingWater,
  type ProbeOverview,
  probesNeedingWater,
} from './brief-probes.ts';
import { adviseOfNeedlessWaterings } from './needless-waterings.ts';
import type { PartReads } from './operation-reads.ts';
import { loadPlannedWaterings, type PlannedWaterings } from './planned-waterings.ts';
import { MINUTE_DECIMALS } from './watering-advice.ts';
import { adviseOfEvapotranspiration, adviseOfForecastRain, rainOfLastDays } from './weather.ts';

export type BriefOperations = Pick<
  PartReads,
  | 'adviseWatering'
  | 'getAgronomicState'
  | 'getIrrigationSetup'
  | 'getMoistureSeries'
  | 'getWeather'
  | 'listAlerts'
  | 'listDevices'
  | 'listGateways'
  | 'listModules'
  | 'listRain'
  | 'listSchedules'
  | 'listWaterings'
>;

const MAX_ROWS = {
  needsWater: 12,
  checkFirst: 5,
  unjudged: 4,
  alerts: 6,
  silentModules: 5,
  silentGateways: 4,
  toConfirm: 5,
  missingDoses: 4,
  schedule: 6,
} as const;

/** All rows where the summary can name each of their probes; otherwise the first `limit`. */
const topOrAllNamed: typeof topRows = (rows, limit, order) =>
  topRows(rows, rows.length <= MAX_NAMED_PROBES ? MAX_NAMED_PROBES : limit, order);

const MAX_DRIEST = 3;
const MAX_NAMED_MODULES = 3;

const moistureOf = (state: ProbeOverview['state']): number | null => state?.value_vwc ?? null;

export async function morningBrief(
  call: ComposedCall,
  operations: BriefOperations,
): Promise<BriefBody> {
  const modules = await readAllRows((page) =>
    operations.listModules({ detail: 'concise', lang: call.lang, ...page }),
  );
  const planned = await loadPlannedWaterings(call, operations);
  const overviews = await mapModules(call, modules, (module) =>
    loadProbe(call.now, operations, module),
  );
  const lists = await shortenedLists(operations, modules, overviews, planned);
  const missingDoses = await missingDoseRows(operations, lists.missingDoses.rows);

  await adviseOfUnassignedDevices(call, operations);
  const nameById = new Map(modules.map(({ id, name }) => [id, name]));
  const rain = await rainOfLastDays(call, operations, RAIN_DAYS);
  await adviseOfNeedlessWaterings(call, operations, {
    overviews,
    upcoming: planned.upcoming,
    rain,
    nameOf: (moduleId) => nameById.get(moduleId) ?? `module ${moduleId}`,
  });
  await adviseOfWeather(call, operations);

  return {
    time: toIso(call.now),
    modules: modules.length,
    ...namedRows(lists, missingDoses, nameById),
    rain: rainRows(rain),
    leftOut: countsLeftOut(lists),
  };
}

async function shortenedLists(
  operations: BriefOperations,
  modules: readonly ListedModuleBody[],
  overviews: readonly ProbeOverview[],
  planned: PlannedWaterings,
) {
  const dryProbes = probesNeedingWater(overviews, planned.dosesToday, modules);
  const needs = wateringNeeds(overviews, dryProbes);
  const checks = probesToCheck(overviews, dryProbes);
  const alerts = await firingAlerts(operations);
  const gateways = await silentGateways(operations);

  return {
    needsWater: topRows(needs, MAX_ROWS.needsWater, compareByNeed),
    checkFirst: topOrAllNamed(checks, MAX_ROWS.checkFirst, compareChecks),
    unjudged: topOrAllNamed(overviews.filter(lacksLevel), MAX_ROWS.unjudged, keepOrder),
    alerts: topOrAllNamed(alerts, MAX_ROWS.alerts, compareByShortfall),
    silentModules: topOrAllNamed(silentModules(overviews), MAX_ROWS.silentModules, (a, b) =>
      compareLatestFirst(a.lastAt, b.lastAt),
    ),
    silentGateways: topOrAllNamed(gateways, MAX_ROWS.silentGateways, (a, b) =>
      compareLatestFirst(a.lastSeen, b.lastSeen),
    ),
    toConfirm: topRows(planned.toConfirm, MAX_ROWS.toConfirm, keepOrder),
    missingDoses: topOrAllNamed(
      overviews.filter(hasMissingDoses),
      MAX_ROWS.missingDoses,
      byMissingDoses,
    ),
    schedule: topRows(planned.upcoming, MAX_ROWS.schedule, keepOrder),
  };
}

type ShortenedLists = Awaited<ReturnType<typeof shortenedLists>>;

function namedRows(
  lists: ShortenedLists,
  missingDoses: Awaited<ReturnType<typeof missingDoseRows>>,
  nameById: ReadonlyMap<number, string | null>,
): Omit<BriefBody, 'time' | 'modules' | 'rain' | 'leftOut'> {
  const withName = <Row extends { readonly moduleId: number }>({ moduleId, ...row }: Row) => ({
    moduleId,
    name: nameById.get(moduleId) ?? null,
    ...row,
  });

  return {
    needsWater: lists.needsWater.rows.map(({ driest, ...row }) =>
      withName({ ...row, driest: driest.map(withName) }),
    ),
    checkFirst: lists.checkFirst.rows.map(withName),
    unjudged: lists.unjudged.rows.map(({ id, advice, state }) =>
      withName({ moduleId: id, value_vwc: moistureOf(state), ...unjudgedFacts(advice) }),
    ),
    alerts: lists.alerts.rows.map(withName),
    silent: {
      modules: lists.silentModules.rows.map(withName),
      gateways: lists.silentGateways.rows,
    },
    toConfirm: lists.toConfirm.rows.map(({ id, moduleId, startedAt }) =>
      withName({ eventId: id, moduleId, startedAt }),
    ),
    missingDoses: missingDoses.map(withName),
    schedule: lists.schedule.rows.map(({ id, moduleId, startedAt, durationMin, waterMm }) =>
      withName({ eventId: id, moduleId, startedAt, durationMin, waterMm }),
    ),
  };
}

const countsLeftOut = (lists: ShortenedLists): BriefBody['leftOut'] => ({
  needsWater: lists.needsWater.leftOut,
  checkFirst: lists.checkFirst.leftOut,
  unjudged: lists.unjudged.leftOut,
  alerts: lists.alerts.leftOut,
  silentModules: lists.silentModules.leftOut,
  silentGateways: lists.silentGateways.leftOut,
  toConfirm: lists.toConfirm.leftOut,
  missingDoses: lists.missingDoses.leftOut,
  schedule: lists.schedule.leftOut,
});

async function adviseOfWeather(call: ComposedCall, { getWeather }: BriefOperations): Promise<void> {
  const weather = await getWeather({});
  adviseOfEvapotranspiration(call, weather);
  adviseOfForecastRain(call, weather, false);
}

const MAX_DEVICES = 3;
const MAX_KINDS = 2;
/** More devices are not counted: on a shared broker anything can send. */
const MAX_COUNTED_DEVICES = 200;

async function adviseOfUnassignedDevices(
  call: ComposedCall,
  { listDevices }: BriefOperations,
): Promise<void> {
  const { data } = await listDevices({ isAssigned: false, limit: MAX_COUNTED_DEVICES });
  if (data.length === 0) return;
  const devices = data.slice(0, MAX_DEVICES).map(({ device, newest }) => ({
    device,
    newest: newest.slice(0, MAX_KINDS).map(({ type, value }) => ({ type, value })),
  }));
  call.advise({ kind: 'unassigned_devices', devices, others: data.length - devices.length });
}

const RAIN_DAYS = 3;

/** Compares the ids of parcels; null stands for the whole farm. */
function wholeFarmFirst(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  return b === null ? 1 : a - b;
}

/**
 * The rain of the last days, newest first: on the whole farm, and on each parcel with records of
 * its own.
 */
function rainRows({ records, ...period }: RecordedRain): BriefBody['rain'] {
  const parcelIds = [...new Set(records.map(({ parcelId }) => parcelId))].sort(wholeFarmFirst);

  return parcelIds.flatMap((parcelId) =>
    rainByDayInPeriod(
      { ...period, records: records.filter((record) => record.parcelId === parcelId) },
      parcelId,
    )
      .map(({ localDay, mm }) => ({ parcelId, day: localDay, mm: roundAmount(mm) }))
      .reverse(),
  );
}

export function conciseBrief({ leftOut, rain = [], ...fields }: BriefBody) {
  const brief = rain.length === 0 ? fields : { ...fields, rain };
  const counts = Object.entries(leftOut).filter(([, count]) => count > 0);
  return counts.length === 0 ? brief : { ...brief, leftOut: Object.fromEntries(counts) };
}

const keepOrder = (): number => 0;

const silentModules = (overviews: readonly ProbeOverview[]) =>
  overviews.flatMap(({ id, isSilent, lastAt }) => (isSilent ? [{ moduleId: id, lastAt }] : []));

const hasMissingDoses = ({ setup }: ProbeOverview): boolean => setup.missingDoses.count > 0;

const byMissingDoses = (a: ProbeOverview, b: ProbeOverview): number =>
  b.setup.missingDoses.count - a.setup.missingDoses.count;

async function missingDoseRows(operations: BriefOperations, overviews: readonly ProbeOverview[]) {
  const rows: { moduleId: number; count: number; missing: MissingDoseReason }[] = [];
  for (const { id, setup } of overviews)
    rows.push({
      moduleId: id,
      count: setup.missingDoses.count,
      missing: await commonestMissingInput(operations, setup),
    });
  return rows;
}

/**
 * The parcel whose setup the probe uses: one valve waters all probes of a parcel without a setup of
 * their own.
 */
const parcelOfEquipment = ({ setup: { installation, parcelId } }: ProbeOverview): number | null =>
  installation?.scope === 'parcel' ? parcelId : null;

function wateringNeeds(
  overviews: readonly ProbeOverview[],
  dryProbes: readonly ProbeNeedingWater[],
) {
  const sure = dryProbes
    .filter(({ probe }) => checkBeforeWatering(probe, true) === null)
    .sort((a, b) => compareByNeed(a.advice, b.advice));
  const probesOn = (parcelId: number): number =>
    overviews.filter((probe) => probe.advice !== null && parcelOfEquipment(probe) === parcelId)
      .length;

  return groupBySharedEquipment(sure, ({ probe }) => parcelOfEquipment(probe)).map((group) => {
    const [driest] = group;
    const parcelId = parcelOfEquipment(driest.probe);
    const { moduleId, waterMm, durationMin, daysToStress, confidence } = driest.advice;

    return {
      moduleId,
      parcelId,
      probes: parcelId === null ? 1 : probesOn(parcelId),
      dryProbes: group.length,
      driest: group
        .slice(0, MAX_DRIEST)
        .map(({ probe: { id, state } }) => ({ moduleId: id, value_vwc: moistureOf(state) })),
      ...remainingSpans(group),
      waterMm,
      durationMin,
      daysToStress,
      confidence,
      plannedMm: roundAmountOrNull(sumDoses(driest.doses)),
      ...dryTension(driest.advice),
    };
  });
}

function remainingSpans(group: readonly ProbeNeedingWater[]) {
  const remaining = group.map(({ advice, doses }) =>
    remainingNeed(advice, doses, daysOfWatering(advice)),
  );
  const spanOfMinutes = (values: readonly (number | null)[]) =>
    spanOf(values.map((minutes) => minutes && roundTo(minutes, MINUTE_DECIMALS)));

  return {
    remainingMin: spanOfMinutes(remaining.map(({ minutes }) => minutes)),
    todayMin: spanOfMinutes(remaining.map(({ todayMin }) => todayMin)),
    remainingMm: spanOf(remaining.map(({ mm }) => roundAmountOrNull(mm))),
  };
}

function probesToCheck(
  overviews: readonly ProbeOverview[],
  dryProbes: readonly ProbeNeedingWater[],
) {
  const dry = new Set(dryProbes.map(({ probe }) => probe));
  return overviews.flatMap((probe) => {
    const reason = checkBeforeWatering(probe, dry.has(probe));
    if (probe.advice === null || reason === null) return [];
    const { moduleId, daysToStress, doubts = [] } = probe.advice;
    return [{ moduleId, value_vwc: moistureOf(probe.state), daysToStress, reason, doubts }];
  });
}

type Check = Pick<BriefBody['checkFirst'][number], 'reason' | 'daysToStress'>;

/** A probe with such a sensor may be dry without showing it. */
const mayHideStress = ({ reason }: Check): boolean =>
  reason === 'TOO_WET_FOR_SOIL' || reason === 'SENSOR_STUCK';

const compareChecks = (a: Check, b: Check): number =>
  Number(mayHideStress(b)) - Number(mayHideStress(a)) ||
  (a.daysToStress ?? Number.MAX_VALUE) - (b.daysToStress ?? Number.MAX_VALUE);

function dryTension({ tension }: AdviceBody) {
  if (!tension || tension.value === null || tension.dryLevel === null) return {};
  return { value_tensio: tension.value, dryLevel: tension.dryLevel };
}

function unjudgedFacts(advice: AdviceBody | null) {
  if (advice?.reasons.includes('THRESHOLDS_CROSSED')) return { isCrossed: true };

  const { value, typical } = advice?.tension ?? { value: null };
  if (value === null) return {};
  if (!typical) return { value_tensio: value };
  return { value_tensio: value, dryFrom: typical.dryFrom, dryTo: typical.dryTo };
}

/** A stale alert keeps firing until fresh readings resolve it. */
async function firingAlerts({ listAlerts }: BriefOperations) {
  const alerts = await readAllRows((page) => listAlerts({ isActive: true, ...page }));
  return alerts.flatMap(({ id, moduleId, threshold, state }) => {
    if (moduleId === null || !state?.firing) return [];
    const { since, value_vwc, time } = state;
    return [{ alertId: id, moduleId, since, value_vwc, time, threshold }];
  });
}

async function silentGateways({
  listGateways,
}: BriefOperations): Promise<BriefBody['silent']['gateways']> {
  const gateways = await readAllRows(listGateways);
  return gateways
    .filter(({ status }) => status === 'faulty')
    .map(({ id, imei, lastSeen, modules }) => ({
      gatewayId: id,
      imei,
      lastSeen,
      modules: modules.length,
      names: modules
        .slice(0, MAX_NAMED_MODULES)
        .map(({ id: moduleId, name }) => name ?? `module ${moduleId}`),
    }));
}

import {
  compareByShortfall,
  compareLatestFirst,
  MAX_NAMED_PROBES,
  topRows,
} from '../../domain/advice/farm/brief-lists.ts';
import { compareByNeed } from '../../domain/advice/farm/water-need.ts';
import { roundAmount } from '../../domain/decimal.ts';
import type { MissingDoseReason } from '../../domain/irrigation/dose.ts';
import { readAllRows } from '../../domain/list-pages.ts';
import { type RecordedRain, rainByDayInPeriod } from '../../domain/weather/rain.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { BriefBody } from '../../schema/advice/brief.ts';
import type { ListedModuleBody } from '../../schema/company/company.ts';
import { toIso } from '../wire-format.ts';
import {
  compareChecks,
  moistureOf,
  probesToCheck,
  unjudgedFacts,
  wateringNeeds,
} from './brief-needs.ts';
import {
  isUnjudged,
  type LoadedProbe,
  loadProbe,
  mapModules,
  mostCommonMissingDoseReason,
  probesNeedingWater,
} from './brief-probes.ts';
import { adviseOfNeedlessWaterings } from './needless-waterings.ts';
import type { PartReads } from './operation-reads.ts';
import { loadPlannedWaterings, type PlannedWaterings } from './planned-waterings.ts';
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

const MAX_NAMED_MODULES = 3;

export async function morningBrief(
  call: ComposedCall,
  operations: BriefOperations,
): Promise<BriefBody> {
  const modules = await readAllRows((page) =>
    operations.listModules({ detail: 'concise', lang: call.lang, ...page }),
  );
  const planned = await loadPlannedWaterings(call, operations);
  const loadedProbes = await mapModules(call, modules, (module) =>
    loadProbe(call.now, operations, module),
  );
  const lists = await shortenedLists(operations, modules, loadedProbes, planned);
  const missingDoses = await missingDoseRows(operations, lists.missingDoses.rows);

  await adviseOfUnassignedDevices(call, operations);
  const nameById = new Map(modules.map(({ id, name }) => [id, name]));
  const rain = await rainOfLastDays(call, operations, RAIN_DAYS);
  await adviseOfNeedlessWaterings(call, operations, {
    loadedProbes,
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
  loadedProbes: readonly LoadedProbe[],
  planned: PlannedWaterings,
) {
  const needingWater = probesNeedingWater(loadedProbes, planned.dosesToday, modules);
  const needs = wateringNeeds(loadedProbes, needingWater);
  const checks = probesToCheck(loadedProbes, needingWater);
  const alerts = await firingAlerts(operations);
  const gateways = await silentGateways(operations);

  return {
    needsWater: topRows(needs, MAX_ROWS.needsWater, compareByNeed),
    checkFirst: topOrAllNamed(checks, MAX_ROWS.checkFirst, compareChecks),
    unjudged: topOrAllNamed(loadedProbes.filter(isUnjudged), MAX_ROWS.unjudged, keepOrder),
    alerts: topOrAllNamed(alerts, MAX_ROWS.alerts, compareByShortfall),
    silentModules: topOrAllNamed(silentModules(loadedProbes), MAX_ROWS.silentModules, (a, b) =>
      compareLatestFirst(a.lastAt, b.lastAt),
    ),
    silentGateways: topOrAllNamed(gateways, MAX_ROWS.silentGateways, (a, b) =>
      compareLatestFirst(a.lastSeen, b.lastSeen),
    ),
    toConfirm: topRows(planned.toConfirm, MAX_ROWS.toConfirm, keepOrder),
    missingDoses: topOrAllNamed(
      loadedProbes.filter(hasMissingDoses),
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

const MAX_NAMED_DEVICES = 3;
const MAX_READINGS_PER_DEVICE = 2;
/** More devices are not counted: on a shared broker anything can send. */
const MAX_COUNTED_DEVICES = 200;

async function adviseOfUnassignedDevices(
  call: ComposedCall,
  { listDevices }: BriefOperations,
): Promise<void> {
  const { data } = await listDevices({ isAssigned: false, limit: MAX_COUNTED_DEVICES });
  if (data.length === 0) return;
  const devices = data.slice(0, MAX_NAMED_DEVICES).map(({ device, newest }) => ({
    device,
    newest: newest.slice(0, MAX_READINGS_PER_DEVICE).map(({ type, value }) => ({ type, value })),
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

const silentModules = (loadedProbes: readonly LoadedProbe[]) =>
  loadedProbes.flatMap(({ id, isSilent, lastAt }) => (isSilent ? [{ moduleId: id, lastAt }] : []));

const hasMissingDoses = ({ setup }: LoadedProbe): boolean => setup.missingDoses.count > 0;

const byMissingDoses = (a: LoadedProbe, b: LoadedProbe): number =>
  b.setup.missingDoses.count - a.setup.missingDoses.count;

async function missingDoseRows(operations: BriefOperations, loadedProbes: readonly LoadedProbe[]) {
  const rows: { moduleId: number; count: number; missing: MissingDoseReason }[] = [];
  for (const { id, setup } of loadedProbes)
    rows.push({
      moduleId: id,
      count: setup.missingDoses.count,
      missing: await mostCommonMissingDoseReason(operations, setup),
    });
  return rows;
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

import {
  compareSortKeys,
  needOf,
  needSortKey,
  type ProbeCondition,
} from '../../domain/advice/overview.ts';
import { formatIsoDate } from '../../domain/calendar.ts';
import { readAllRows } from '../../domain/list-pages.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { civilAt } from '../../domain/time-zone.ts';
import {
  type NamedParcel,
  type SummaryContext,
  visibleDirectory,
} from '../../language/summary-context.ts';
import { type Call, type ComposedCall, isLocalCall } from '../../operation/call.ts';
import {
  OVERVIEW_GROUPS,
  type OverviewBody,
  type OverviewGroup,
  type OverviewGroupName,
  type OverviewProbe,
  type OverviewRow,
} from '../../schema/advice/overview.ts';
import type { ListedModuleBody } from '../../schema/company/company.ts';
import { newestDoneStarts } from '../../store/irrigation/watering-lists.ts';
import { decodeCursor, type ListKey, toPage } from '../pagination.ts';
import { toIso } from '../wire-format.ts';
import {
  checkBeforeWatering,
  lacksLevel,
  loadProbe,
  mapModules,
  type ProbeOverview,
  probesNeedingWater,
} from './brief-probes.ts';
import type { BriefOperations } from './morning-brief.ts';
import { loadPlannedWaterings, type WateringTarget } from './planned-waterings.ts';
import { adviseOfEvapotranspiration, adviseOfRainTotals, rainOfLastDays } from './weather.ts';

export type OverviewOperations = Omit<BriefOperations, 'listDevices' | 'listGateways' | 'listRain'>;

interface OverviewQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface JudgedProbe {
  readonly row: OverviewRow;
  readonly condition: ProbeCondition;
  readonly lacksLevel: boolean;
}

/** The figures of `needSortKey`, which a cursor holds. */
const ORDER_LENGTH = 4;

/** Stands in a cursor for the one company of a remote service, whose id is not known here. */
const REMOTE_COMPANY_ID = 0;

export async function farmOverview(
  call: ComposedCall,
  operations: OverviewOperations & Pick<BriefOperations, 'listRain'>,
  { limit, cursor }: OverviewQuery,
): Promise<OverviewBody> {
  const list: ListKey = ['overview', isLocalCall(call) ? call.company.id : REMOTE_COMPANY_ID];
  const after = decodeCursor(list, cursor, ORDER_LENGTH);
  const { judged, silentStations, stations } = await judgeProbes(call, operations);
  const following = judged.filter(
    ({ order }) => after === null || compareSortKeys(order, after) > 0,
  );
  const { data, next_cursor } = toPage(
    list,
    following.slice(0, limit + 1),
    limit,
    ({ order }) => order,
  );

  await adviseOfRainTotals(call, await rainOfLastDays(call, operations, RAIN_DAYS), {
    lastDays: RAIN_DAYS,
  });
  adviseOfEvapotranspiration(call, await operations.getWeather({}));

  return {
    time: toIso(call.now),
    probes: judged.length,
    stations,
    groups: groupsOf(judged, silentStations),
    data: data.map(({ row }) => row),
    leftOut: following.length - data.length,
    next_cursor,
  };
}

interface JudgeOptions<More> {
  /** Default: all modules. */
  readonly moduleIds?: readonly number[] | undefined;
  /** Loads further data of each probe for the caller. */
  loadMore?(module: ListedModuleBody, probe: ProbeOverview): Promise<More | null>;
}

/** The probes of the farm, or some of them, most urgent first. */
export async function judgeProbes<More = null>(
  call: ComposedCall,
  operations: OverviewOperations,
  { moduleIds, loadMore = async () => null }: JudgeOptions<More> = {},
) {
  const all = await readAllRows((page) =>
    operations.listModules({ detail: 'concise', lang: call.lang, ...page }),
  );
  const modules = moduleIds === undefined ? all : judgedWith(moduleIds, all);
  const loaded = await mapModules(call, modules, async (module) => {
    const probe = await loadProbe(call.now, operations, module);
    return { module, probe, more: isStation(module) ? null : await loadMore(module, probe) };
  });

  const isWhole = moduleIds === undefined;
  const lastWatered = await lastWaterings(call, operations, modules, isWhole);
  const plans = await loadPlannedWaterings(
    call,
    operations,
    isWhole ? undefined : modules.map(wateringTarget),
  );
  const alerts = await alertStatuses(operations, isWhole ? undefined : modules);
  const parcels = new Map<number | null, NamedParcel>(
    (await visibleDirectory(call.directory).parcels()).map((parcel) => [parcel.id, parcel]),
  );

  const probes = loaded.map(({ probe }) => probe);
  const needs = probesNeedingWater(probes, plans.dosesToday, all);
  const dry = new Set(needs.map(({ probe }) => probe));
  const judged = loaded
    .filter(({ module }) => !isStation(module))
    .map(({ module, probe, more }) => {
      const check = checkBeforeWatering(probe, dry.has(probe));
      const row = toRow(call.now, probe, {
        module,
        parcel: parcels.get(module.parcelId),
        check,
        needsWater: dry.has(probe) && check === null,
        lastWateredAt: lastWatered.get(module.id) ?? null,
        alert: alerts.get(module.id) ?? null,
      });
      const condition = conditionOf(row, probe);
      const order = needSortKey(needOf(condition), condition);
      return { row, probe, more, condition, lacksLevel: lacksLevel(probe), order };
    })
    .sort((a, b) => compareSortKeys(a.order, b.order));

  const silentStations = loaded.filter(({ module, probe }) => isStation(module) && probe.isSilent);
  return {
    judged,
    plans,
    stations: modules.length - judged.length,
    silentStations: silentStations.map(({ module, probe }) => stationMember(module, probe)),
  };
}

const RAIN_DAYS = 7;

const isStation = ({ category }: ListedModuleBody): boolean => category === 'WEATHER_STATION';

const stationMember = (
  { id, name }: ListedModuleBody,
  { lastAt }: ProbeOverview,
): OverviewProbe => ({
  moduleId: id,
  name,
  value_vwc: null,
  value_tensio: null,
  state: null,
  daysToStress: null,
  check: null,
  time: lastAt,
});

interface RowFacts extends Pick<OverviewRow, 'check' | 'needsWater' | 'lastWateredAt' | 'alert'> {
  readonly module: ListedModuleBody;
  readonly parcel: NamedParcel | undefined;
}

function toRow(
  now: number,
  probe: ProbeOverview,
  { module, parcel, ...facts }: RowFacts,
): OverviewRow {
  const { state, daysToStress, lastAt: time } = probe;
  return {
    moduleId: module.id,
    name: module.name,
    parcelId: module.parcelId,
    parcel: parcel?.name ?? null,
    crop: parcel?.type ?? null,
    value_vwc: state?.value_vwc ?? null,
    value_tensio: state?.tension?.value ?? null,
    state: state?.state ?? null,
    daysToStress,
    needsWater: facts.needsWater,
    check: facts.check,
    time,
    ageMin: time === null ? null : Math.floor(readingAge(Date.parse(time), now).ageMs / MINUTE_MS),
    lastWateredAt: facts.lastWateredAt,
    alert: facts.alert,
  };
}

const conditionOf = (
  row: OverviewRow,
  { advice, state, isSilent }: ProbeOverview,
): ProbeCondition => ({
  id: row.moduleId,
  state: row.state,
  isAboveDryLevel: state?.tension?.isDry === true,
  needsWater: row.needsWater,
  daysToStress: row.daysToStress,
  moisture: row.value_vwc,
  tension: row.value_tensio,
  hasFiringAlert: row.alert === 'firing',
  hasSuspectReading: (advice?.doubts ?? []).length > 0,
  isSilent,
});

const MAX_NAMED = 6;

const toMember = ({
  moduleId,
  name,
  value_vwc,
  value_tensio,
  state,
  daysToStress,
  check,
  time,
}: OverviewRow) => ({
  moduleId,
  name,
  value_vwc,
  value_tensio,
  state,
  daysToStress,
  check,
  time,
});

export function groupsOf(
  judged: readonly JudgedProbe[],
  silentStations: readonly OverviewProbe[],
): OverviewGroup[] {
  const rowsWith = (isMember: (probe: JudgedProbe) => boolean): OverviewRow[] =>
    judged.filter(isMember).map(({ row }) => row);

  const sound = rowsWith(({ condition }) => !condition.isSilent && !condition.hasSuspectReading);
  const soundOrderedBy = (
    field: 'value_vwc' | 'value_tensio',
    compare: (a: number, b: number) => number,
  ): OverviewRow[] =>
    sound
      .flatMap((row) => {
        const value = row[field];
        return value === null ? [] : [{ row, value }];
      })
      .sort((a, b) => compare(a.value, b.value))
      .map(({ row }) => row);

  const members: Readonly<Record<OverviewGroupName, OverviewRow[]>> = {
    driest: soundOrderedBy('value_vwc', (a, b) => a - b),
    highestTension: soundOrderedBy('value_tensio', (a, b) => b - a),
    needsWater: rowsWith(({ row }) => row.needsWater),
    next: sound.filter((row) => !row.needsWater && row.check === null && row.daysToStress !== null),
    checkFirst: rowsWith(({ row }) => row.check !== null),
    firing: rowsWith(({ row }) => row.alert === 'firing'),
    silent: rowsWith(({ condition }) => condition.isSilent),
    unjudged: rowsWith((probe) => probe.lacksLevel),
  };

  return OVERVIEW_GROUPS.flatMap((group) => {
    const all: OverviewProbe[] = members[group].map(toMember);
    if (group === 'silent') all.push(...silentStations);
    return all.length === 0 ? [] : [{ group, count: all.length, first: all.slice(0, MAX_NAMED) }];
  });
}

/** A tensiometer often has no watering of its own: those of its parcel count. */
const isJudgedByParcel = (
  module: ListedModuleBody,
): module is ListedModuleBody & { readonly parcelId: number } =>
  module.category === 'TENSIOMETER' && module.parcelId !== null;

const wateringTarget = (module: ListedModuleBody): WateringTarget =>
  isJudgedByParcel(module) ? { parcelId: module.parcelId } : { moduleId: module.id };

/** The modules with these ids, and the tensiometers of their parcels. */
function judgedWith(
  moduleIds: readonly number[],
  modules: readonly ListedModuleBody[],
): ListedModuleBody[] {
  const named = new Set(moduleIds);
  const parcels = new Set(
    modules.filter(({ id }) => named.has(id)).map(({ parcelId }) => parcelId),
  );
  return modules.filter(
    (module) => named.has(module.id) || (isJudgedByParcel(module) && parcels.has(module.parcelId)),
  );
}

async function lastWaterings(
  call: ComposedCall,
  { listWaterings }: Pick<OverviewOperations, 'listWaterings'>,
  modules: readonly ListedModuleBody[],
  isWhole: boolean,
): Promise<ReadonlyMap<number, string>> {
  if (isWhole && isLocalCall(call)) return lastWateringsInStore(call, modules);

  const found = await mapModules(call, modules, async (module) => {
    if (isStation(module)) return [];
    const target = wateringTarget(module);
    const filter = { ...target, status: 'done', to: toIso(call.now + 1), totals: 'none' } as const;
    const { data } = await listWaterings({ ...filter, limit: 1 });
    return data.map(({ startedAt }) => [module.id, startedAt] as const);
  });

  return new Map(found.flat());
}

async function lastWateringsInStore({ db, now }: Call, modules: readonly ListedModuleBody[]) {
  const starts = await newestDoneStarts(db, now);
  const newestOf = (watered: readonly ListedModuleBody[]): number =>
    Math.max(...watered.map(({ id }) => starts.get(id) ?? Number.NEGATIVE_INFINITY));

  return new Map(
    modules.flatMap((module) => {
      const parcel = isJudgedByParcel(module)
        ? modules.filter(({ parcelId }) => parcelId === module.parcelId)
        : [module];
      const newest = newestOf(parcel);
      return Number.isFinite(newest) ? [[module.id, toIso(newest)] as const] : [];
    }),
  );
}

/** The status of the alert of each module; of several alerts, that of the most serious one. */
async function alertStatuses(
  { listAlerts }: OverviewOperations,
  modules: readonly ListedModuleBody[] | undefined,
): Promise<Map<number, OverviewRow['alert']>> {
  const rank = { quiet: 0, stale: 1, firing: 2 } as const;
  const statuses = new Map<number, 'quiet' | 'stale' | 'firing'>();
  const filters = modules === undefined ? [{}] : modules.map(({ id }) => ({ moduleId: id }));

  for (const filter of filters)
    for (const { moduleId, state } of await readAllRows((page) =>
      listAlerts({ isActive: true, ...filter, ...page }),
    )) {
      if (moduleId === null || state === null) continue;
      // A stale alert keeps firing until fresh readings resolve it.
      const status = state.firing ? 'firing' : state.status;
      const worst = statuses.get(moduleId);
      if (worst === undefined || rank[status] > rank[worst]) statuses.set(moduleId, status);
    }

  return statuses;
}

const isSet = ([, value]: [string, unknown]): boolean => value !== null && value !== false;

export const conciseOverview = (
  { groups: _groups, leftOut, ...body }: OverviewBody,
  { zone }: Pick<SummaryContext, 'zone'>,
) => {
  const omitted = leftOut > 0 ? { leftOut } : {};
  const data = body.data.map(({ parcelId: _parcelId, time: _time, lastWateredAt: at, ...row }) => {
    const lastWateredAt = at && formatIsoDate(civilAt(Date.parse(at), zone));
    return Object.fromEntries(Object.entries({ ...row, lastWateredAt }).filter(isSet));
  });

  return { ...body, ...omitted, data };
};

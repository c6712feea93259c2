import {
  compareSortKeys,
  needOf,
  needSortKey,
  type ProbeCondition,
} from '../../../domain/advice/farm/need.ts';
import { readAllRows } from '../../../domain/list-pages.ts';
import { readingAge } from '../../../domain/moisture/coverage.ts';
import { MINUTE_MS } from '../../../domain/periods.ts';
import { type NamedParcel, visibleDirectory } from '../../../language/summary-context.ts';
import type { ComposedCall } from '../../../operation/call.ts';
import type { OverviewProbe, OverviewRow } from '../../../schema/advice/overview.ts';
import type { ListedModuleBody } from '../../../schema/company/company.ts';
import {
  checkBeforeWatering,
  isUnjudged,
  type LoadedProbe,
  loadProbe,
  mapModules,
  probesNeedingWater,
} from '../brief-probes.ts';
import type { PartReads } from '../operation-reads.ts';
import { loadPlannedWaterings } from '../planned-waterings.ts';
import {
  isStationModule,
  lastWaterings,
  usesWateringsOfParcel,
  wateringTarget,
} from './last-waterings.ts';

export type AssessmentOperations = Pick<
  PartReads,
  | 'adviseWatering'
  | 'getAgronomicState'
  | 'getIrrigationSetup'
  | 'getMoistureSeries'
  | 'listAlerts'
  | 'listModules'
  | 'listSchedules'
  | 'listWaterings'
>;

export interface AssessedProbe {
  readonly row: OverviewRow;
  readonly condition: ProbeCondition;
  readonly isUnjudged: boolean;
}

interface AssessmentOptions<Detail> {
  /** Default: all modules. */
  readonly moduleIds?: readonly number[] | undefined;
  /** Loads what the caller shows of each probe beside its row. */
  loadDetail?(module: ListedModuleBody, probe: LoadedProbe): Promise<Detail | null>;
}

/** The probes of the farm, or some of them, most urgent first. */
export async function assessProbes<Detail = null>(
  call: ComposedCall,
  operations: AssessmentOperations,
  { moduleIds, loadDetail = async () => null }: AssessmentOptions<Detail> = {},
) {
  const allModules = await readAllRows((page) =>
    operations.listModules({ detail: 'concise', lang: call.lang, ...page }),
  );
  const modules =
    moduleIds === undefined ? allModules : withTensiometersOfParcels(moduleIds, allModules);
  const loaded = await mapModules(call, modules, async (module) => {
    const probe = await loadProbe(call.now, operations, module);
    return {
      module,
      probe,
      detail: isStationModule(module) ? null : await loadDetail(module, probe),
    };
  });

  const isWholeFarm = moduleIds === undefined;
  const plans = await loadPlannedWaterings(
    call,
    operations,
    isWholeFarm ? undefined : modules.map(wateringTarget),
  );
  const rowFactsOf = await loadRowFacts(call, operations, modules, isWholeFarm);

  const probes = loaded.map(({ probe }) => probe);
  const needingWater = new Set(
    probesNeedingWater(probes, plans.dosesToday, allModules).map(({ probe }) => probe),
  );
  const assessed = loaded
    .filter(({ module }) => !isStationModule(module))
    .map(({ module, probe, detail }) => {
      const check = checkBeforeWatering(probe, needingWater.has(probe));
      // A probe that is to be checked first may not need it.
      const needsWater = needingWater.has(probe) && check === null;
      const row = toRow(call.now, probe, { ...rowFactsOf(module), check, needsWater });
      const condition = conditionOf(row, probe);
      const sortKey = needSortKey(needOf(condition), condition);
      return { row, probe, detail, condition, isUnjudged: isUnjudged(probe), sortKey };
    })
    .sort((a, b) => compareSortKeys(a.sortKey, b.sortKey));

  const silentStations = loaded.filter(
    ({ module, probe }) => isStationModule(module) && probe.isSilent,
  );
  return {
    assessed,
    plans,
    stations: modules.length - assessed.length,
    silentStations: silentStations.map(({ module, probe }) => stationMember(module, probe)),
  };
}

/** What a row says of a module beside its advice. */
async function loadRowFacts(
  call: ComposedCall,
  operations: AssessmentOperations,
  modules: readonly ListedModuleBody[],
  isWholeFarm: boolean,
): Promise<(module: ListedModuleBody) => Omit<RowFacts, 'check' | 'needsWater'>> {
  const lastWatered = await lastWaterings(call, operations, modules, isWholeFarm);
  const alerts = await alertStatuses(operations, isWholeFarm ? undefined : modules);
  const parcels = new Map<number | null, NamedParcel>(
    (await visibleDirectory(call.directory).parcels()).map((parcel) => [parcel.id, parcel]),
  );

  return (module) => ({
    module,
    parcel: parcels.get(module.parcelId),
    lastWateredAt: lastWatered.get(module.id) ?? null,
    alert: alerts.get(module.id) ?? null,
  });
}

/** The modules with these ids, and the tensiometers of their parcels. */
function withTensiometersOfParcels(
  moduleIds: readonly number[],
  modules: readonly ListedModuleBody[],
): ListedModuleBody[] {
  const ids = new Set(moduleIds);
  const parcelIds = new Set(
    modules.filter(({ id }) => ids.has(id)).map(({ parcelId }) => parcelId),
  );
  return modules.filter(
    (module) =>
      ids.has(module.id) || (usesWateringsOfParcel(module) && parcelIds.has(module.parcelId)),
  );
}

/** A station in the group of what is silent. */
const stationMember = ({ id, name }: ListedModuleBody, { lastAt }: LoadedProbe): OverviewProbe => ({
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
  probe: LoadedProbe,
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
  { advice, state, isSilent }: LoadedProbe,
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

/** The status of the alert of each module; of several alerts, that of the most serious one. */
async function alertStatuses(
  { listAlerts }: AssessmentOperations,
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

import {
  type AssessedProbe,
  assessProbes,
  usesWateringsOfParcel,
  withTensiometersOfParcels,
} from '../../../domain/advice/farm/assessed-probes.ts';
import { farmWitnesses } from '../../../domain/advice/farm/assumed-waterings.ts';
import type { FarmPlan } from '../../../domain/advice/farm/farm-plan.ts';
import { type FarmProbe, isWeatherStation } from '../../../domain/advice/farm/farm-probe.ts';
import { probesNeedingWater } from '../../../domain/advice/farm/needs.ts';
import { type GroupMember, overviewGroups } from '../../../domain/advice/farm/overview-groups.ts';
import type { Witness, WitnessKind } from '../../../domain/advice/witness/witness.ts';
import type { ModuleFacts } from '../../../domain/facts/probe-facts.ts';
import type { WateringFacts } from '../../../domain/facts/watering-facts.ts';
import { readingAge } from '../../../domain/moisture/coverage.ts';
import { MINUTE_MS } from '../../../domain/periods.ts';
import { type NamedParcel, visibleDirectory } from '../../../language/summary-context.ts';
import type { ComposedCall } from '../../../operation/call.ts';
import type { FactSource } from '../../../operation/fact-source.ts';
import type { OverviewGroup, OverviewProbe, OverviewRow } from '../../../schema/advice/overview.ts';
import { toIsoOrNull } from '../../../schema/wire-format.ts';
import type { WateringTarget } from '../../../store/irrigation/watering-target.ts';
import { loadFarmPlan, loadFarmProbes } from './load-farm.ts';

interface AssessedFarm {
  /** Most urgent first, without stations. */
  readonly assessed: readonly AssessedProbe[];
  readonly plan: FarmPlan;
  /** How many of the modules are stations. */
  readonly stations: number;
  readonly groups: OverviewGroup[];
  toRow(probe: AssessedProbe): OverviewRow;
  /** True if its own probe did not show the last watering. */
  isSeenByOtherProbe(probe: AssessedProbe): boolean;
}

export async function assessFarm(
  call: ComposedCall,
  facts: FactSource,
  /** Default: all modules. */
  moduleIds?: readonly number[],
): Promise<AssessedFarm> {
  const allModules = await facts.modules();
  const modules =
    moduleIds === undefined ? allModules : withTensiometersOfParcels(moduleIds, allModules);
  const loaded = await loadFarmProbes(call, facts, modules);
  const isWholeFarm = moduleIds === undefined;
  const plan = await loadFarmPlan(
    call,
    facts,
    isWholeFarm ? undefined : modules.map(wateringTarget),
  );
  const alerts = await facts.alerts(isWholeFarm ? undefined : modules.map(({ id }) => id));

  const probes = loaded.filter(({ module }) => !isWeatherStation(module));
  const stations = loaded.filter(({ module }) => isWeatherStation(module));
  const assessed = assessProbes(probes, probesNeedingWater(probes, plan, allModules), alerts);
  const silentStations = stations.filter(({ isSilent }) => isSilent);

  return {
    assessed,
    plan,
    stations: stations.length,
    groups: overviewGroups(assessed, silentStations).map(({ first, ...group }) => ({
      ...group,
      first: first.map(toMember),
    })),
    ...(await rowMaker(call, facts, loaded)),
  };
}

const wateringTarget = (module: ModuleFacts): WateringTarget =>
  usesWateringsOfParcel(module) ? { parcelId: module.parcelId } : { moduleId: module.id };

/** Loads what a row says of a module beside its advice. */
async function rowMaker(
  call: ComposedCall,
  facts: FactSource,
  probes: readonly FarmProbe[],
): Promise<Pick<AssessedFarm, 'toRow' | 'isSeenByOtherProbe'>> {
  const lastWatered = await facts.newestWaterings(
    probes.map(({ module }) => module).filter((module) => !isWeatherStation(module)),
  );
  const witnesses = farmWitnesses(probes);
  const parcels = new Map<number | null, NamedParcel>(
    (await visibleDirectory(call.directory).parcels()).map((parcel) => [parcel.id, parcel]),
  );

  const witnessOfLast = ({ probe }: AssessedProbe): Witness | null => {
    const watering = lastWatered.get(probe.module.id);
    return watering === undefined ? null : witnessOf(probe, watering, witnesses);
  };

  return {
    toRow: (assessed) => {
      const { id, parcelId } = assessed.probe.module;
      return toRow(assessed, {
        parcel: parcels.get(parcelId),
        lastWateredAt: lastWatered.get(id)?.startedAt ?? null,
        wateredBy: witnessOfLast(assessed)?.kind ?? null,
        now: call.now,
      });
    },
    isSeenByOtherProbe(assessed) {
      const witness = witnessOfLast(assessed);
      return witness?.kind === 'probe' && witness.reason !== null;
    },
  };
}

function toRow(
  { probe, needsWater, check, alert, state }: AssessedProbe,
  {
    parcel,
    lastWateredAt,
    wateredBy,
    now,
  }: {
    readonly parcel: NamedParcel | undefined;
    readonly lastWateredAt: number | null;
    readonly wateredBy: WitnessKind | null;
    readonly now: number;
  },
): OverviewRow {
  const { module, daysToStress, lastAt } = probe;
  return {
    moduleId: module.id,
    name: module.name,
    parcelId: module.parcelId,
    parcel: parcel?.name ?? null,
    crop: parcel?.type ?? null,
    value_vwc: probe.state?.moisture ?? null,
    value_tensio: probe.state?.tension?.value ?? null,
    state,
    daysToStress,
    needsWater,
    check,
    time: toIsoOrNull(lastAt),
    ageMin: lastAt === null ? null : Math.floor(readingAge(lastAt, now).ageMs / MINUTE_MS),
    lastWateredAt: toIsoOrNull(lastWateredAt),
    wateredBy,
    alert,
  };
}

type Newest = Pick<WateringFacts, 'startedAt' | 'isConfirmed'>;

function witnessOf(
  { waterings }: FarmProbe,
  { startedAt, isConfirmed }: Newest,
  witnesses: ReadonlyMap<number, Witness>,
): Witness {
  if (isConfirmed) return { kind: 'confirmed', reason: null };
  const watering = waterings.find((each) => each.startedAt === startedAt && witnesses.has(each.id));
  return (watering && witnesses.get(watering.id)) ?? { kind: 'unconfirmed', reason: null };
}

const toMember = ({ probe, check, state }: GroupMember): OverviewProbe => ({
  moduleId: probe.module.id,
  name: probe.module.name,
  value_vwc: probe.state?.moisture ?? null,
  value_tensio: probe.state?.tension?.value ?? null,
  state,
  daysToStress: probe.daysToStress,
  check,
  time: toIsoOrNull(probe.lastAt),
});

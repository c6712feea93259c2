import type { AlertFacts, GatewayFacts } from '../../facts/farm-facts.ts';
import type { ModuleFacts } from '../../facts/probe-facts.ts';
import {
  isOnProbe,
  type ParcelWateringFacts,
  type ProbeWateringFacts,
} from '../../facts/watering-facts.ts';
import { firstOf } from '../../items.ts';
import { reasonOf } from '../reason.ts';
import { type AssumedWaterings, assumedWaterings } from './assumed-waterings.ts';
import {
  compareByShortfall,
  compareLatestFirst,
  groupByShared,
  MAX_NAMED_PROBES,
  type TopRows,
  topRows,
} from './brief-lists.ts';
import { parcelWithSetup } from './differing-probes.ts';
import type { FarmPlan } from './farm-plan.ts';
import { type FarmProbe, isRestUnknown, isUnjudged } from './farm-probe.ts';
import {
  compareChecks,
  type ProbeInNeed,
  type ProbeToCheck,
  probesCoveredIfItRuns,
  probesNeedingWater,
  probesToCheck,
  type WateringNeed,
  wateringNeeds,
} from './needs.ts';
import {
  type Draw,
  type PlannedDraw,
  type SharedSource,
  type ShortSource,
  shortSources,
} from './shared-water.ts';
import { type TurnOfValve, turnsToday } from './turns-today.ts';
import { compareByNeed } from './water-need.ts';

const MAX_ROWS = {
  needsWater: 25,
  checkFirst: 5,
  unjudged: 4,
  alerts: 6,
  silentModules: 5,
  silentGateways: 4,
  toConfirm: 5,
  missingDoses: 4,
  schedule: 6,
  restUnknown: 3,
  assumed: 4,
  ifItRuns: 4,
} as const;

export type PlannedWatering = ProbeWateringFacts | ParcelWateringFacts;

/** The lists of what needs attention, each the most urgent first and shortened. */
export interface FarmBrief {
  readonly needsWater: TopRows<WateringNeed>;
  /** The minutes of today for the rows left out of `needsWater`; unknown ones count as 0. */
  readonly leftOutMin: number;
  /** How many probes in need have the field capacity of a texture class. */
  readonly estimatedCapacities: number;
  readonly checkFirst: TopRows<ProbeToCheck>;
  readonly unjudged: TopRows<FarmProbe>;
  /** One of each parcel of which nobody has said whether the crop rests, though it is cold. */
  readonly restUnknown: TopRows<FarmProbe>;
  readonly alerts: TopRows<BriefAlert>;
  readonly silentModules: TopRows<FarmProbe>;
  readonly silentGateways: TopRows<GatewayFacts>;
  readonly toConfirm: TopRows<PlannedWatering>;
  readonly missingDoses: TopRows<MissingDoses>;
  readonly schedule: TopRows<PlannedWatering>;
  readonly assumed: TopRows<AssumedWaterings>;
  /** Of each setup whose water comes by turns, what is to be known of the next one today. */
  readonly turns: readonly TurnOfValve[];
  readonly shortSources: readonly ShortSource[];
  /** The driest of each setup of which what is planned for today is enough if it runs. */
  readonly ifItRuns: TopRows<{ readonly need: ProbeInNeed; readonly planned: ProbeWateringFacts }>;
}

interface BriefInputs {
  readonly now: number;
  readonly modules: readonly ModuleFacts[];
  readonly probes: readonly FarmProbe[];
  readonly plan: FarmPlan;
  /** Of the parcels without a probe. */
  readonly planOfParcels: FarmPlan<ParcelWateringFacts>;
  readonly alerts: readonly AlertFacts[];
  readonly gateways: readonly GatewayFacts[];
  readonly sources: readonly SharedSource[];
  /** What parcels without a probe need today by their balance. */
  readonly drawsByBalance: readonly Draw[];
  readonly zone: string;
}

export function farmBrief({
  now,
  modules,
  probes,
  plan,
  planOfParcels,
  alerts,
  gateways,
  sources,
  drawsByBalance,
  zone,
}: BriefInputs): FarmBrief {
  const needingWater = probesNeedingWater(probes, plan, modules);
  const checks = probesToCheck(probes, needingWater);
  const needs = wateringNeeds(probes, needingWater);
  const needsWater = topRows(needs, MAX_ROWS.needsWater, (a, b) =>
    compareByNeed(a.dry[0].advice, b.dry[0].advice),
  );

  return {
    needsWater,
    leftOutMin: minutesToday(needs.filter((need) => !needsWater.rows.includes(need))),
    estimatedCapacities: needs
      .flatMap(({ dry }) => dry)
      .filter(({ advice }) => reasonOf(advice.reasons, 'FIELD_CAPACITY_ESTIMATED') !== undefined)
      .length,
    checkFirst: topOrAllNamed(checks, MAX_ROWS.checkFirst, compareChecks),
    restUnknown: topRows(probesOfUnknownRest(probes), MAX_ROWS.restUnknown, keepOrder),
    unjudged: topOrAllNamed(probes.filter(isUnjudged), MAX_ROWS.unjudged, keepOrder),
    alerts: topOrAllNamed(alerts.flatMap(firingAlert), MAX_ROWS.alerts, compareByShortfall),
    silentModules: topOrAllNamed(
      probes.filter(({ isSilent }) => isSilent),
      MAX_ROWS.silentModules,
      (a, b) => compareLatestFirst(a.lastAt, b.lastAt),
    ),
    silentGateways: topOrAllNamed(
      gateways.filter(({ isSilent }) => isSilent),
      MAX_ROWS.silentGateways,
      (a, b) => compareLatestFirst(a.lastSeenAt, b.lastSeenAt),
    ),
    toConfirm: topRows<PlannedWatering>(
      [...plan.toConfirm, ...planOfParcels.toConfirm],
      MAX_ROWS.toConfirm,
      (a, b) => b.startedAt - a.startedAt,
    ),
    missingDoses: topOrAllNamed(
      probes.flatMap(missingDoses),
      MAX_ROWS.missingDoses,
      (a, b) => b.count - a.count,
    ),
    schedule: topRows<PlannedWatering>(
      [...plan.upcoming, ...planOfParcels.upcoming],
      MAX_ROWS.schedule,
      (a, b) => a.startedAt - b.startedAt,
    ),
    assumed: topRows(assumedWaterings(probes, now), MAX_ROWS.assumed, keepOrder),
    turns: turnsToday(probes, needs, now),
    shortSources: shortSources(
      sources,
      [...needs.flatMap(drawOf), ...drawsByBalance],
      plannedDraws([...plan.upcoming, ...planOfParcels.upcoming], modules),
      { now, zone },
    ),
    ifItRuns: topRows(coveredIfItRuns(probes, needingWater, plan), MAX_ROWS.ifItRuns, keepOrder),
  };
}

function coveredIfItRuns(
  probes: readonly FarmProbe[],
  needingWater: readonly ProbeInNeed[],
  { upcoming }: FarmPlan,
): { readonly need: ProbeInNeed; readonly planned: ProbeWateringFacts }[] {
  const covered = probesCoveredIfItRuns(probes, needingWater);
  return groupByShared(covered, ({ probe }) => parcelWithSetup(probe)).flatMap((ofValve) => {
    const need = firstOf([...ofValve].sort((a, b) => compareByNeed(a.advice, b.advice)));
    const { id, parcelId } = need.probe.module;
    const planned =
      upcoming.find(({ moduleId }) => moduleId === id) ??
      upcoming.find(({ moduleId }) =>
        probes.some(({ module }) => module.id === moduleId && module.parcelId === parcelId),
      );
    return planned === undefined ? [] : [{ need, planned }];
  });
}

function drawOf({ dry: [{ probe, advice }], parcelId, todayMin }: WateringNeed): Draw[] {
  const { module } = probe;
  if (module.parcelId === null || todayMin === null) return [];
  const { daysToStress } = advice;
  const moduleId = parcelId === null ? module.id : null;
  return [{ parcelId: module.parcelId, moduleId, minutes: todayMin.most, daysToStress }];
}

/** One for each valve and start, however many of its probes have a row of it. */
function plannedDraws(
  waterings: readonly PlannedWatering[],
  modules: readonly ModuleFacts[],
): PlannedDraw[] {
  const parcelOf = new Map(modules.map(({ id, parcelId }) => [id, parcelId]));
  const draws = new Map<string, PlannedDraw>();
  for (const watering of waterings) {
    const parcelId = isOnProbe(watering)
      ? (parcelOf.get(watering.moduleId) ?? null)
      : watering.parcelId;
    const { startedAt, durationMin } = watering;
    if (parcelId !== null && durationMin !== null)
      draws.set(`${parcelId} ${startedAt}`, { parcelId, startedAt, minutes: durationMin });
  }
  return [...draws.values()];
}

const minutesToday = (needs: readonly WateringNeed[]): number =>
  needs.reduce((sum, { todayMin }) => sum + (todayMin?.most ?? 0), 0);

/** All rows where the summary can name each of their probes; otherwise the first `limit`. */
const topOrAllNamed: typeof topRows = (rows, limit, order) =>
  topRows(rows, rows.length <= MAX_NAMED_PROBES ? MAX_NAMED_PROBES : limit, order);

const keepOrder = (): number => 0;

interface BriefAlert {
  readonly id: string;
  readonly moduleId: number;
  /** In %, like the value. */
  readonly threshold: number;
  readonly value: number | null;
  readonly at: number | null;
  readonly since: number | null;
}

/** A stale alert keeps firing until fresh readings resolve it. */
function firingAlert({ id, moduleId, threshold, state }: AlertFacts): BriefAlert[] {
  if (moduleId === null || !state?.isFiring) return [];
  const { value, at, since } = state;
  return [{ id, moduleId, threshold, value, at, since }];
}

/** The first probe of each parcel, and each without a parcel. */
const probesOfUnknownRest = (probes: readonly FarmProbe[]): FarmProbe[] =>
  groupByShared(probes.filter(isRestUnknown), ({ module }) => module.parcelId).map(firstOf);

/** A probe whose waterings have no dose. */
export interface MissingDoses {
  readonly moduleId: number;
  readonly count: number;
  readonly setup: NonNullable<FarmProbe['setup']>;
}

function missingDoses({ module, setup }: FarmProbe): MissingDoses[] {
  if (setup === null || setup.missingDoses.count === 0) return [];
  return [{ moduleId: module.id, count: setup.missingDoses.count, setup }];
}

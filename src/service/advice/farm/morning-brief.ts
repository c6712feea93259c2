import type { WateringAdvice } from '../../../domain/advice/advice.ts';
import { type FarmBrief, farmBrief, type MissingDoses } from '../../../domain/advice/farm/brief.ts';
import { groupByShared } from '../../../domain/advice/farm/brief-lists.ts';
import { parcelWithSetup } from '../../../domain/advice/farm/differing-probes.ts';
import type { FarmProbe } from '../../../domain/advice/farm/farm-probe.ts';
import {
  mostCommonMissingDoseReason,
  reasonByCount,
} from '../../../domain/advice/farm/missing-dose-reasons.ts';
import {
  type NeedlessWatering,
  needlessWaterings,
} from '../../../domain/advice/farm/needless-waterings.ts';
import { MINUTE_DECIMALS } from '../../../domain/advice/probe/water-amounts.ts';
import { reasonOf } from '../../../domain/advice/reason.ts';
import { roundTo } from '../../../domain/decimal.ts';
import type { DoubtfulTemperature, WaitingDevices } from '../../../domain/facts/farm-facts.ts';
import { firstOf } from '../../../domain/items.ts';
import { ParcelRain } from '../../../domain/weather/parcel-rain.ts';
import { withAirHumidity } from '../../../language/ingest/field-texts.ts';
import { moduleName, parcelName } from '../../../language/summary-context.ts';
import type { ComposedCall } from '../../../operation/call.ts';
import type { FactSource } from '../../../operation/fact-source.ts';
import type { BriefBody } from '../../../schema/advice/brief.ts';
import { toIso } from '../../../schema/wire-format.ts';
import { adviseOfEvapotranspiration, adviseOfForecastRain } from '../weather-advice.ts';
import {
  briefRows,
  type MissingDoseRow,
  missingDoseRows,
  type Names,
  rainRows,
} from './brief-rows.ts';
import {
  loadFarmPlan,
  loadFarmProbes,
  loadPlanOfParcels,
  loadRainOfLastDays,
} from './load-farm.ts';
import {
  adviseByBalance,
  drawByBalance,
  type NamedParcelAdvice,
  needsByBalance,
} from './parcel-needs.ts';

const RAIN_DAYS = 3;

export async function morningBrief(call: ComposedCall, facts: FactSource): Promise<BriefBody> {
  const modules = await facts.modules();
  const plan = await loadFarmPlan(call, facts);
  const planOfParcels = await loadPlanOfParcels(call, facts);
  const probes = await loadFarmProbes(call, facts, modules);
  const alerts = await facts.alerts();
  const gateways = await facts.gateways();
  const rain = await loadRainOfLastDays(call, facts, RAIN_DAYS);
  const byBalance = await adviseByBalance(call, facts);

  const brief = farmBrief({
    now: call.now,
    zone: call.zone,
    modules,
    probes,
    plan,
    planOfParcels,
    alerts,
    gateways,
    sources: await facts.waterSources(),
    drawsByBalance: byBalance.flatMap(drawByBalance),
  });
  const missingDoses = await reasonsOfMissingDoses(facts, brief.missingDoses.rows);
  const names: Names = new Map(modules.map(({ id, name }) => [id, name]));
  const parcelRain = new ParcelRain(rain);
  const needless = needlessWaterings({
    now: call.now,
    zone: call.zone,
    probes,
    upcoming: plan.upcoming,
    rain: parcelRain,
  });

  for (const advisory of await facts.notices()) call.advise(advisory);
  const waiting = await facts.waitingDevices(MAX_COUNTED_DEVICES);
  adviseOfUnassignedDevices(call, waiting);
  adviseOfUnreadMessages(call, waiting);
  adviseOfTemperatures(call, await facts.doubtfulTemperatures(), names);
  await adviseOfFractionsToEnter(call, probes);
  await adviseOfRipeCrops(call, probes, byBalance);
  for (const watering of needless) adviseOfNeedlessWatering(call, watering, names);
  const weather = await facts.weather();
  adviseOfEvapotranspiration(call, weather);
  adviseOfForecastRain(call, weather, parcelRain.on(null), false);

  return {
    time: toIso(call.now),
    modules: modules.length,
    byBalance: needsByBalance(byBalance, call.now),
    ...briefRows(brief, names, await namesOfParcels(call)),
    missingDoses: missingDoseRows(missingDoses, names),
    rain: rainRows(rain),
    leftOut: countsLeftOut(brief),
    leftOutMin: roundTo(brief.leftOutMin, MINUTE_DECIMALS),
    estimatedCapacities: brief.estimatedCapacities,
  };
}

const namesOfParcels = async ({ directory }: ComposedCall): Promise<Names> =>
  new Map((await directory.parcels()).map(({ id, name }) => [id, name]));

/** The newest of one probe. */
const DOSES_TO_EXPLAIN = 1_000;

async function reasonsOfMissingDoses(
  facts: FactSource,
  probes: readonly MissingDoses[],
): Promise<MissingDoseRow[]> {
  const rows: MissingDoseRow[] = [];
  for (const { moduleId, count, setup } of probes) {
    const newest = () => facts.wateringsWithoutDose(moduleId, Math.min(count, DOSES_TO_EXPLAIN));
    const missing =
      reasonByCount(setup.missingDoses) ?? mostCommonMissingDoseReason(setup, await newest());
    rows.push({ moduleId, count, missing });
  }
  return rows;
}

const countsLeftOut = (brief: FarmBrief): BriefBody['leftOut'] => ({
  needsWater: brief.needsWater.leftOut,
  checkFirst: brief.checkFirst.leftOut,
  unjudged: brief.unjudged.leftOut,
  restUnknown: brief.restUnknown.leftOut,
  alerts: brief.alerts.leftOut,
  silentModules: brief.silentModules.leftOut,
  silentGateways: brief.silentGateways.leftOut,
  toConfirm: brief.toConfirm.leftOut,
  missingDoses: brief.missingDoses.leftOut,
  schedule: brief.schedule.leftOut,
  assumed: brief.assumed.leftOut,
  ifItRuns: brief.ifItRuns.leftOut,
});

const MAX_NAMED_DEVICES = 3;
const MAX_NAMED_SENSORS = 3;
const MAX_READINGS_PER_DEVICE = 2;
/** More devices are not counted: on a shared broker anything can send. */
const MAX_COUNTED_DEVICES = 200;

function adviseOfUnassignedDevices(call: ComposedCall, { unassigned }: WaitingDevices): void {
  if (unassigned.length === 0) return;
  const devices = unassigned.slice(0, MAX_NAMED_DEVICES).map(({ name, newest }) => ({
    device: name,
    newest: withAirHumidity(newest)
      .slice(0, MAX_READINGS_PER_DEVICE)
      .map(({ type, value }) => ({ type, value })),
  }));
  call.advise({ kind: 'unassigned_devices', devices, others: unassigned.length - devices.length });
}

function adviseOfUnreadMessages(call: ComposedCall, { unread }: WaitingDevices): void {
  const [newest] = unread;
  if (newest !== undefined)
    call.advise({ kind: 'unread_messages', ...newest, others: unread.length - 1 });
}

function adviseOfTemperatures(
  call: ComposedCall,
  doubtful: readonly DoubtfulTemperature[],
  names: Names,
): void {
  const sensors = doubtful
    .slice(0, MAX_NAMED_SENSORS)
    .map(({ moduleId, ...reading }) => ({ probe: nameOf(moduleId, names), ...reading }));
  if (sensors.length > 0)
    call.advise({
      kind: 'doubtful_temperatures',
      sensors,
      others: doubtful.length - sensors.length,
    });
}

const MAX_NAMED_SETUPS = 3;

/** Each setup once, however many probes it waters. */
async function adviseOfFractionsToEnter(
  call: ComposedCall,
  probes: readonly FarmProbe[],
): Promise<void> {
  const unentered = probes.filter(({ setup }) => setup?.installation?.isFractionOfSpacing);
  const setups = groupByShared(unentered, parcelWithSetup).map(firstOf);
  if (setups.length === 0) return;
  call.advise({
    kind: 'fractions_to_enter',
    setups: await Promise.all(
      setups.slice(0, MAX_NAMED_SETUPS).map(async (probe) => {
        const parcelId = parcelWithSetup(probe);
        return {
          name:
            parcelId === null
              ? await moduleName(call.directory, probe.module.id)
              : await parcelName(call.directory, parcelId),
          fraction: probe.setup?.installation?.fractionWetted ?? 1,
        };
      }),
    ),
    others: Math.max(0, setups.length - MAX_NAMED_SETUPS),
  });
}

const MAX_NAMED_PARCELS = 5;

/** Each parcel once, however many probes it has. */
async function adviseOfRipeCrops(
  { advise, directory }: ComposedCall,
  probes: readonly FarmProbe[],
  byBalance: readonly NamedParcelAdvice[],
): Promise<void> {
  const measured = probes.flatMap(({ module: { parcelId }, advice }) =>
    parcelId !== null && advice !== null && isRipe(advice) ? parcelId : [],
  );
  const names = [
    ...(await Promise.all([...new Set(measured)].map((id) => parcelName(directory, id)))),
    ...byBalance.filter(isRipe).map(({ name }) => name),
  ];
  if (names.length === 0) return;
  advise({
    kind: 'ripe_crops',
    parcels: names.slice(0, MAX_NAMED_PARCELS),
    others: Math.max(0, names.length - MAX_NAMED_PARCELS),
  });
}

const isRipe = ({ reasons }: WateringAdvice): boolean => reasonOf(reasons, 'RIPE') !== undefined;

const nameOf = (moduleId: number, names: Names): string =>
  names.get(moduleId) ?? `module ${moduleId}`;

const adviseOfNeedlessWatering = (
  call: ComposedCall,
  { moduleIds, ...watering }: NeedlessWatering,
  names: Names,
): void =>
  call.advise({
    kind: 'needless_after_rain',
    ...watering,
    probes: moduleIds.map((id) => nameOf(id, names)),
  });

export function conciseBrief({
  leftOut,
  leftOutMin,
  rain,
  restUnknown,
  assumed,
  ifItRuns,
  turns,
  shortSources,
  byBalance,
  ...fields
}: BriefBody) {
  const needs = leftOut.needsWater === 0 ? fields : { ...fields, leftOutMin };
  const lists = Object.entries({ restUnknown, rain, assumed, ifItRuns, turns, shortSources });
  const listed = lists.filter(([, rows]) => rows != null && rows.length > 0);
  const balance = byBalance != null && byBalance.parcels.length > 0 ? { byBalance } : {};
  const brief = { ...needs, ...balance, ...Object.fromEntries(listed) };
  const counts = Object.entries(leftOut).filter(([, count]) => count > 0);
  return counts.length === 0 ? brief : { ...brief, leftOut: Object.fromEntries(counts) };
}

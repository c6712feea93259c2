import { earlierWateringPeriod } from '../../domain/advice/balance/balance-from-full.ts';
import {
  SPARKLINE_STEP_MS,
  type SparklineCurve,
  sparklinePeriod,
} from '../../domain/advice/farm/sparkline.ts';
import { assembleProbe } from '../../domain/advice/probe/probe-assembly.ts';
import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { DRYING_RATE_DAYS, type ProbeFacts } from '../../domain/facts/probe-facts.ts';
import { isLongSilent } from '../../domain/facts/probe-history.ts';
import { meanCurve } from '../../domain/facts/probe-series.ts';
import type { StateInputs } from '../../domain/facts/probe-state.ts';
import {
  type WateringFacts,
  wateringsOnValve,
  wateringsToShow,
  withThoseOfParcel,
} from '../../domain/facts/watering-facts.ts';
import { groupBy } from '../../domain/groups.ts';
import { entryOf, itemAt } from '../../domain/items.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import type { Call } from '../../operation/call.ts';
import { probesVersion } from '../../store/changes/change-counts.ts';
import { hasLocalDays } from '../../store/company/local-day-zone.ts';
import {
  type ModuleName,
  modulesInService,
  modulesOfParcels,
} from '../../store/company/modules.ts';
import { parcelWateringFacts } from '../../store/irrigation/parcel-waterings.ts';
import { type WateringPeriod, wateringFacts } from '../../store/irrigation/watering-facts.ts';
import { readingVersions } from '../../store/moisture/reading-versions.ts';
import { settingsVersionsOfModules } from '../../store/moisture/settings-versions.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import { meansOfSensors } from '../moisture/sensor-means.ts';
import { recentlyDone } from '../moisture/suspect-readings.ts';
import { equipmentOfModules } from '../moisture/wetted-fractions.ts';
import { largestEtc } from '../weather/largest-etc.ts';
import { type CachedFacts, factCache } from './fact-cache.ts';
import { loadMeasuredFacts, type MeasuredProbe, stateInputsOf } from './measured-facts.ts';
import { loadProbeParts, summarySourceOf, tensionSourceOf } from './probe-parts.ts';
import { loadSetups } from './setup-loading.ts';

type FactCall = Pick<Call, 'db' | 'now' | 'zone' | 'lang'>;

/**
 * Reads one query for each kind of row. Leaves out modules that are not in service. What follows from
 * readings is computed only where rows have changed since it was computed last.
 */
export async function loadProbeFacts(
  call: FactCall,
  moduleIds: readonly number[],
): Promise<ProbeFacts[]> {
  const { db, lang } = call;
  const modules = await modulesInService(db, moduleIds);
  if (modules.length === 0) return [];

  const settings = await settingsVersionsOfModules(db, modules);
  const setups = await loadSetups(call, modules, settings);
  const equipment = new Map(
    modules.map(({ id }, index) => {
      const { installation, versions } = itemAt(setups, index);
      return [id, { installation, versions }];
    }),
  );
  const waterings = await loadWaterings(call, modules, equipment);
  const measured = await measuredFacts(
    call,
    await describedProbes(call, modules, waterings, equipment),
  );
  const earlierWaterings = await loadEarlierWaterings(
    call,
    modules.filter((module, index) => isLongSilent({ module, ...itemAt(measured, index) }, call)),
  );

  return modules.map((module, index) => {
    const { sparkline: _, ...facts } = itemAt(measured, index);
    return assembleProbe(facts, {
      module: { ...module, name: moduleDisplayName(module, lang) },
      setup: itemAt(setups, index),
      ...waterings(module),
      earlierWaterings: earlierWaterings.get(module.id) ?? [],
    });
  });
}

/** Moisture, or the tension of a tensiometer. */
export async function loadSparklines(
  call: FactCall,
  moduleIds: readonly number[],
): Promise<ReadonlyMap<number, SparklineCurve>> {
  const { db, now } = call;
  const modules = await modulesInService(db, moduleIds);
  const equipment = await equipmentOfModules(call, modules);
  const waterings = await loadWaterings(call, modules, equipment);
  const measured = await measuredFacts(
    call,
    await describedProbes(call, modules, waterings, equipment),
  );
  const withCurve = modules.flatMap(({ id }, index) => {
    const curve = itemAt(measured, index).sparkline;
    return curve === null ? [] : [[id, curve] as const];
  });
  const curves = new Map(withCurve);
  const others = modules.filter(({ id }) => !curves.has(id));

  const sources = (await loadProbeParts(db, others)).map((parts) => ({
    id: parts.module.id,
    source: tensionSourceOf(parts, now) ?? summarySourceOf(parts, 'humidity', now),
  }));
  const sensors = sources.flatMap(({ source }) => source.sensors);
  const means = await meansOfSensors(db, sensors, sparklinePeriod(now), SPARKLINE_STEP_MS);
  for (const { id, source } of sources) {
    const values = source.sensors.map((sensor) => means(sensor.id));
    curves.set(id, { type: source.type, curve: meanCurve(source, values) });
  }
  return curves;
}

async function describedProbes(
  call: FactCall,
  modules: readonly ModuleName[],
  waterings: WateringsOfModule,
  equipment: EquipmentOfModules,
): Promise<DescribedProbe[]> {
  const largestEtcMm = await largestEtc(call);
  return modules.map((module) => ({
    module,
    equipment: entryOf(equipment, module.id),
    largestEtcMm,
    done: wateringsToShow(waterings(module), call.now),
  }));
}

/** By module id. */
type EquipmentOfModules = ReadonlyMap<number, MeasuredProbe['equipment']>;

type WateringsOfModule = (
  module: ModuleName,
) => Pick<ProbeFacts, 'waterings' | 'wateringsOnValve' | 'wateringsOfParcel'>;

interface DescribedProbe extends Omit<MeasuredProbe, 'parts'> {
  readonly module: ModuleName;
}

/** In the order of the probes. */
async function measuredFacts(
  call: FactCall,
  probes: readonly DescribedProbe[],
): Promise<CachedFacts[]> {
  const versionOf = await versionsOf(call, probes);
  const entryOfProbe = ({ module }: DescribedProbe) => `${companyIdOf(call.db)} ${module.id}`;
  const found = new Map<number, CachedFacts>();
  for (const probe of probes) {
    const version = versionOf(probe);
    const facts = version && factCache.get(entryOfProbe(probe), version, call.now);
    if (facts) found.set(probe.module.id, facts);
  }

  const missing = probes.filter(({ module }) => !found.has(module.id));
  const parts = await loadProbeParts(
    call.db,
    missing.map(({ module }) => module),
  );
  const loaded = await loadMeasuredFacts(
    call,
    missing.map(({ module: _, ...rest }, index) => ({ parts: itemAt(parts, index), ...rest })),
  );
  for (const [index, probe] of missing.entries()) {
    const dated = itemAt(loaded, index);
    found.set(probe.module.id, dated.facts);
    const version = versionOf(probe);
    if (version !== null) factCache.set(entryOfProbe(probe), version, dated);
  }

  return probes.map(({ module }) => entryOf(found, module.id));
}

/** Equal versions mean the same rows for the measured facts; null where that is unknown. */
async function versionsOf(
  { db, zone }: FactCall,
  probes: readonly DescribedProbe[],
): Promise<(probe: DescribedProbe) => string | null> {
  const described = await probesVersion(db);
  const daysAreLocal = await hasLocalDays(db, zone);
  const versions = await readingVersions(
    db,
    probes.map(({ module }) => module.id),
  );
  return ({ module, ...rest }) => {
    const readings = versions.get(module.id);
    return described === null || readings === undefined
      ? null
      : JSON.stringify([described, readings, zone, daysAreLocal, rest]);
  };
}

/** The inputs of the state of a probe; null for a module that is not in service. */
export async function loadStateInputs(
  call: Pick<FactCall, 'db' | 'now' | 'zone'>,
  moduleId: number,
): Promise<StateInputs | null> {
  const modules = await modulesInService(call.db, [moduleId]);
  const [parts] = await loadProbeParts(call.db, modules);
  if (parts === undefined) return null;

  return stateInputsOf(call, {
    parts,
    equipment: entryOf(await equipmentOfModules(call, modules), moduleId),
    largestEtcMm: await largestEtc(call),
    done: await recentlyDone(call, moduleId),
  });
}

/** By module id. */
async function loadEarlierWaterings(
  call: FactCall,
  modules: readonly ModuleName[],
): Promise<ReadonlyMap<number, readonly WateringFacts[]>> {
  const { db, now } = call;
  const ids = modules.map(({ id }) => id);
  const period = earlierWateringPeriod(now);
  const byModule = groupBy(await wateringFacts(db, ids, period, now), ({ moduleId }) => moduleId);
  const ofParcels = await loadThoseOfParcels(call, modules, period);
  return new Map(
    modules.map(({ id, parcelId }) => [
      id,
      withThoseOfParcel(byModule.get(id) ?? [], ofParcels(parcelId)),
    ]),
  );
}

/** By the parcel of a probe, the waterings that it got while it had no probe. */
async function loadThoseOfParcels(
  { db, now }: FactCall,
  modules: readonly ModuleName[],
  period: WateringPeriod,
): Promise<(parcelId: number | null) => readonly WateringFacts[]> {
  const parcelIds = [...new Set(modules.flatMap(({ parcelId }) => parcelId ?? []))];
  const found = groupBy(
    await parcelWateringFacts(db, parcelIds, period, now),
    ({ parcelId }) => parcelId,
  );
  return (parcelId) => (parcelId === null ? [] : (found.get(parcelId) ?? []));
}

/** The waterings of each probe, and for a tensiometer also those of its parcel. */
async function loadWaterings(
  call: FactCall,
  modules: readonly ModuleName[],
  equipment: EquipmentOfModules,
): Promise<WateringsOfModule> {
  const { db, now } = call;
  const period = { from: now - DRYING_RATE_DAYS * DAY_MS, to: now + FORESEEABLE_DAYS * DAY_MS };
  const parcelIds = modules.flatMap(({ category, parcelId }) =>
    category === 'TENSIOMETER' ? (parcelId ?? []) : [],
  );
  const parcelOf = new Map<number, number>();
  for (const { id, parcelId } of await modulesOfParcels(db, [...new Set(parcelIds)]))
    parcelOf.set(id, parcelId);

  const ids = new Set([...modules.map(({ id }) => id), ...parcelOf.keys()]);
  const found = await wateringFacts(db, [...ids], period, now);
  const byModule = groupBy(found, ({ moduleId }) => moduleId);
  const byParcel = groupBy(found, ({ moduleId }) => parcelOf.get(moduleId));
  const ofParcels = await loadThoseOfParcels(call, modules, period);

  return ({ id, category, parcelId }) => {
    const beforeProbe = ofParcels(parcelId);
    const waterings = withThoseOfParcel(byModule.get(id) ?? [], beforeProbe);
    if (category !== 'TENSIOMETER')
      return { waterings, wateringsOnValve: waterings, wateringsOfParcel: [] };
    const ofParcel =
      parcelId === null ? waterings : withThoseOfParcel(byParcel.get(parcelId) ?? [], beforeProbe);
    const { installation } = entryOf(equipment, id);
    return {
      waterings,
      wateringsOnValve: wateringsOnValve(ofParcel, id, installation),
      wateringsOfParcel: ofParcel,
    };
  };
}

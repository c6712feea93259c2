import { dryingRateOf } from '../../domain/advice/drying-rate.ts';
import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { DRYING_RATE_DAYS, type ProbeFacts } from '../../domain/facts/probe-facts.ts';
import { seriesOfSource, summaryCurve } from '../../domain/facts/probe-series.ts';
import { probeState, type StateInputs } from '../../domain/facts/probe-state.ts';
import { doneRuns, onceEach, type WateringFacts } from '../../domain/facts/watering-facts.ts';
import { groupBy } from '../../domain/groups.ts';
import { itemAt } from '../../domain/items.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import type { Call } from '../../operation/call.ts';
import { modulesOfParcels } from '../../store/company/modules.ts';
import { wateringFacts } from '../../store/irrigation/watering-facts.ts';
import { readingsOfSensors } from '../../store/moisture/sensor-columns.ts';
import { missingReadingsShare, weightedSensorIds } from '../moisture/summary-series.ts';
import { JUDGED_READINGS, suspectAmong } from '../moisture/suspect-readings.ts';
import {
  loadProbeParts,
  type ProbeParts,
  sourceOf,
  tensionSourceOf,
  thresholdParts,
} from './probe-parts.ts';
import { ProbeReadings } from './probe-readings.ts';
import { type MeansOfSensor, meansOfSensors } from './sensor-means.ts';
import { loadSetups } from './setup-loading.ts';

type FactCall = Pick<Call, 'db' | 'now' | 'zone' | 'lang'>;

/** What is declared of a probe, and the sensors from which its facts come. */
interface ProbeSources {
  readonly parts: ProbeParts;
  readonly source: SummarySource;
  /** Of a tensiometer, whose tension is judged, even if it measures moisture too. */
  readonly tension: SummarySource | null;
  /** Its moisture is judged. */
  readonly hasSoilMoisture: boolean;
}

function toSources(parts: ProbeParts, now: number): ProbeSources {
  const source = sourceOf(parts, 'humidity', now);
  const tension = tensionSourceOf(parts, now);
  const hasSoilMoisture = tension === null && isSoilMoisture(source, parts.module);
  return { parts, source, tension, hasSoilMoisture };
}

/** Reads one query for each kind of row. Leaves out modules that are not in service. */
export async function loadProbeFacts(
  call: FactCall,
  moduleIds: readonly number[],
): Promise<ProbeFacts[]> {
  const { db, now } = call;
  const probes = (await loadProbeParts(db, moduleIds)).map((parts) => toSources(parts, now));
  const readings = await loadReadings(call, probes);

  const withSoil = probes.filter(({ hasSoilMoisture }) => hasSoilMoisture);
  const soilSensors = withSoil.flatMap(({ source }) => source.sensors.map(({ id }) => id));
  const curveSensors = withSoil.flatMap(({ source }) => weightedSensorIds(source));
  const recent = await readings.recent(soilSensors);
  const hours = await meansOfSensors(
    db,
    curveSensors,
    { start: now - DRYING_RATE_DAYS * DAY_MS, end: now },
    HOUR_MS,
  );
  const countInWeek = await weekCounts(call, curveSensors, hours);
  const setups = await loadSetups(
    call,
    probes.map(({ parts }) => parts),
  );
  const waterings = await loadWaterings(call, probes);

  const facts: ProbeFacts[] = [];
  for (const [index, probe] of probes.entries()) {
    const { parts, source, hasSoilMoisture } = probe;
    const { module } = parts;
    const ofProbe = waterings(probe);
    const newestAt = readings.newestAt(source);
    facts.push({
      module: { ...module, name: moduleDisplayName(module, call.lang) },
      freshness: { newestAt, isFresh: newestAt !== null && readingAge(newestAt, now).isFresh },
      recent: seriesOfSource(
        source,
        source.sensors.map(({ id }) => recent(id)),
        now + 1,
      ),
      missingShare: hasSoilMoisture ? missingShareOf(source, readings, countInWeek, now) : 0,
      dryingRate: hasSoilMoisture
        ? dryingRateOf(
            summaryCurve(
              source,
              source.sensors.map(({ id }) => hours(id)),
            ),
            doneRuns(ofProbe.waterings, now),
            call.zone,
          )
        : null,
      state: probeState(await stateInputs(call, probe, readings), now),
      setup: itemAt(setups, index),
      ...ofProbe,
    });
  }
  return facts;
}

function loadReadings({ db, now }: Pick<FactCall, 'db' | 'now'>, probes: readonly ProbeSources[]) {
  const sensors = probes.flatMap(({ source, tension }) => [
    ...source.sensors,
    ...(tension === null || tension.type === source.type ? [] : tension.sensors),
  ]);
  return ProbeReadings.load(
    db,
    sensors.map(({ id }) => id),
    now,
  );
}

const WEEK_MS = 7 * DAY_MS;

/** How many readings each sensor has in the last week. `hours` reach back further. */
async function weekCounts(
  { db, now }: FactCall,
  sensorIds: readonly number[],
  hours: MeansOfSensor,
): Promise<(sensorId: number) => number> {
  const start = now - WEEK_MS;
  const firstHour = Math.ceil(start / HOUR_MS) * HOUR_MS;
  const before = await readingsOfSensors(db, sensorIds, { start, end: firstHour });

  return (sensorId) => {
    const { at, counts } = hours(sensorId);
    let count = before.get(sensorId)?.at.length ?? 0;
    for (let row = at.length - 1; row >= 0 && itemAt(at, row) >= firstHour; row--)
      count += itemAt(counts, row);
    return count;
  };
}

const missingShareOf = (
  source: SummarySource,
  readings: ProbeReadings,
  countInWeek: (sensorId: number) => number,
  now: number,
): number =>
  missingReadingsShare(
    { start: now - WEEK_MS, end: now },
    now,
    weightedSensorIds(source).map((id) => ({
      count: countInWeek(id),
      intervalMs: readings.usualIntervalMs(id),
    })),
  );

async function stateInputs(
  { db, now }: Pick<FactCall, 'db' | 'now'>,
  { parts, source, tension, hasSoilMoisture }: ProbeSources,
  readings: ProbeReadings,
): Promise<StateInputs> {
  const curveNow = async (of: SummarySource) => ({
    source: of,
    cycle: await readings.newestCycle(of),
  });
  const lastValues = source.sensors.map(({ id }) => readings.lastPoints(id, JUDGED_READINGS));
  return {
    moisture: hasSoilMoisture ? await curveNow(source) : null,
    tension: tension && (await curveNow(tension)),
    ...thresholdParts(parts, now),
    doubts: hasSoilMoisture ? await suspectAmong(db, source, lastValues, now) : [],
  };
}

/** What the state of a probe is judged by; null for a module that is not in service. */
export async function loadStateInputs(
  call: Pick<FactCall, 'db' | 'now'>,
  moduleId: number,
): Promise<StateInputs | null> {
  const [parts] = await loadProbeParts(call.db, [moduleId]);
  if (parts === undefined) return null;
  const probe = toSources(parts, call.now);
  return stateInputs(call, probe, await loadReadings(call, [probe]));
}

/** Those of each probe, and for a tension those of its whole parcel. */
async function loadWaterings(
  { db, now }: FactCall,
  probes: readonly ProbeSources[],
): Promise<(probe: ProbeSources) => Pick<ProbeFacts, 'waterings' | 'wateringsOfParcel'>> {
  const period = { from: now - DRYING_RATE_DAYS * DAY_MS, to: now + FORESEEABLE_DAYS * DAY_MS };
  const parcelIds = probes.flatMap(({ tension, parts: { module } }) =>
    tension === null ? [] : (module.parcelId ?? []),
  );
  const parcelOf = new Map<number, number>();
  for (const { id, parcelId } of await modulesOfParcels(db, [...new Set(parcelIds)]))
    parcelOf.set(id, parcelId);

  const ids = new Set([...probes.map(({ parts }) => parts.module.id), ...parcelOf.keys()]);
  const found = await wateringFacts(db, [...ids], period);
  const byModule = groupBy(found, ({ moduleId }) => moduleId);
  const byParcel = groupBy(found, ({ moduleId }) => parcelOf.get(moduleId));

  return ({ tension, parts: { module } }) => {
    const waterings: readonly WateringFacts[] = byModule.get(module.id) ?? [];
    if (tension === null) return { waterings, wateringsOfParcel: [] };
    const ofParcel = module.parcelId === null ? waterings : (byParcel.get(module.parcelId) ?? []);
    return { waterings, wateringsOfParcel: onceEach(ofParcel, module.id) };
  };
}

import { evidencePeriod, wateringEvidence } from '../../domain/advice/witness/watering-evidence.ts';
import {
  CONFIRMED_WITNESS,
  irrigationKey,
  irrigationWitnesses,
  MAX_ASKED_DAYS,
  MAX_ASKED_WATERINGS,
  ownWitnesses,
  type Witness,
  type WitnessedWatering,
} from '../../domain/advice/witness/witness.ts';
import type { ModuleFacts } from '../../domain/facts/probe-facts.ts';
import { type ProbeWateringFacts, runPeriod } from '../../domain/facts/watering-facts.ts';
import { groupBy } from '../../domain/groups.ts';
import { bucketStart, DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { ParcelRain } from '../../domain/weather/parcel-rain.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { WateringTarget } from '../../store/irrigation/watering-target.ts';

type WitnessSource = Pick<FactSource, 'modules' | 'waterings' | 'waterHours' | 'rain'>;

/** How many other probes of a parcel are asked what the own probe did not show. */
const MAX_OTHER_PROBES = 8;
/** Waterings further apart than this never act on the soil as one. */
const AROUND_MS = 3 * DAY_MS;

const UNCONFIRMED: Witness = { kind: 'unconfirmed', reason: null };

/** The keys are ids. Readings are read only around the waterings that nobody confirmed. */
export async function loadWitnesses(
  facts: WitnessSource,
  waterings: readonly WitnessedWatering[],
  now: number,
): Promise<Map<number, Witness>> {
  const asked = newestUnconfirmed(waterings);
  const found = asked.length === 0 ? new Map() : await askProbes(facts, asked, now);
  return new Map(
    waterings.map(({ id, isConfirmed }) => [
      id,
      isConfirmed ? CONFIRMED_WITNESS : (found.get(id) ?? UNCONFIRMED),
    ]),
  );
}

function newestUnconfirmed(waterings: readonly WitnessedWatering[]): WitnessedWatering[] {
  const newestFirst = waterings
    .filter(({ isConfirmed }) => !isConfirmed)
    .sort((a, b) => b.startedAt - a.startedAt)
    .slice(0, MAX_ASKED_WATERINGS);
  const since = (newestFirst[0]?.startedAt ?? 0) - MAX_ASKED_DAYS * DAY_MS;
  return newestFirst.filter(({ startedAt }) => startedAt >= since);
}

async function askProbes(
  facts: WitnessSource,
  asked: readonly WitnessedWatering[],
  now: number,
): Promise<Map<number, Witness>> {
  const starts = asked.map(({ startedAt }) => startedAt);
  const lastAt = Math.max(...starts);
  const period = {
    start: Math.min(...starts) - AROUND_MS,
    end: Math.max(lastAt, Math.min(lastAt + AROUND_MS, now)) + 1,
  };
  const modules = new Map((await facts.modules()).map((module) => [module.id, module]));
  const around = await doneAround(facts, asked, modules, period);
  const rain = new ParcelRain(
    await facts.rain({ from: period.start - DAY_MS, to: Math.min(period.end, now) + 1 }),
  );

  const doneOf = groupBy(around, ({ moduleId }) => moduleId);
  const own = new Map<number, Witness>();
  const ask = async (
    moduleIds: readonly number[],
    waterings: readonly WitnessedWatering[],
  ): Promise<void> => {
    const ids = new Set(waterings.map(({ id }) => id));
    const hours = await facts.waterHours(hoursToRead(doneOf, moduleIds, now));
    for (const moduleId of moduleIds) {
      const done = doneOf.get(moduleId) ?? [];
      const ofProbe = hours.get(moduleId);
      const context = {
        evidence: ofProbe ? wateringEvidence(ofProbe, done, ids) : null,
        rain: rain.on(modules.get(moduleId)?.parcelId ?? null),
        now,
      };
      for (const [id, witness] of ownWitnesses(done, context))
        if (ids.has(id)) own.set(id, witness);
    }
  };

  await ask([...new Set(asked.map(({ moduleId }) => moduleId))], asked);
  const unseen = asked.filter(({ id }) => own.get(id)?.kind === 'assumed');
  const others = sameIrrigation(around, unseen).filter(({ id }) => !own.has(id));
  for (const { id, isConfirmed } of others) if (isConfirmed) own.set(id, CONFIRMED_WITNESS);
  const remaining = others.filter(({ id }) => !own.has(id));
  const otherIds = [...new Set(remaining.map(({ moduleId }) => moduleId))];
  if (otherIds.length > 0) await ask(otherIds.slice(0, MAX_OTHER_PROBES), remaining);

  return irrigationWitnesses(around, own);
}

/** The waterings that were done, oldest start first. */
async function doneAround(
  facts: WitnessSource,
  asked: readonly WitnessedWatering[],
  modules: ReadonlyMap<number, ModuleFacts>,
  { start, end }: Period,
): Promise<readonly ProbeWateringFacts[]> {
  const targets = new Map<string, WateringTarget>();
  for (const { moduleId } of asked) {
    const parcelId = modules.get(moduleId)?.parcelId ?? null;
    const target = parcelId === null ? { moduleId } : { parcelId };
    targets.set(JSON.stringify(target), target);
  }
  return facts.waterings({
    targets: [...targets.values()],
    from: start,
    to: end,
    status: 'done',
  });
}

/** By module id, whole hours around the waterings that nobody confirmed. */
function hoursToRead(
  doneOf: ReadonlyMap<number, readonly ProbeWateringFacts[]>,
  moduleIds: readonly number[],
  now: number,
): Map<number, Period> {
  const periods = new Map<number, Period>();
  for (const moduleId of moduleIds) {
    const unconfirmed = doneOf.get(moduleId)?.filter(({ isConfirmed }) => !isConfirmed) ?? [];
    if (unconfirmed.length === 0) continue;
    const runs = unconfirmed.map(runPeriod);
    const { start, end } = evidencePeriod({
      start: Math.min(...runs.map((run) => run.start)),
      end: Math.max(...runs.map((run) => run.end)),
    });
    periods.set(moduleId, {
      start: bucketStart(start, HOUR_MS),
      end: Math.min(bucketStart(end, HOUR_MS) + HOUR_MS, now),
    });
  }
  return periods;
}

function sameIrrigation(
  around: readonly ProbeWateringFacts[],
  unseen: readonly WitnessedWatering[],
): readonly ProbeWateringFacts[] {
  const keys = new Set(unseen.flatMap((each) => irrigationKey(each) ?? []));
  return around.filter((each) => keys.has(irrigationKey(each) ?? ''));
}

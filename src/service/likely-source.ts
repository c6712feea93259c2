import { leastRise, risesIn } from '../domain/rises.ts';
import type { UnloggedRise } from '../domain/unlogged-rises.ts';
import type { Call } from '../operation/call.ts';
import type { Likely } from '../schema/advice.ts';
import type { ModuleBody } from '../schema/place.ts';
import type { MoistureSeriesBody } from '../schema/series.ts';
import { everyWatering, runOf } from './every-watering.ts';
import { inService } from './in-service.ts';
import { depthsOf } from './probe-depths.ts';
import { isoOf } from './wire.ts';

/** Probes elsewhere that are asked: enough for a hint. */
const MOST_ELSEWHERE = 4;
/** As many of them must have stayed dry for a rise to be no rain. */
const FEWEST_DRY = 2;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rain reaches all probes of a company within this time. */
const TOGETHER_MS = 6 * HOUR_MS;
const HOUR_S = 3600;

/** A probe of another parcel: when its moisture is known, and when it rose without having been watered. */
interface Elsewhere {
  readonly knownAt: readonly number[];
  readonly rainAt: readonly number[];
}

/**
 * Whether rises were rain, as far as the probes of other parcels tell: rain falls on all of them, a watering on one
 * parcel. There is no rain gauge, so this is a hint; unknown without enough probes elsewhere.
 */
export async function likelySources(call: Call, module: ModuleBody, rises: readonly UnloggedRise[]): Promise<Likely[]> {
  if (rises.length === 0) return [];
  const from = Math.min(...rises.map(({ start }) => start)) - 3 * DAY_MS;
  const to = Math.max(...rises.map(({ start }) => start)) + DAY_MS;
  const elsewhere: Elsewhere[] = [];
  for (const id of await probesElsewhere(call, module)) {
    const seen = await elsewhereAt(call, id, from, Math.min(to, call.now));
    if (seen !== null) elsewhere.push(seen);
  }
  return rises.map(({ start }) => likelyAt(start, elsewhere));
}

const isNear = (at: number, start: number): boolean => Math.abs(at - start) <= TOGETHER_MS;

function likelyAt(start: number, elsewhere: readonly Elsewhere[]): Likely {
  const known = elsewhere.filter(({ knownAt }) => knownAt.some((at) => isNear(at, start)));
  const wet = known.filter(({ rainAt }) => rainAt.some((at) => isNear(at, start))).length;
  if (wet > 0 && wet >= known.length / 2) return 'rain';
  return wet === 0 && known.length >= FEWEST_DRY ? 'watering' : 'unknown';
}

async function probesElsewhere(call: Call, { id, parcelId }: ModuleBody): Promise<number[]> {
  const asked = { category: 'SOIL_PROBE', limit: 200, detail: 'concise' };
  const { data } = (await call.perform('list_modules', asked)) as { data: ModuleBody[] };
  return data
    .filter((other) => other.id !== id && (other.parcelId === null || other.parcelId !== parcelId))
    .slice(0, MOST_ELSEWHERE)
    .map((other) => other.id);
}

async function elsewhereAt(call: Call, moduleId: number, from: number, to: number): Promise<Elsewhere | null> {
  const asked = { moduleId, start: isoOf(from), end: isoOf(to), interval: HOUR_S, depths: true };
  const series = (await inService(() => call.perform('get_moisture_series', asked))) as MoistureSeriesBody | null;
  const points = series?.type === 'humidity' ? (depthsOf(series)[0]?.points ?? []) : [];
  if (points.length === 0) return null;
  const runs = (await everyWatering(call, moduleId, { from: from - DAY_MS, to, status: 'done' })).map(runOf);
  const isWatered = (at: number): boolean => runs.some(({ start, end }) => start <= at && at <= end + TOGETHER_MS);
  return {
    knownAt: points.map(({ at }) => at),
    rainAt: risesIn(points, leastRise(points)).flatMap(({ startAt }) => (isWatered(startAt) ? [] : [startAt])),
  };
}

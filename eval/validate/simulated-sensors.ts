import { seededRandom } from '../../demo/farm/random.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/periods.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import type { ReviewBody } from '../../src/schema/advice/review.ts';
import { type Reading, type ValidationFarm, withFarm } from './farm.ts';

const DEPTHS_CM = [10, 30, 50];
const DAYS = 14;
const CADENCE_MS = 15 * MINUTE_MS;
const STARTS_AT = Date.UTC(2026, 5, 1);
const ENDS_AT = STARTS_AT + DAYS * DAY_MS;

/** Steps in which a sensor reports, in points; 0.01 is a fine sensor. */
export const STEPS_POINTS = [0.01, 0.1, 0.5, 1];
export const SOILS = 20;

export interface SimulatedSoil {
  readonly seed: number;
  /** The value that the deepest sensor repeats from here on. */
  readonly stuckAt?: number;
  /** Water that reaches each depth, later the deeper it is. */
  readonly wateredAt?: number;
  /**
   * Watered every three days, so that the two upper depths swing by points; the deepest one is not
   * reached and rests.
   */
  readonly isIrrigated?: boolean;
}

/**
 * Points that a watering adds at the uppermost sensor; half at the next, a quarter at the deepest.
 */
const WATERING_POINTS = 4;
const SEEPAGE_MS = 3 * HOUR_MS;
const IRRIGATED_EVERY_MS = 3 * DAY_MS;
/** Of a depth that no water reaches. */
const CALM_POINTS_PER_DAY = 0.02;

/**
 * A soil that dries, faster near the surface, with the daily swing that soil temperature leaves in
 * capacitive sensors, and noise, read in steps. In % of volume.
 */
export function simulateReadings(
  module: string,
  soil: SimulatedSoil,
  stepPoints: number,
): Reading[] {
  const random = seededRandom(soil.seed);
  const driest = 8 + 6 * random.uniform();
  const wettest = driest + 12 + 8 * random.uniform();
  const swing = 0.1 + 0.3 * random.uniform();
  const noise = 0.02 + 0.06 * random.uniform();
  return DEPTHS_CM.flatMap((depthCm, place) => {
    const dryingMs = (6 + 8 * random.uniform()) * (1 + place) * DAY_MS;
    const isDeepest = place === DEPTHS_CM.length - 1;
    const isStuck = soil.stuckAt !== undefined && isDeepest;
    const isCalm = soil.isIrrigated === true && isDeepest;
    const risesAt = isCalm ? [] : wateringsOf(soil).map((at) => at + place * SEEPAGE_MS);
    let last = Number.NaN;
    return Array.from({ length: (DAYS * DAY_MS) / CADENCE_MS }, (_, index) => {
      const at = STARTS_AT + index * CADENCE_MS;
      const elapsedMs = at - STARTS_AT;
      const dry = isCalm
        ? (driest + wettest) / 2 - CALM_POINTS_PER_DAY * (elapsedMs / DAY_MS)
        : driest + (wettest - driest) * Math.exp(-elapsedMs / dryingMs);
      const added = risesAt
        .filter((riseAt) => riseAt <= at)
        .reduce((sum, riseAt) => sum + Math.exp(-(at - riseAt) / dryingMs), 0);
      // Heat reaches deeper sensors weaker and later.
      const daily =
        (swing / 2 ** place) * Math.sin(2 * Math.PI * (at / DAY_MS - 0.4 - 0.1 * place));
      const exact = dry + (WATERING_POINTS / 2 ** place) * added + daily + noise * random.normal();
      if (!isStuck || at < soil.stuckAt! || Number.isNaN(last))
        last = Math.round(exact / stepPoints) * stepPoints;
      return { module, depthCm, at, value: last };
    });
  });
}

function wateringsOf({ wateredAt, isIrrigated }: SimulatedSoil): readonly number[] {
  if (wateredAt !== undefined) return [wateredAt];
  if (isIrrigated !== true) return [];
  const count = Math.ceil((ENDS_AT - STARTS_AT) / IRRIGATED_EVERY_MS);
  return Array.from({ length: count }, (_, index) => STARTS_AT + index * IRRIGATED_EVERY_MS);
}

/** Healthy sensors with fine and coarse steps: the soil dries, was watered once, or is irrigated. */
export const healthyProbes = (): { readonly name: string; readonly readings: Reading[] }[] =>
  [0.1, 1].flatMap((stepPoints) =>
    HEALTHY_PLANS.flatMap(({ water, ...plan }) =>
      seeds.map((seed) => {
        const name = `Soil ${seed}, ${water}, steps of ${stepPoints}`;
        return { name, readings: simulateReadings(name, { ...plan, seed }, stepPoints) };
      }),
    ),
  );

/** At the end of each week. */
export const SIMULATED_WEEKS = [ENDS_AT - 7 * DAY_MS, ENDS_AT];

export interface RiseFigures {
  readonly stepPoints: number;
  readonly falseRises: number;
  readonly foundWaterings: number;
}

export interface StuckFigures {
  readonly stepPoints: number;
  readonly stuckDays: number;
  readonly reported: number;
  readonly falselyReported: number;
}

const WATERED_AT = STARTS_AT + 8 * DAY_MS;
const HEALTHY_PLANS = [
  { water: 'dry' },
  { water: 'watered', wateredAt: WATERED_AT },
  { water: 'irrigated', isIrrigated: true },
];
export const STUCK_DAYS = [1, 3, 6];

const seeds = Array.from({ length: SOILS }, (_, index) => index + 1);

export async function findSimulatedRises(): Promise<RiseFigures[]> {
  const figures: RiseFigures[] = [];
  for (const stepPoints of STEPS_POINTS) {
    const rises = (soil: Omit<SimulatedSoil, 'seed'>) =>
      askEach(
        seeds.map((seed) => ({ ...soil, seed })),
        stepPoints,
        async (farm, module) => {
          const { unlogged } = await farm.ask<ReviewBody>('review_waterings', {
            module,
            limit: 200,
          });
          return unlogged.map(({ start }) => Date.parse(start));
        },
      );
    const dry = await rises({});
    const watered = await rises({ wateredAt: WATERED_AT });
    const isWatering = (at: number): boolean => Math.abs(at - WATERED_AT) <= SEEPAGE_MS;
    figures.push({
      stepPoints,
      falseRises: [...dry.flat(), ...watered.flat().filter((at) => !isWatering(at))].length,
      foundWaterings: watered.filter((found) => found.some(isWatering)).length,
    });
  }
  return figures;
}

export async function findStuckSensors(): Promise<StuckFigures[]> {
  const figures: StuckFigures[] = [];
  for (const stepPoints of STEPS_POINTS) {
    const reported = async (soil: Omit<SimulatedSoil, 'seed'>) => {
      const answers = await askEach(
        seeds.map((seed) => ({ ...soil, seed })),
        stepPoints,
        async (farm, module) => {
          const { reasons } = await farm.ask<AdviceBody>('advise_watering', { module });
          return (reasons as readonly string[]).includes('SENSOR_STUCK');
        },
      );
      return answers.filter(Boolean).length;
    };
    const falselyReported = await reported({});
    for (const stuckDays of STUCK_DAYS)
      figures.push({
        stepPoints,
        stuckDays,
        reported: await reported({ stuckAt: ENDS_AT - stuckDays * DAY_MS }),
        falselyReported,
      });
  }
  return figures;
}

async function askEach<T>(
  soils: readonly SimulatedSoil[],
  stepPoints: number,
  ask: (farm: ValidationFarm, module: string) => Promise<T>,
): Promise<T[]> {
  const nameOf = ({ seed }: SimulatedSoil): string => `Soil ${seed}`;
  const modules = soils.map((soil) => simulatedModule(nameOf(soil)));
  return withFarm({ modules }, STARTS_AT, async (farm) => {
    farm.now = ENDS_AT;
    const answers: T[] = [];
    for (const soil of soils) {
      await farm.record(simulateReadings(nameOf(soil), soil, stepPoints));
      answers.push(await ask(farm, nameOf(soil)));
    }
    return answers;
  });
}

export const simulatedModule = (name: string) => ({
  uid: name,
  name,
  category: 'SOIL_PROBE' as const,
  sensors: DEPTHS_CM.map((depth) => ({ type: 'humidity' as const, depth })),
  settings: { rootDepthCm: 60 },
});

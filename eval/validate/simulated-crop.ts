import { seededRandom } from '../../demo/farm/random.ts';
import { cropTables } from '../../src/domain/balance/crop-tables.ts';
import { runBalance, stateAtStart } from '../../src/domain/balance/run-balance.ts';
import { surfaceOfSoil } from '../../src/domain/balance/soil-evaporation.ts';
import { sunShare } from '../../src/domain/facts/drying-rate.ts';
import { rootUptakeShare } from '../../src/domain/moisture/summary-curve.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import { CROP_DEPLETIONS } from '../../src/domain/soil/allowed-depletion.ts';
import { slicesOf, thicknessMm } from '../../src/domain/soil/slices.ts';
import { SOIL_HORIZONS } from '../../src/domain/soil/soil-catalog.ts';
import { enterWater, instantOf, ZONE } from './balance-by-tools.ts';
import type { CottonTrial } from './cotton-trial.ts';
import { type FarmFields, type Reading, type ValidationFarm, withFarm } from './farm.ts';
import type { Treatment, Trial } from './trials.ts';

/*
 * No data here have continuous readings beside weather and a crop, so a farm is simulated: the
 * weather of the cotton trial, and soil that loses what FAO-56 says times what the tables are wrong
 * by. It shows how the rules take such an error and noise, not how far a real field is from FAO-56.
 */

const DEPTHS_CM = [10, 30, 50];
const ROOTS_CM = 60;
const STEP_MS = 3 * HOUR_MS;
const USDA_CLASS = 'Sandy loam';
const SOIL = SOIL_HORIZONS.find(({ usdaClass }) => usdaClass === USDA_CLASS)!;
const SLICES = slicesOf(DEPTHS_CM, ROOTS_CM).map((slice) => ({
  ...slice!,
  uptake: rootUptakeShare(slice!, ROOTS_CM),
}));
const LAYERS = SLICES.map((slice) => ({ ...slice, ...SOIL }));

/** Water use over that of the tables, days between waterings, and noise in points. */
const FIELDS = [0.6, 0.7, 0.8, 0.9, 1, 1, 1.1, 1.2].flatMap((factor, place) =>
  [7, 14].map((everyDays, turn) => ({
    name: `Uses ${factor}, each ${everyDays} days, ${place}`,
    factor,
    everyDays,
    noise: 0.05 + 0.05 * ((place + turn) % 4),
    seed: 10 * place + turn,
  })),
);
type Field = (typeof FIELDS)[number];

/** The most that the fields use. */
const WATERING_MM_PER_DAY = 6;
const FIRST_WATERING_DAY = 5;

function treatmentOf({ name, everyDays }: Field, { weather }: Trial): Treatment {
  const days = weather.filter((_, index) => index % everyDays === FIRST_WATERING_DAY);
  return {
    name,
    rootDepthCm: ROOTS_CM,
    soil: [{ bottomCm: ROOTS_CM, ...SOIL }],
    profiles: [],
    irrigation: new Map(days.map(({ day }) => [day, everyDays * WATERING_MM_PER_DAY])),
    yieldTPerHa: null,
  };
}

/** mm that the field loses on each day of the weather. */
function lossesOf(
  { factor }: Field,
  { irrigation }: Treatment,
  { weather, plantedOn }: CottonTrial,
): number[] {
  const { basal, lengths, heightM } = cropTables('cotton');
  const age = (weather[0]!.day - plantedOn) / DAY_MS;
  const subject = {
    crop: {
      basis: 'dual' as const,
      coefficients: basal!,
      height: { initial: heightM, max: heightM },
      rootsCm: { initial: ROOTS_CM, max: ROOTS_CM },
      allowedDepletion: CROP_DEPLETIONS.cotton,
    },
    clock: { lengths: lengths!, dayOf: (index: number) => age + index },
    layers: LAYERS,
    options: {
      surface: surfaceOfSoil(SOIL),
      reference: 'grass' as const,
      adjustsDepletion: true,
      zoneFraction: 1,
      limitsEvaporation: true,
    },
  };
  const days = weather.map(({ day, rainMm, et0Mm }) => ({
    et0Mm: factor * et0Mm,
    rainMm,
    irrigationMm: irrigation.get(day) ?? 0,
    wettedFraction: 1,
    windMs: null,
    humidityMin: null,
  }));
  const start = stateAtStart(subject, { rootZoneMm: 0, belowMm: null });
  return runBalance(subject, start, days).map(
    ({ evaporationMm, transpirationMm }) => evaporationMm + transpirationMm,
  );
}

/** Water fills the soil from above, and roots take it by their share of each slice. */
function readingsOf(field: Field, treatment: Treatment, trial: CottonTrial): Reading[] {
  const random = seededRandom(field.seed);
  const lacksMm = SLICES.map(() => 0);
  const fill = (mm: number): void => {
    let left = mm;
    for (const [index, lack] of lacksMm.entries()) {
      lacksMm[index] = Math.max(0, lack - left);
      left = Math.max(0, left - lack);
    }
  };
  const losses = lossesOf(field, treatment, trial);
  return trial.weather.flatMap(({ day, rainMm }, dayIndex) =>
    Array.from({ length: DAY_MS / STEP_MS }, (_, step) => {
      const from = instantOf(day, step * STEP_MS);
      const at = from + STEP_MS;
      const isMorning = step === (6 * HOUR_MS) / STEP_MS;
      if (isMorning) fill(rainMm + (treatment.irrigation.get(day) ?? 0));
      const lossMm = losses[dayIndex]! * sunShare(from, at, ZONE);
      return SLICES.map((slice, index) => {
        lacksMm[index] = lacksMm[index]! + lossMm * slice.uptake;
        const points = 100 * (SOIL.fieldCapacity - lacksMm[index]! / thicknessMm(slice));
        return {
          module: field.name,
          depthCm: DEPTHS_CM[index]!,
          at,
          value: Math.max(SOIL.wiltingPoint * 100, points) + field.noise * random.normal(),
        };
      });
    }).flat(),
  );
}

const farmFields = ({ latitude, plantedOn }: Trial): FarmFields => ({
  parcels: FIELDS.map(({ name }) => ({
    name,
    type: 'cotton',
    season: { plantedOn: new Date(plantedOn).toISOString().slice(0, 10) },
    soilProfile: [{ usdaClass: USDA_CLASS, depthTopCm: 0, depthBottomCm: 100 }],
    installation: {
      system: 'sprinkler',
      flowMmPerH: 10,
      fractionWetted: 1,
      effectiveFrom: new Date(plantedOn).toISOString(),
    },
  })),
  modules: FIELDS.map(({ name }) => ({
    uid: name,
    name,
    category: 'SOIL_PROBE',
    parcel: name,
    location: { lat: latitude, lon: 0, source: 'manual' },
    sensors: DEPTHS_CM.map((depth) => ({ type: 'humidity' as const, depth })),
    settings: { rootDepthCm: ROOTS_CM },
  })),
});

/** Calls `body` with the farm in its last season, and the readings of each probe. */
export async function withSimulatedCrop<T>(
  cotton: CottonTrial,
  body: (
    farm: ValidationFarm,
    probes: readonly { readonly name: string; readonly readings: readonly Reading[] }[],
  ) => Promise<T>,
): Promise<T> {
  return withFarm(farmFields(cotton), cotton.plantedOn, async (farm) => {
    const trial = {
      ...cotton,
      treatments: FIELDS.map((field) => treatmentOf(field, cotton)),
    };
    await enterWater(farm, trial);
    const probes = FIELDS.map((field, index) => ({
      name: field.name,
      readings: readingsOf(field, trial.treatments[index]!, cotton),
    }));
    for (const { readings } of probes) await farm.record(readings);
    return body(farm, probes);
  });
}

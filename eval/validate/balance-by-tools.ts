import { DAY_MS, HOUR_MS } from '../../src/domain/periods.ts';
import type { AdviceBody } from '../../src/schema/advice/advice.ts';
import type { MoistureSeriesBody } from '../../src/schema/moisture/series.ts';
import { BALANCE_WEEKS, type BalanceCase, profilePairs } from './balance-cases.ts';
import { type FarmFields, type ValidationFarm, withFarm } from './farm.ts';
import { drawLine, type ProfileSlice, rootZoneLayers, sensorDepths } from './profiles.ts';
import type { Treatment, Trial, TrialProfile } from './trials.ts';

export interface ToolBalance {
  /** Against what the layers lack by the field capacity of each. */
  readonly measured: readonly BalanceCase[];
  /** Against what the tools say of the later profile, by the same lines. */
  readonly read: readonly BalanceCase[];
}

/**
 * The balance as a grower has it: FAO-56 tables for a crop and a day of planting, the weather of a
 * station, logged rain and waterings, drawn lines. A probe has the measured profile of one evening
 * and is silent then; `advise_watering` is asked on the morning after that of the later profile.
 */
export async function balanceByTools(trial: Trial): Promise<ToolBalance> {
  return withFarm(farmOf(trial), trial.plantedOn, async (farm) => {
    await enterWater(farm, trial);
    const all: { measured: BalanceCase[]; read: BalanceCase[] } = { measured: [], read: [] };
    for (const plot of trial.treatments) {
      const { measured, read } = await casesOfPlot(farm, plot);
      all.measured.push(...measured);
      all.read.push(...read);
    }
    return all;
  });
}

const EVENING_MS = 20 * HOUR_MS;
const MORNING_MS = 6 * HOUR_MS;
/** Of every farm. The trials lie within its summer time. */
export const ZONE = 'Europe/Athens';
const ZONE_OFFSET_MS = 3 * HOUR_MS;

/** `day` is midnight UTC of a local day. */
export const instantOf = (day: number, afterMidnightMs: number): number =>
  day + afterMidnightMs - ZONE_OFFSET_MS;
const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/**
 * Silent for one, two or three weeks, a probe measures each first, second or third profile: several
 * probes have all of them.
 */
const PROBES = BALANCE_WEEKS.flatMap((weeks) =>
  Array.from({ length: weeks }, (_, remainder) => ({ weeks, remainder })),
);

const moduleOf = (plot: Treatment, weeks: number, index: number): string =>
  `${plot.name} each ${weeks} from ${index % weeks}`;

const layersOf = (plot: Treatment, { layers }: TrialProfile): ProfileSlice[] =>
  rootZoneLayers({ layers, rootDepthCm: plot.rootDepthCm }, plot.soil);

const farmOf = ({ crop, plantedOn, latitude, treatments }: Trial): FarmFields => ({
  parcels: treatments.map(({ name }) => ({
    name,
    type: crop,
    season: { plantedOn: dateOf(plantedOn) },
    installation: {
      system: 'sprinkler' as const,
      flowMmPerH: 10,
      fractionWetted: 1,
      effectiveFrom: dateOf(plantedOn),
    },
  })),
  modules: treatments.flatMap((plot) =>
    PROBES.map(({ weeks, remainder }) => {
      const name = moduleOf(plot, weeks, remainder);
      return {
        uid: name,
        name,
        category: 'SOIL_PROBE' as const,
        parcel: plot.name,
        settings: { rootDepthCm: plot.rootDepthCm },
        location: { lat: latitude, lon: 0, source: 'manual' as const },
        sensors: sensorDepths(layersOf(plot, plot.profiles[0]!)).map((depth) => ({
          type: 'humidity' as const,
          depth,
        })),
      };
    }),
  ),
});

/** What a grower would enter day by day; answers read it up to their own instant alone. */
export async function enterWater(farm: ValidationFarm, trial: Trial): Promise<void> {
  farm.now = instantOf(trial.weather.at(-1)!.day, DAY_MS);
  const days = trial.weather.map((row) => ({
    day: dateOf(row.day),
    temperatureMin: row.temperatureMin,
    temperatureMax: row.temperatureMax,
    humidityMin: row.humidityMin,
    humidityMax: row.humidityMax,
    windMs: row.windMs,
    radiationMj: row.radiationMj,
  }));
  await farm.ask('set_weather', { days });
  for (const { day, rainMm } of trial.weather)
    if (rainMm > 0) await farm.ask('log_rain', { mm: rainMm, when: dateOf(day) });
  for (const { name, irrigation } of trial.treatments)
    for (const [day, mm] of irrigation)
      if (mm > 0)
        await farm.ask('log_parcel_watering', {
          parcel: name,
          startedAt: new Date(instantOf(day, MORNING_MS)).toISOString(),
          inputMode: 'depth_mm',
          inputDepthMm: mm,
          detail: 'full',
        });
}

async function casesOfPlot(farm: ValidationFarm, plot: Treatment): Promise<ToolBalance> {
  const pairs = profilePairs(plot);
  const measured: BalanceCase[] = [];
  /** By the profile. */
  const readMm = new Map<TrialProfile, number>();
  const hasLines = new Set<string>();
  for (const [index, profile] of plot.profiles.entries()) {
    farm.now = instantOf(profile.day, DAY_MS + MORNING_MS);
    for (const pair of pairs.filter(({ to }) => to === profile)) {
      const balanceMm = await lackBy(
        farm,
        'balance',
        moduleOf(plot, pair.weeks, index - pair.weeks),
      );
      measured.push({ ...pair, balanceMm });
    }

    farm.now = instantOf(profile.day, EVENING_MS);
    for (const weeks of BALANCE_WEEKS) {
      const module = moduleOf(plot, weeks, index);
      await recordProfile(farm, module, plot, profile);
      if (hasLines.has(module)) continue;
      hasLines.add(module);
      await drawLines(farm, module, layersOf(plot, profile));
    }
    readMm.set(profile, await lackBy(farm, 'readings', moduleOf(plot, 1, index)));
  }

  const read = measured.map((each) => ({
    ...each,
    persistedMm: readMm.get(each.from)!,
    measuredMm: readMm.get(each.to)!,
  }));
  return { measured, read };
}

async function lackBy(
  farm: ValidationFarm,
  wanted: 'balance' | 'readings',
  module: string,
): Promise<number> {
  const { deficitMm, basis } = await farm.ask<AdviceBody>('advise_watering', { module });
  if (deficitMm === null || (basis === 'balance') !== (wanted === 'balance'))
    throw new Error(`No lack by ${wanted} of ${module} at ${new Date(farm.now).toISOString()}.`);
  return deficitMm;
}

async function recordProfile(
  farm: ValidationFarm,
  module: string,
  plot: Treatment,
  profile: TrialProfile,
): Promise<void> {
  const at = instantOf(profile.day, EVENING_MS);
  const layers = layersOf(plot, profile);
  const depths = sensorDepths(layers);
  await farm.record(
    layers.map(({ water }, index) => ({ module, depthCm: depths[index]!, at, value: 100 * water })),
  );
}

/** At the field capacity and wilting point of the layers on the curve of the probe. */
async function drawLines(
  farm: ValidationFarm,
  module: string,
  layers: readonly ProfileSlice[],
): Promise<void> {
  const { sensors } = await farm.ask<MoistureSeriesBody>('get_moisture_series', {
    module,
    depths: true,
    detail: 'full',
  });
  const onCurve = (figure: 'fieldCapacity' | 'wiltingPoint'): number =>
    layers.reduce((sum, layer, place) => sum + sensors![place]!.weight * layer[figure], 0);
  await drawLine(farm, module, 'threshold1', onCurve('fieldCapacity'));
  await drawLine(farm, module, 'threshold2', onCurve('wiltingPoint'));
}

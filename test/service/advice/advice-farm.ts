import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import type { SoilHorizonBody } from '../../../src/schema/soil/soil.ts';
import { DAY, FARM_NOW, HOUR, type TestFarm, type ToolResult } from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
  type TestProbe,
} from '../moisture/probe-farm.ts';

export const LOAM = 6;
export const CLAY = 12;

export const advise = (
  farm: TestFarm,
  args: Record<string, unknown> = {},
): Promise<ToolResult<AdviceBody>> =>
  farm.tool('advise_watering', { module: 'Oak', detail: 'full', ...args });

export async function fieldCapacityOf(farm: TestFarm, id: number): Promise<number> {
  const { data } = await farm.tool<{ data: SoilHorizonBody[] }>('list_soil_horizons');
  return data.find(({ code }) => code === String(id))!.theta_fc;
}

export const SPRINKLER = { system: 'sprinkler', flowMmPerH: 10, irrigatedAreaM2: 10_000 };
export const DRIP = {
  system: 'drip',
  flowMmPerH: 1.25,
  irrigatedAreaM2: 10_000,
  fractionWetted: 0.35,
};

export const emptyOak = (farm: TestFarm): Promise<TestProbe> =>
  installProbe(farm, {
    sensors: moistureSensorsAt(10, 30, 50),
    parcel: 'North block',
    rootDepthCm: 60,
  });

export const declareLoam = (farm: TestFarm) => declareSoil(farm, 'North block', [[LOAM, 0, 60]]);

export const drawFieldCapacity = (farm: TestFarm, value: number) =>
  farm.tool('create_annotation', {
    module: 'Oak',
    type: 'h-line',
    p1: [FARM_NOW, value],
    style: { fill: 'threshold1' },
  });

export async function dryingOak(farm: TestFarm, value = 20): Promise<TestProbe> {
  const oak = await emptyOak(farm);
  for (const sensor of oak.sensorIds.keys())
    await oak.record(
      sensor,
      instantsEvery(HOUR, FARM_NOW - 20 * DAY, FARM_NOW).map(
        (at) => [at, value + ((FARM_NOW - HOUR - at) / DAY) * 0.5] as const,
      ),
    );
  return oak;
}

/** Loam with a line drawn at its own field capacity, which counts as measured. */
async function declareMeasuredLoam(farm: TestFarm): Promise<void> {
  await declareLoam(farm);
  await drawFieldCapacity(farm, 100 * (await fieldCapacityOf(farm, LOAM)));
}

export async function completeFarm(farm: TestFarm, value = 20): Promise<TestProbe> {
  const oak = await dryingOak(farm, value);
  await declareMeasuredLoam(farm);
  await farm.declare('Oak', SPRINKLER);
  return oak;
}

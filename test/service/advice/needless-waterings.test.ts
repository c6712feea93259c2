import { describe, expect } from 'vitest';
import type { WateringAnswer } from '../../../src/schema/irrigation/watering.ts';
import { advisoriesOf, DAY, depthAt, FARM_NOW, HOUR, iso, it, type TestFarm } from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
} from '../moisture/probe-farm.ts';

const LOAM = 6;
const SPRINKLER = { system: 'sprinkler', flowMmPerH: 10, irrigatedAreaM2: 10_000 };

/** `value` in % at all depths and hours of the last two weeks: loam holds about 27 %. */
async function probeAt(farm: TestFarm, name: string, value: number): Promise<void> {
  const probe = await installProbe(farm, {
    name,
    sensors: moistureSensorsAt(15, 45),
    parcel: 'North block',
    rootDepthCm: 60,
  });
  for (const sensor of probe.sensorIds.keys())
    await probe.record(
      sensor,
      instantsEvery(HOUR, FARM_NOW - 14 * DAY, FARM_NOW).map(
        (at) => [at, value + (FARM_NOW - at) / (100 * DAY)] as const,
      ),
    );
}

const rain = (farm: TestFarm, mm: number, hoursAgo = 20) =>
  farm.wire('log_rain', { mm, when: iso(FARM_NOW - hoursAgo * HOUR) });

async function plan(farm: TestFarm, module: string, hours = 8): Promise<number> {
  const { event } = await farm.log(module, depthAt(FARM_NOW + hours * HOUR, 8));
  return event.id;
}

const needless = async (farm: TestFarm) =>
  advisoriesOf(await farm.tool('morning_brief'), 'needless_after_rain');

async function wetOak(farm: TestFarm): Promise<number> {
  await declareSoil(farm, 'North block', [[LOAM, 0, 60]]);
  await probeAt(farm, 'Oak', 34);
  await farm.declare('Oak', SPRINKLER);
  return plan(farm, 'Oak');
}

describe('a planned watering that rain made needless', () => {
  it('is proposed to be skipped, with the arithmetic, and stays planned', async ({ farm }) => {
    const id = await wetOak(farm);
    await rain(farm, 12);
    expect(await needless(farm)).toMatchObject([
      {
        eventId: id,
        at: FARM_NOW + 8 * HOUR,
        probes: ['Oak'],
        plannedMm: 8,
        rainMm: 12,
        effectiveMm: 9.6,
        neededMm: 0,
        since: null,
      },
    ]);
    expect(await farm.watering(id)).toMatchObject({ status: 'planned' });
    await farm.tool('correct_watering', { eventId: id, status: 'skipped' });
    expect(await needless(farm)).toEqual([]);
  });

  it('counts rain since the last watering alone', async ({ farm }) => {
    await wetOak(farm);
    await rain(farm, 12, 30);
    await farm.log('Oak', depthAt(FARM_NOW - 24 * HOUR, 5));
    expect(await needless(farm)).toEqual([]);
    await rain(farm, 6, 9);
    expect(await needless(farm)).toMatchObject([
      { probes: ['Oak'], rainMm: 6, since: FARM_NOW - 24 * HOUR },
    ]);
  });

  it('is not proposed without rain, or with too little', async ({ farm }) => {
    await wetOak(farm);
    expect(await needless(farm)).toEqual([]);
    await rain(farm, 2);
    expect(await needless(farm)).toEqual([]);
  });

  it('is not proposed while the soil lacks water', async ({ farm }) => {
    await declareSoil(farm, 'North block', [[LOAM, 0, 60]]);
    await probeAt(farm, 'Oak', 20);
    await farm.declare('Oak', SPRINKLER);
    await plan(farm, 'Oak');
    await rain(farm, 12);
    expect(await needless(farm)).toEqual([]);
  });

  it('is proposed once for the probes of one valve, if none of them needs it', async ({ farm }) => {
    await farm.write((db) => db.deleteFrom('modules').execute());
    await declareSoil(farm, 'North block', [[LOAM, 0, 60]]);
    await probeAt(farm, 'Oak', 34);
    await probeAt(farm, 'Elm', 34);
    await farm.declareParcel('North block', SPRINKLER);
    await farm.wire<WateringAnswer>('log_parcel_watering', {
      parcelId: farm.idOf('North block'),
      ...depthAt(FARM_NOW + 8 * HOUR, 8),
    });
    await rain(farm, 12);
    expect(await needless(farm)).toMatchObject([
      { at: FARM_NOW + 8 * HOUR, probes: ['Oak', 'Elm'] },
    ]);
    await probeAt(farm, 'Ash', 20);
    await plan(farm, 'Ash');
    expect(await needless(farm)).toEqual([]);
    // Nor if one that needs it gets another watering before.
    await plan(farm, 'Ash', 4);
    expect(await needless(farm)).toEqual([]);
  });
});

import { expect } from 'vitest';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import { advisoriesOf, DAY, depthAt, FARM_NOW, HOUR, it, type TestFarm } from '../../farm.ts';
import { instantsEvery } from '../moisture/probe-farm.ts';
import { declareLoam, drawFieldCapacity, emptyOak, SPRINKLER } from './advice-farm.ts';
import { startDaysAgo, waterDaily } from './witness-farm.ts';

/** The end of 30 June in Paris, so that nothing evaporates on the day of the advice. */
const MIDNIGHT = FARM_NOW - 12 * HOUR;
const SILENT_DAYS = 5;

/**
 * Oak has read 24 % until the end of 25 June, a point below its field capacity: it lacks 6 mm in
 * 60 cm. From then on lucerne takes 0.95 (FAO-56, table 12) of a reference evapotranspiration of
 * 29.93 mm (Hargreaves, from 16 to 30 degrees C): 28.43 mm in five days.
 */
async function silentLucerne(farm: TestFarm, fractionWetted: number): Promise<void> {
  farm.now = MIDNIGHT;
  await farm.write((db) => db.updateTable('modules').set({ lat: 43.6, lon: 3.9 }).execute());
  await declareLoam(farm);
  const oak = await emptyOak(farm);
  for (const sensor of oak.sensorIds.keys())
    await oak.record(
      sensor,
      instantsEvery(HOUR, MIDNIGHT - 20 * DAY, MIDNIGHT - SILENT_DAYS * DAY).map(
        (at) => [at, 24 + Math.floor((MIDNIGHT - SILENT_DAYS * DAY - 1 - at) / DAY) / 4] as const,
      ),
    );
  await drawFieldCapacity(farm, 25);
  await farm.tool('set_parcel', { name: 'North block', type: 'lucerne' });
  await farm.declareParcel('North block', { ...SPRINKLER, fractionWetted });
  await farm.wire('set_weather', {
    days: Array.from({ length: 10 }, (_, index) => ({
      day: `2026-06-${21 + index}`,
      temperatureMin: 16,
      temperatureMax: 30,
    })),
  });
}

const advise = (farm: TestFarm) =>
  farm.tool<AdviceBody>('advise_watering', { module: 'Oak', detail: 'full' });

it.for([
  // 6 + 28.43 - 10 that a person logged is 24.43, and 12.43 with twice 6 mm.
  { fractionWetted: 1, lacksMm: 12.43, withoutMm: 24 },
  // In half of the area each of these mm is two: 6 + 56.87 - 20 is 42.87, and 18.87 with 24 mm.
  { fractionWetted: 0.5, lacksMm: 18.87, withoutMm: 43 },
])(
  'a balance of $fractionWetted of the area says what is assumed, and what it would lack without',
  async ({ fractionWetted, lacksMm, withoutMm }, { farm }) => {
    await silentLucerne(farm, fractionWetted);
    await waterDaily(farm, { module: 'Oak' }, 2, { inputDepthMm: 6 });
    await farm.log('Oak', depthAt(startDaysAgo(3), 10, { durationMin: 60 }));
    await farm.tick();

    const answer = await advise(farm);
    expect(answer.balance?.since).toBe('2026-06-26');
    expect(answer.balance?.deficitMm).toBeCloseTo(lacksMm, 2);
    expect(advisoriesOf(answer, 'balance_assumes')).toMatchObject([
      { waterings: 2, waterMm: 12, deficitMm: expect.closeTo(withoutMm, 0) },
    ]);
  },
);

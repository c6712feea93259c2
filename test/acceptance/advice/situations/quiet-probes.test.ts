import { beforeAll, describe, expect, it } from 'vitest';
import { simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

describe('a healthy probe', () => {
  const depthsCm = [10, 30, 50];
  const wetted = [12, 8, 4].map((daysBefore) => ({ daysBefore, points: 5 }));
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      {
        name: 'Watered',
        moisture: simulatedSoil({ depthsCm, wetted }),
        waterings: wetted.map(({ daysBefore }) => ({ daysBefore, minutes: 240 })),
      },
      { name: 'Drying', moisture: simulatedSoil({ depthsCm, seed: 2 }) },
    ]);
  });

  it.each(['Watered', 'Drying'])('%s gets an amount and no doubt', async (name) => {
    const { doubts, durationMin } = await farm.advise(name);
    expect(doubts).toEqual([]);
    expect(durationMin).toBeGreaterThan(60);
  });

  it('is not listed to be checked in the brief', async () => {
    expect((await farm.body('morning_brief')).checkFirst).toEqual([]);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

/** Nothing came from these depths in the last four days. */
const silentAt =
  (depthsCm: readonly number[], course: Course): Course =>
  (depthCm, daysBefore) =>
    depthsCm.includes(depthCm) && daysBefore < 4 ? null : course(depthCm, daysBefore);

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
      { name: 'Without 50 cm', moisture: silentAt([50], simulatedSoil({ depthsCm, seed: 3 })) },
      { name: 'Only 50 cm', moisture: silentAt([10, 30], simulatedSoil({ depthsCm, seed: 4 })) },
    ]);
  });

  it.each(['Watered', 'Drying', 'Without 50 cm'])(
    '%s gets an amount and no doubt',
    async (name) => {
      const { doubts, durationMin } = await farm.advise(name);
      expect(doubts).toEqual([]);
      expect(durationMin).toBeGreaterThan(60);
    },
  );

  it('gets no amount where the depths of half its curve are silent', async () => {
    const { reasons, deficitMm, durationMin } = await farm.advise('Only 50 cm');
    expect(reasons).toContain('MOSTLY_SILENT');
    expect([deficitMm, durationMin]).toEqual([null, null]);
  });

  it('is not listed to be checked in the brief, unless half its curve is silent', async () => {
    expect((await farm.body('morning_brief')).checkFirst).toMatchObject([
      { name: 'Only 50 cm', reason: 'MOSTLY_SILENT' },
    ]);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];

/** Half stones: it holds, and reads, half of what loam does. */
const stonySoil = simulatedSoil({ depthsCm, wettest: 13, driest: 9 });
const dryCrust = simulatedSoil({ depthsCm: [10], wettest: 11, driest: 8.5 });
const moistSoil = simulatedSoil({ depthsCm, wettest: 27, driest: 24 });
const belowDryCrust: Course = (depthCm, daysBefore) =>
  (depthCm === 10 ? dryCrust : moistSoil)(depthCm, daysBefore);

const probe = (name: string, moisture: Course, settings: Record<string, unknown>): Situation => ({
  name,
  moisture,
  calls: [['set_probe_settings', settings]],
});

const stones = { stonesByDepth: ['0 cm: 50 %'] };
const buried = { rootDepthCm: 60, emitterDepthCm: 25 };

describe('soil of which the texture class does not tell everything', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      probe('Stony', stonySoil, stones),
      probe('Stones not declared', stonySoil, { refillPercent: 100 }),
      probe('Buried drip', belowDryCrust, buried),
      probe('Drip', belowDryCrust, { rootDepthCm: 60 }),
      probe('Seedlings on buried drip', belowDryCrust, { ...buried, rootDepthCm: 20 }),
    ]);
  });

  it('lacks what its fine earth lacks, where stones are declared', async () => {
    const [stony, asLoam] = [await farm.advise('Stony'), await farm.advise('Stones not declared')];
    expect(asLoam.deficitMm).toBeGreaterThan(90);
    expect(stony.deficitMm).toBeGreaterThan(10);
    expect(stony.deficitMm).toBeLessThan(35);
    expect(stony.doubts).toEqual([]);
  });

  it('is judged from buried emitters down, once roots are deeper', async () => {
    const [below, whole, seedlings] = [
      await farm.advise('Buried drip'),
      await farm.advise('Drip'),
      await farm.advise('Seedlings on buried drip'),
    ];
    expect(whole.deficitMm! - below.deficitMm!).toBeGreaterThan(35);
    expect(below.deficitMm).toBeLessThan(20);
    expect(seedlings.deficitMm).toBeGreaterThan(30);
  });

  it('is shown with its settings, which clear', async () => {
    const { settings } = await farm.body('get_irrigation_setup', { module: 'Stony' });
    expect(settings).toMatchObject({ stonesByDepth: ['0: 50'], emitterDepthCm: null });
    const cleared = await farm.body('set_probe_settings', {
      module: 'Stony',
      clear: ['stonesByDepth'],
    });
    expect(cleared.summary).toContain('stones unset, it was 50 % from the surface');
    expect((await farm.advise('Stony')).deficitMm).toBeGreaterThan(90);
  });

  it('has stones for all probes of a parcel, and for its balance', async () => {
    const { settings } = await farm.body('set_probe_settings', {
      parcel: 'Stones not declared block',
      stonesByDepth: ['12 in: 40'],
    });
    expect(settings).toMatchObject({ stonesByDepth: ['30: 40'] });
    const { soil } = await farm.body('get_irrigation_setup', {
      parcel: 'Stones not declared block',
    });
    expect(soil).toMatchObject([{ bottomCm: 30 }, { topCm: 30, bottomCm: 100 }]);
    const [upper, lower] = soil as { fieldCapacity: number }[];
    expect(lower!.fieldCapacity).toBeCloseTo(0.6 * upper!.fieldCapacity, 10);
  });

  it('refuses shares that cannot be', async () => {
    const bad = ['40 cm: 95 %', '40', 'half'];
    for (const text of bad)
      expect(
        await farm.call('set_probe_settings', { module: 'Drip', stonesByDepth: [text] }),
      ).toMatchObject({ isError: true });
  });
});

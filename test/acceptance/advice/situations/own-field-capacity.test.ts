import { beforeAll, describe, expect, it } from 'vitest';
import type { Course } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const WETTED = [13, 9, 5];
const DELAY_DAYS = 0.08;

/** Wetted to 7 points above `capacity`, it drains within a day and then loses a point a day. */
const draining =
  (capacity: number, more = 0): Course =>
  (depthCm, daysBefore) => {
    const count = WETTED.filter((at) => daysBefore <= at - (DELAY_DAYS * depthCm) / 10).length;
    if (count === 0) return capacity - 3;
    const days = WETTED[count - 1]! - (DELAY_DAYS * depthCm) / 10 - daysBefore;
    const above = days < 1 ? 7 * (1 - days) : 1 - days;
    return Math.round((capacity + above + more * count) * 100) / 100;
  };

const probe = (name: string, moisture: Course, more: Partial<Situation> = {}): Situation => ({
  name,
  moisture,
  days: 16,
  installation: { flowMmPerH: 20 },
  waterings: WETTED.map((daysBefore) => ({ daysBefore, minutes: 120 })),
  ...more,
});

const little = { waterings: WETTED.map((daysBefore) => ({ daysBefore, minutes: 6 })) };

describe('what a probe in a declared texture holds after its wettings', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      probe('Holds more', draining(32)),
      probe('Holds less', draining(29), { usdaClass: 'Clay loam' }),
      probe('Starved', draining(24), little),
      probe('Salt', draining(30, 0.9)),
      probe('As declared', draining(28.5)),
    ]);
  });

  it('is asked about once, and used when it is drawn', async () => {
    const before = await farm.advise('Holds more');
    expect(before.summary).toMatch(
      /that of a texture class, .* drained after each wetting of the last two weeks, it held 31[.]\d %[.] Ask whether/,
    );
    const value = Number(/value: ([\d.]+)/.exec(before.next)?.[1]);
    expect(value).toBeGreaterThan(31);
    const line = { module: 'Holds more', type: 'h-line', unit: 'vwc', value };
    await farm.body('create_annotation', { ...line, style: { fill: 'threshold1' } });

    const after = await farm.advise('Holds more');
    expect(after.reasons).not.toContain('FIELD_CAPACITY_ESTIMATED');
    expect(after.reasons).not.toContain('FIELD_CAPACITY_IN_DOUBT');
    expect(after.summary).not.toContain('Ask whether that is to be');
    expect(after.deficitMm! - before.deficitMm!).toBeGreaterThan(10);
  });

  it('is asked about where it is less, after waterings that could fill the soil', async () => {
    expect((await farm.advise('Holds less')).summary).toMatch(/it held 28[.]\d %/);
    const { doubt } = await farm.body('suggest_thresholds', { module: 'Holds less' });
    expect(doubt).toBeNull();
  });

  it('is not learned from small waterings, nor from salt, nor asked about where it fits', async () => {
    for (const name of ['Starved', 'Salt', 'As declared'])
      expect([name, (await farm.advise(name)).summary]).toEqual([
        name,
        expect.not.stringContaining('Its own readings'),
      ]);
    const { doubt } = await farm.body('suggest_thresholds', { module: 'Starved' });
    expect(doubt).toBe('tooLow');
  });
});

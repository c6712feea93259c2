import { describe, expect } from 'vitest';
import type { ThresholdSuggestionBody } from '../../../src/schema/advice/threshold-suggestion.ts';
import { DAY, FARM_NOW, HOUR, iso, it, type TestFarm } from '../../farm.ts';
import {
  declareSoil,
  installProbe,
  instantsEvery,
  moistureSensorsAt,
} from '../moisture/probe-farm.ts';

const CAPACITY = 31;

/** Wetted to 38 %, it drains to 31 % within a day; below that it loses half a point a day. */
const moistureAfter = (ms: number): number =>
  ms < 24 * HOUR ? 38 - (7 * ms) / (24 * HOUR) : CAPACITY - (0.5 * (ms - 24 * HOUR)) / DAY;

async function wettedProbe(
  farm: TestFarm,
  daysAgo: readonly number[],
  afterWetting = (_: number, ms: number): number => moistureAfter(ms),
): Promise<void> {
  const oak = await installProbe(farm, {
    sensors: moistureSensorsAt(10, 30),
    parcel: 'North block',
    rootDepthCm: 40,
  });
  const first = FARM_NOW - 60 * DAY;
  const wettings = daysAgo.map((days) => FARM_NOW - days * DAY);
  for (const [sensor, delay] of [0, 2 * HOUR].entries())
    await oak.record(
      sensor,
      instantsEvery(HOUR, first, FARM_NOW).map((at) => {
        const last = wettings.map((each) => each + delay).findLast((each) => each <= at);
        return [
          at,
          last === undefined
            ? 25 - (at - first) / DAY / 100
            : afterWetting(wettings.indexOf(last - delay), at - last),
        ] as const;
      }),
    );
}

const suggest = (farm: TestFarm) =>
  farm.tool<ThresholdSuggestionBody>('suggest_thresholds', { module: 'Oak' });

describe('a suggested field capacity', () => {
  it('comes with its wettings, spread and stress point, and counts when it is drawn', async ({
    farm,
  }) => {
    await wettedProbe(farm, [50, 40, 30, 20]);
    await declareSoil(farm, 'North block', [[6, 0, 60]]);
    const { wiltingPoint, fieldCapacity: inForce } = await farm.tool<{
      wiltingPoint: number;
      fieldCapacity: number;
    }>('get_agronomic_state', { module: 'Oak' });
    const found = await suggest(farm);
    // Half a point a day from 24 to 48 hours: 30.75 %, less what two hours between the depths make.
    expect(found.fieldCapacity).toBeCloseTo(30.75, 0);
    expect(found.wettings.map(({ time }) => time)).toEqual(
      [20, 30, 40, 50].map((days) => iso(FARM_NOW - days * DAY + 2 * HOUR)),
    );
    expect(found).toMatchObject({ inForce, unused: { wateredAgain: 0, tooRecent: 0, gaps: 0 } });
    expect(found.stressPoint).toBeCloseTo((found.fieldCapacity! + wiltingPoint) / 2, 2);
    await farm.tool('create_annotation', {
      module: 'Oak',
      type: 'h-line',
      p1: [FARM_NOW, found.fieldCapacity],
      style: { fill: 'threshold1' },
    });
    expect(await farm.tool('get_agronomic_state', { module: 'Oak' })).toMatchObject({
      fieldCapacity: found.fieldCapacity,
      stressPoint: found.stressPoint,
    });
  });

  it('is refused for two wettings, with what is missing', async ({ farm }) => {
    await wettedProbe(farm, [30, 20, 1]);
    const { fieldCapacity, stressPoint, least, most, wettings, unused } = await suggest(farm);
    expect([fieldCapacity, stressPoint, least, most]).toEqual([null, null, null, null]);
    expect([wettings.length, unused.tooRecent]).toEqual([2, 1]);
  });

  it('is none on a tensiometer, which measures no moisture', async ({ farm }) => {
    await installProbe(farm, { sensors: [['tensio', 30]], category: 'TENSIOMETER' });
    expect((await suggest(farm)).doubt).toBe('noMoisture');
  });

  it('is not offered far below the one in force, which small waterings cause', async ({ farm }) => {
    await wettedProbe(farm, [50, 40, 30, 20], (_, ms) => moistureAfter(ms) - 14);
    await declareSoil(farm, 'North block', [[6, 0, 60]]);
    const { fieldCapacity, inForce, doubt, stressPoint } = await suggest(farm);
    expect(inForce! - fieldCapacity!).toBeGreaterThan(4);
    expect([doubt, stressPoint]).toEqual(['tooLow', null]);
  });

  it('is not offered if its wettings differ by more than four points', async ({ farm }) => {
    await wettedProbe(farm, [50, 40, 30, 20], (index, ms) => moistureAfter(ms) + 2 * index);
    expect((await suggest(farm)).doubt).toBe('tooWide');
  });

  it('is one value if all wettings agree', async ({ farm }) => {
    await wettedProbe(farm, [52, 46, 40, 34, 28, 22, 16], (_, ms) =>
      Math.max(CAPACITY, moistureAfter(ms)),
    );
    const { least, most, wettings } = await suggest(farm);
    expect([least, most, wettings.length]).toEqual([CAPACITY, CAPACITY, 7]);
  });
});

import { describe, expect } from 'vitest';
import { FARM_NOW, HOUR, it, MINUTE, minutesAt, type TestFarm } from '../../farm.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from '../moisture/probe-farm.ts';
import { createOakAlert, sameValue, sendAndEvaluate, sendReadings } from './alert-farm.ts';

async function firing(farm: TestFarm, thresholds: readonly number[]): Promise<TestProbe> {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
  for (const threshold of thresholds) await createOakAlert(farm, { threshold });
  await sendAndEvaluate(farm, oak, FARM_NOW + 15 * MINUTE, 18.4);
  return oak;
}

async function summaries(farm: TestFarm): Promise<string[]> {
  const watering = minutesAt(farm.now - HOUR, 30);
  return [
    (await farm.tool('get_moisture_series', { module: 'Oak' })).summary,
    (await farm.tool('get_agronomic_state', { module: 'Oak' })).summary,
    (await farm.log('Oak', watering)).summary,
  ];
}

describe('the advisory of a firing alert', () => {
  it('is in the past tense with the last instant once the data are stale', async ({ farm }) => {
    const oak = await firing(farm, [20]);
    await sendAndEvaluate(farm, oak, FARM_NOW + 30 * MINUTE, 17);
    farm.now += 26 * HOUR;
    await farm.tick();
    for (const summary of await summaries(farm)) {
      expect(summary).toContain(
        'Moisture has been low for its alert since yesterday 12:15, but its newest reading is from yesterday 12:30.',
      );
      expect(summary).not.toContain('is firing');
      expect(summary).not.toContain('is below');
    }
  });

  it('is written for two alerts and a count of the others', async ({ farm }) => {
    await firing(farm, [20, 21, 22, 23, 24]);
    for (const summary of await summaries(farm)) {
      expect(summary.match(/Its alert is firing/g)).toHaveLength(2);
      expect(summary).toContain('is below 20 %,');
      expect(summary).toContain('is below 21 %,');
      expect(summary).toContain('3 more of its alerts are firing.');
    }
  });

  it('has no count of others for two alerts', async ({ farm }) => {
    await firing(farm, [20, 21]);
    for (const summary of await summaries(farm))
      expect(summary).not.toContain('more of its alerts');
  });

  it('names the probe after a watering of its parcel', async ({ farm }) => {
    await firing(farm, [20, 21]);
    await farm.tool('set_module', { name: 'Oak', parcel: 'North block' });
    const watering = { parcel: 'North block', ...minutesAt(farm.now - HOUR, 30) };
    const { summary } = await farm.tool('log_watering', watering);
    expect(summary).toContain('An alert is firing on Oak.');
    expect(summary).not.toContain('Its alert');
  });
});

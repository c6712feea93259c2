import { describe, expect } from 'vitest';
import {
  type Advised,
  advisoriesOf,
  FARM_NOW,
  HOUR,
  it,
  MINUTE,
  minutesAt,
  type TestFarm,
} from '../../farm.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from '../moisture/probe-farm.ts';
import { createOakAlert, sameValue, sendAndEvaluate, sendReadings } from './alert-farm.ts';

async function firing(farm: TestFarm, thresholds: readonly number[]): Promise<TestProbe> {
  const oak = await installProbe(farm, { sensors: moistureSensorsAt(10) });
  await sendReadings(farm, oak, sameValue(oak, FARM_NOW, 30));
  for (const threshold of thresholds) await createOakAlert(farm, { threshold });
  await sendAndEvaluate(farm, oak, FARM_NOW + 15 * MINUTE, 18.4);
  return oak;
}

const answers = async (farm: TestFarm): Promise<Advised[]> => [
  await farm.tool('get_moisture_series', { module: 'Oak' }),
  await farm.tool('get_agronomic_state', { module: 'Oak' }),
  await farm.log('Oak', minutesAt(farm.now - HOUR, 30)),
];

describe('the advisory of a firing alert', () => {
  it('has the instant of its last evaluation, also once the data are stale', async ({ farm }) => {
    const oak = await firing(farm, [20]);
    await sendAndEvaluate(farm, oak, FARM_NOW + 30 * MINUTE, 17);
    farm.now += 26 * HOUR;
    await farm.tick();
    for (const answer of await answers(farm))
      expect(advisoriesOf(answer, 'alert_firing')).toMatchObject([
        { since: FARM_NOW + 15 * MINUTE, evaluatedAt: FARM_NOW + 30 * MINUTE },
      ]);
  });

  it('is written for two alerts and a count of the others', async ({ farm }) => {
    await firing(farm, [20, 21, 22, 23, 24]);
    for (const answer of await answers(farm)) {
      const firingAt = advisoriesOf(answer, 'alert_firing').map(({ threshold }) => threshold);
      expect(firingAt).toEqual(['20', '21']);
      expect(advisoriesOf(answer, 'more_alerts_firing')).toMatchObject([{ count: 3 }]);
    }
  });

  it('has no count of others for two alerts', async ({ farm }) => {
    await firing(farm, [20, 21]);
    for (const answer of await answers(farm))
      expect(advisoriesOf(answer, 'more_alerts_firing')).toEqual([]);
  });

  it('names the probe after a watering of its parcel', async ({ farm }) => {
    await firing(farm, [20, 21]);
    await farm.tool('set_module', { name: 'Oak', parcel: 'North block' });
    const watering = { parcel: 'North block', ...minutesAt(farm.now - HOUR, 30) };
    const logged = await farm.tool('log_watering', watering);
    expect(advisoriesOf(logged, 'probes_with_firing_alert')).toMatchObject([
      { probes: ['Oak'], others: 0 },
    ]);
    expect(advisoriesOf(logged, 'alert_firing')).toEqual([]);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../../../tool-results.ts';
import { simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const NAME = 'Probe 30 cm';

const DRY = { name: NAME, moisture: simulatedSoil({ depthsCm: [10, 30, 50] }) };

describe('a farm in California', () => {
  let farm: SituationFarm;
  beforeAll(async () => {
    farm = await situationFarm([DRY], {
      company: { countryCode: 'US', timezone: 'America/Los_Angeles' },
    });
  });

  it('is told inches and gallons with mm and m3 in brackets, and metric units once it says so', async () => {
    const { summary, waterMm, volumeM3 } = await farm.advise(NAME);
    const overview = await farm.body('farm_overview');
    expect(overview.summary).toContain(NAME);
    expect(summary).toMatch(/\d in \(\d+ mm\)/);
    expect(summary).toMatch(/\d (gal|acre-inches) \(\d+ m3\)/);
    expect([waterMm, volumeM3].every(Number.isFinite)).toBe(true);

    const { company } = await farm.body('set_company', { units: 'metric' });
    expect(company).toMatchObject({ units: 'metric' });
    const metric = await farm.advise(NAME);
    expect(metric).toMatchObject({ waterMm, volumeM3 });
    expect(metric.summary).not.toMatch(/\d (in|gal|acre-inches)\b/);
    await farm.body('set_company', { clear: ['units'] });
    expect((await farm.advise(NAME)).summary).toBe(summary);
  });

  it('logs what people there say, and a gallon elsewhere is asked', async () => {
    const log = (args: object) => farm.call('log_watering', { module: NAME, ...args });
    const dose = async (startedAt: string, args: object) => {
      const { event } = await farm.body('log_watering', { module: NAME, startedAt, ...args });
      return event;
    };
    const depth = { inputMode: 'depth_mm', inputDepthMm: '1/2 inch' };
    expect(await dose('yesterday 6:00', depth)).toMatchObject({ waterMm: 12.7 });
    const volume = { inputMode: 'volume_m3', inputVolumeM3: '350 gpm for 4 hours' };
    // 84,000 gallons on a hectare.
    expect(await dose('yesterday 12:00', volume)).toMatchObject({ waterMm: 31.797 });

    await farm.body('set_company', { countryCode: 'GB' });
    const refusal = refusalOf(await log({ ...volume, startedAt: 'yesterday 15:00' }));
    expect(refusal).toMatchObject({ code: 'INVALID_VOLUME', field: 'inputVolumeM3' });
    expect(refusal.message).toMatch(/3\.785 L in the United States and 4\.546 L in Britain/);
    await farm.body('set_company', { countryCode: 'US' });
  });
});

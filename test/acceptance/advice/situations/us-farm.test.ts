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

    expect((await farm.body('get_farm_page')).company).toMatchObject({ units: 'us' });

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

  it('finds sensors by inches and feet, and words refusals in inches', async () => {
    const settings = await farm.body('set_probe_settings', {
      module: NAME,
      depthWeights: ['4 in: 0.4', '12 in: 0.4', '20 in: 0.2'],
    });
    expect(settings.settings).toMatchObject({ depthWeights: ['10: 0.4', '30: 0.4', '50: 0.2'] });

    const refusal = async (tool: string, args: Record<string, unknown>) =>
      refusalOf(await farm.call(tool, args));
    const deep = await refusal('set_probe_settings', {
      module: NAME,
      depthWeights: ['24 in: 1'],
    });
    expect(deep).toMatchObject({
      message: 'A weight is given at 24 in (61 cm), where the probe has no sensor.',
      hint: 'Its sensors are at 4, 12 and 20 in (10, 30 and 50 cm).',
    });
    const bare = await refusal('log_rain', { mm: '0.5', when: 'yesterday' });
    expect(bare.message).toContain('ask whether "0.5 in" or "0.5 mm" is meant');
    const unknown = await refusal('advise_watering', { module: 'Prob 30 cm x' });
    expect(`${unknown.message} ${unknown.hint}`).toContain(NAME);
    await farm.body('set_probe_settings', { module: NAME, clear: ['depthWeights'] });
  });
});

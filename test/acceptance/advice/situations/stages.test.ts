import { beforeAll, describe, expect, it } from 'vitest';
import { LocalDay } from '../../../../src/domain/local-day.ts';
import type { ParcelAdviceBody } from '../../../../src/schema/advice/parcel-advice.ts';
import { simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

/** Hot and dry until the clock of the situations, 1 July 2026. */
const weather = `day,tmin,tmax\n${LocalDay.parse('2026-06-01')
  .until(LocalDay.parse('2026-06-30'))
  .map(({ iso }) => `${iso},18,34`)
  .join('\n')}\n`;

describe('a stage that is said anew', () => {
  let farm: SituationFarm;
  const adviceIn = async (
    stage: 'initial' | 'development' | 'mid',
    name = 'Chickpeas',
  ): Promise<ParcelAdviceBody> => {
    await farm.body('set_parcel', { name, stage });
    const args = { parcel: name, filledOn: '2026-06-19' };
    return (await farm.body('advise_watering', args)) as ParcelAdviceBody;
  };
  const chickpeas = (name: string) => ({
    name,
    type: 'chickpea',
    soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 100 }],
    installation: { system: 'sprinkler', flowMmPerH: 6, fractionWetted: 1, irrigatedAreaM2: 5000 },
    season: { rootDepthCm: 60 },
  });

  beforeAll(async () => {
    farm = await situationFarm(
      [
        {
          name: 'Measured',
          moisture: simulatedSoil({ depthsCm: [10, 30, 50], seed: 2 }),
          module: { location: { lat: 43.6, lon: 3.9, source: 'manual' } },
        },
      ],
      { weather, parcels: [chickpeas('Chickpeas'), chickpeas('Others')] },
    );
  });

  it('leaves what the crop has used, and changes what it will use', async () => {
    const initial = await adviceIn('initial');
    const mid = await adviceIn('mid');
    // A part of today alone.
    expect(Math.abs(mid.deficitMm! - initial.deficitMm!)).toBeLessThan(4);
    expect(mid.daysToStress!).toBeLessThan(initial.daysToStress! / 3);
  });

  it('counts from the beginning where it is the first that is said', async () => {
    const mid = await adviceIn('mid', 'Others');
    // Twelve days of some 6 mm.
    expect(mid.deficitMm!).toBeGreaterThan(60);
  });

  it('comes back with undo', async () => {
    const { deficitMm } = await adviceIn('mid', 'Others');
    await adviceIn('initial', 'Others');
    await farm.body('undo', {});
    const args = { parcel: 'Others', filledOn: '2026-06-19' };
    expect(await farm.body('advise_watering', args)).toMatchObject({ deficitMm });
  });
});

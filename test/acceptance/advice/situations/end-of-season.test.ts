import { beforeAll, describe, expect, it } from 'vitest';
import { simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

// The clock of the situations is 10 July 2026.
const dry = simulatedSoil({ depthsCm: [10, 30, 50], seed: 2 });
const grown = (name: string, type: string, season: object) =>
  ({ name, parcel: { type, season }, moisture: dry }) as const;

describe('towards the end of a season', () => {
  let farm: SituationFarm;
  const isAsked = async (probe: string): Promise<boolean> =>
    (await farm.advise(probe)).reasons.includes('RIPE');

  beforeAll(async () => {
    farm = await situationFarm(
      [
        grown('Wheat', 'wheat', { plantedOn: '2025-11-10' }),
        grown('Maize', 'maize', { plantedOn: '2026-04-20' }),
        grown('Vines', 'wine grapes', { plantedOn: '2024-03-20' }),
        grown('Cut', 'wheat', { plantedOn: '2025-11-10', harvestedOn: '2026-07-15' }),
        grown('Late wheat', 'wheat', { plantedOn: '2025-11-10', stage: 'mid' }),
      ],
      {
        now: '2026-07-10T08:00:00Z',
        parcels: [
          {
            name: 'Onions',
            type: 'onion',
            soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 100 }],
            season: { plantedOn: '2026-02-10', rootDepthCm: 40 },
          },
        ],
      },
    );
  });

  it('ripe wheat gets no amount before somebody says whether it is harvested', async () => {
    const { reasons, durationMin, daysToStress, ripeSince, summary } = await farm.advise('Wheat');
    expect({ reasons, durationMin, daysToStress, ripeSince }).toMatchObject({
      reasons: expect.arrayContaining(['RIPE']),
      durationMin: null,
      daysToStress: null,
      ripeSince: '2026-06-28',
    });
    expect(summary).toMatch(
      /^By the usual length of its season the crop of .*Wheat.* should be ripe/,
    );
    expect(summary).toContain('ask for the day of its harvest');
    expect(summary).not.toMatch(/\d h|needs water now/);
  });

  it('nothing is asked of a crop in mid season, of vines, or where it was said', async () => {
    for (const probe of ['Maize', 'Vines', 'Late wheat']) {
      expect([probe, await isAsked(probe)]).toEqual([probe, false]);
      expect((await farm.advise(probe)).durationMin).toBeGreaterThan(60);
    }
  });

  it('wheat whose harvest is near needs no water, and says when that is', async () => {
    const { reasons, rest, summary } = await farm.advise('Cut');
    expect([reasons, rest]).toEqual([['AT_REST'], { until: null, harvestedOn: '2026-07-15' }]);
    expect(summary).toContain('its crop ripens for its harvest on 15 Jul');
  });

  it('onions before lifting get no amount without a probe', async () => {
    const advice = await farm.body('advise_watering', { parcel: 'Onions' });
    expect(advice).toMatchObject({ reasons: ['RIPE'], durationMin: null });
    expect(advice.summary).toMatch(/^By the usual length of its season the crop of .*Onions/);
  });

  it('the brief asks once, and names what was not said alone', async () => {
    const { needsWater, summary } = await farm.body('morning_brief');
    expect(JSON.stringify(needsWater)).not.toContain('"Wheat"');
    expect(summary.match(/usual length of its season/g)).toHaveLength(1);
    expect(summary).toMatch(
      /should be ripe or finished on Wheat block and Onions, which gets no amount: ask/,
    );
  });

  it('a harvest or a stage that is entered answers it', async () => {
    await farm.body('set_parcel', { name: 'Onions', stage: 'mid' });
    expect(await farm.body('advise_watering', { parcel: 'Onions' })).not.toMatchObject({
      reasons: ['RIPE'],
    });
    await farm.body('set_parcel', { name: 'Wheat block', harvestedOn: '2026-07-08' });
    expect((await farm.advise('Wheat')).reasons).toEqual(['AT_REST']);
    expect((await farm.body('morning_brief')).summary).not.toContain('usual length of its season');
  });
});

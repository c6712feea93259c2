import { beforeAll, describe, expect, it } from 'vitest';
import { LocalDay } from '../../../../src/domain/local-day.ts';
import { runInProcess } from '../../../in-process-command.ts';
import { openMeteoAnswer, startForecastServer } from '../../weather/open-meteo-server.ts';
import { simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const NOW = '2027-01-20T08:00:00Z';
const depthsCm = [10, 30, 50];
const dry = (seed: number) => simulatedSoil({ depthsCm, seed });
const NEVER = ['set_probe_settings', { restFrom: 'never' }] as const;

/** Days from 40 days before now on, with this mean temperature. */
function weatherOf(mean: number): string {
  const rows = Array.from({ length: 40 }, (_, index) => {
    const day = LocalDay.parse('2027-01-20').plus(-index).iso;
    return `${day},${mean - 3},${mean + 3}`;
  });
  return `day,tmin,tmax\n${rows.join('\n')}\n`;
}

const FROZE_DAYS_AGO = 3;

/** It loses 14 points within a day when it freezes, as sensors take ice for air. */
const freezing: Situation['moisture'] = (depthCm, daysBefore) => {
  const liquid = dry(3)(depthCm, daysBefore) ?? 0;
  return liquid - 14 * Math.min(1, Math.max(0, FROZE_DAYS_AGO - daysBefore));
};

const THAWED_DAYS_AGO = 1;

/** It had lost 10 points to the ice, and regains them while it thaws. */
const thawing: Situation['moisture'] = (depthCm, daysBefore) => {
  const liquid = dry(4)(depthCm, daysBefore) ?? 0;
  const thawed = Math.min(1, Math.max(0, (THAWED_DAYS_AGO + 0.25 - daysBefore) * 4));
  return daysBefore > 8 ? liquid : liquid - 10 * (1 - thawed);
};

describe('in a cold January', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm(
      [
        {
          name: 'Dormant',
          parcel: { type: 'wine grapes' },
          moisture: dry(1),
          calls: [
            [
              'set_probe_settings',
              {
                module: undefined,
                parcel: 'Dormant block',
                restFrom: '15 November',
                restUntil: '15 mars',
              },
            ],
          ],
        },
        { name: 'Bare', parcel: { type: 'maize' }, moisture: dry(2) },
        {
          name: 'Wheat',
          parcel: { type: 'wheat' },
          moisture: dry(2),
          calls: [
            ['set_parcel', { module: undefined, name: 'Wheat block', harvestedOn: '2026-07-01' }],
          ],
        },
        {
          name: 'Fallow',
          parcel: { type: 'wheat' },
          moisture: dry(2),
          calls: [
            ['set_parcel', { module: undefined, name: 'Fallow block', harvestedOn: '2026-07-01' }],
            [
              'set_parcel',
              { module: undefined, name: 'Fallow block', type: 'maize', plantedOn: '2027-04-20' },
            ],
          ],
        },
        { name: 'Evergreen', moisture: dry(2), calls: [NEVER] },
        {
          name: 'Silent',
          moisture: (depthCm, daysBefore) => (daysBefore > 6 ? dry(1)(depthCm, daysBefore) : null),
          calls: [['set_probe_settings', { restFrom: '15 November', restUntil: '15 March' }]],
        },
        {
          name: 'Frozen',
          moisture: freezing,
          temperature: (_, daysBefore) => (daysBefore > FROZE_DAYS_AGO ? 4 : -3),
          calls: [NEVER],
        },
        {
          name: 'Frozen top',
          depthsCm: [10, 20, 30, 50],
          moisture: (depthCm, daysBefore) =>
            depthCm === 10 ? freezing(depthCm, daysBefore) : dry(3)(depthCm, daysBefore),
          temperature: (depthCm) => (depthCm === 10 ? -1 : 3),
          calls: [NEVER],
        },
        {
          name: 'Beside frozen top',
          depthsCm: [10, 20, 30, 50],
          moisture: (depthCm, daysBefore) => dry(3)(depthCm, daysBefore)! + 4,
          temperature: () => 3,
          parcel: { name: 'Frozen top block' },
          calls: [NEVER],
        },
        {
          name: 'Cool soil',
          depthsCm: [10, 20, 30, 50],
          moisture: dry(3),
          temperature: () => 3,
          calls: [NEVER],
        },
        {
          name: 'Thawed',
          moisture: thawing,
          temperature: (_, daysBefore) =>
            daysBefore > 8 || daysBefore < THAWED_DAYS_AGO ? 3 : -0.2,
          calls: [NEVER],
        },
        { name: 'Rained on', moisture: thawing, temperature: () => 3, calls: [NEVER] },
      ],
      { now: NOW, weather: weatherOf(4) },
    );
  });

  it('a dormant vine needs no water, and the answer says until when', async () => {
    const { rest, reasons, durationMin, deficitMm, daysToStress } = await farm.advise('Dormant');
    expect(rest).toEqual({ until: '2027-03-15', harvestedOn: null });
    expect({ reasons, durationMin, deficitMm, daysToStress }).toEqual({
      reasons: ['AT_REST'],
      durationMin: null,
      deficitMm: null,
      daysToStress: null,
    });
  });

  it('harvested wheat needs no water', async () => {
    const { rest, reasons } = await farm.advise('Wheat');
    expect([rest, reasons]).toEqual([{ until: null, harvestedOn: '2026-07-01' }, ['AT_REST']]);
  });

  it('bare land needs no water before the next crop is planted', async () => {
    const { rest, reasons, durationMin } = await farm.advise('Fallow');
    expect(rest).toEqual({ until: '2027-04-19', harvestedOn: null });
    expect([reasons, durationMin]).toEqual([['AT_REST'], null]);
  });

  it('a bare field gets no amount before somebody says whether its crop rests', async () => {
    const { reasons, durationMin, deficitMm } = await farm.advise('Bare');
    expect(reasons[0]).toBe('REST_UNKNOWN');
    expect([durationMin, deficitMm]).toEqual([null, null]);
  });

  it('an evergreen that never rests gets its amount', async () => {
    const { reasons, durationMin, rest } = await farm.advise('Evergreen');
    expect(reasons).not.toContain('REST_UNKNOWN');
    expect(rest).toBeNull();
    expect(durationMin).toBeGreaterThan(60);
  });

  it('frozen soil gets no amount, and its fall is no doubt', async () => {
    const { reasons, durationMin, doubts, meanwhile } = await farm.advise('Frozen');
    expect(reasons).toContain('FROZEN');
    expect([durationMin, doubts, meanwhile]).toEqual([null, [], undefined]);
    expect(reasons).not.toContain('SLICE_WITHOUT_VALUE');
  });

  it('soil that is frozen at the top alone is judged by the rest of it', async () => {
    const { reasons, durationMin, deficitMm } = await farm.advise('Frozen top');
    const cool = await farm.advise('Cool soil');
    expect(reasons).not.toContain('FROZEN');
    expect(durationMin).toBeGreaterThan(60);
    expect(Math.abs((deficitMm ?? 0) - (cool.deficitMm ?? 0))).toBeLessThan(8);
  });

  it('soil that is frozen at the top alone is not watered before it has thawed', async () => {
    const { reasons, summary } = await farm.advise('Frozen top');
    expect(reasons).toContain('TOP_FROZEN');
    expect(reasons).not.toContain('SLICE_WITHOUT_VALUE');
    expect(summary).not.toContain('needs water now');
    expect((await farm.advise('Cool soil')).reasons).not.toContain('TOP_FROZEN');

    const { needsWater, checkFirst } = await farm.body('morning_brief');
    expect(JSON.stringify(checkFirst)).toContain('"Frozen top"');
    expect(JSON.stringify(needsWater)).not.toContain('"Frozen top"');
  });

  it('probes on one valve are compared by what is not frozen', async () => {
    for (const name of ['Frozen top', 'Beside frozen top'])
      expect((await farm.advise(name)).reasons).not.toContain('PROBES_DIFFER');
    expect((await farm.body('farm_overview')).summary).not.toMatch(/Unlike others/);
  });

  it('a rise while soil thaws is no watering, and the same rise in warmer soil is one', async () => {
    const unloggedOf = async (module: string) =>
      (await farm.body('review_waterings', { module })).unlogged;
    expect(await unloggedOf('Thawed')).toEqual([]);
    expect(await unloggedOf('Rained on')).toHaveLength(1);
  });

  it('the brief is silent about a crop at rest, and about its silent probe', async () => {
    const { needsWater, checkFirst, unjudged, silentModules } = await farm.body('morning_brief');
    const named = JSON.stringify({ needsWater, checkFirst, unjudged, silentModules });
    expect(named).toContain('Evergreen');
    for (const name of ['Dormant', 'Bare', 'Wheat', 'Silent', 'Frozen"'])
      expect(named).not.toContain(`"${name}`);
  });

  it('the brief asks whether a bare field rests, and not what has been said or never rests', async () => {
    const { restUnknown, summary } = await farm.body('morning_brief');
    expect(restUnknown).toEqual([(await farm.advise('Bare')).moduleId]);
    expect(summary).toContain(
      'Is the crop at rest? It is cold or winter, so Bare block gets no amount',
    );
  });

  it('the overview shows no state of a crop at rest', async () => {
    const { data } = await farm.body('farm_overview');
    const dormant = data.find(({ name }: { name: string }) => name === 'Dormant');
    expect(dormant.state).toBeUndefined();
  });
});

describe('in a January of which only a forecast is known', () => {
  it.each([
    [4, true],
    [11, false],
  ])(
    'of %d °C on average, the question whether the crop rests is asked: %s',
    async (celsius, isAsked) => {
      const farm = await situationFarm(
        [
          {
            name: 'Olives',
            moisture: dry(1),
            module: { location: { lat: 43.6, lon: 3.9, source: 'manual' } },
          },
        ],
        { now: NOW },
      );
      const server = await startForecastServer(() =>
        openMeteoAnswer(NOW.slice(0, 10), { celsius }),
      );
      const { code } = await runInProcess(['tick', '--db', farm.db, '--clock', NOW], {
        env: { ACEQUIA_FORECAST: server.base },
      });
      expect(code).toBe(0);
      expect((await farm.advise('Olives')).reasons.includes('REST_UNKNOWN')).toBe(isAsked);
    },
  );
});

describe('in a mild January', () => {
  it('an evergreen gets its amount although nobody said when it rests', async () => {
    const farm = await situationFarm([{ name: 'Olives', moisture: dry(1) }], {
      now: NOW,
      weather: weatherOf(11),
    });
    const { reasons, durationMin } = await farm.advise('Olives');
    expect(reasons).not.toContain('REST_UNKNOWN');
    expect(durationMin).toBeGreaterThan(60);

    const { restUnknown, summary } = await farm.body('morning_brief');
    expect(restUnknown).toBeUndefined();
    expect(summary).not.toContain('at rest');
  });
});

describe('in a January without any thermometer', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm(
      [
        { name: 'Vine', parcel: { type: 'wine grapes' }, moisture: dry(1) },
        { name: 'Evergreen', moisture: dry(2), calls: [NEVER] },
        { name: 'Under glass', parcel: { type: 'tomato, greenhouse' }, moisture: dry(2) },
        {
          name: 'Garlic',
          parcel: { type: 'garlic', season: { plantedOn: '2026-10-20' } },
          moisture: dry(2),
        },
      ],
      { now: NOW },
    );
  });

  it('a vine may be dormant, which is asked', async () => {
    const advice = await farm.advise('Vine');
    expect(advice.reasons).toContain('REST_UNKNOWN');
    expect(advice).toMatchObject({ durationMin: null, daysToStress: null });
    expect(advice.summary).toMatch(
      /or it is winter and there is no thermometer\), when a crop may be dorm/,
    );
    const { restUnknown, needsWater } = await farm.body('morning_brief');
    expect(restUnknown).toHaveLength(1);
    expect(needsWater).not.toMatchObject([{ name: 'Vine' }]);
  });

  it('nothing is asked of a crop that grows', async () => {
    for (const name of ['Evergreen', 'Under glass', 'Garlic']) {
      const { reasons, durationMin } = await farm.advise(name);
      expect([name, reasons.includes('REST_UNKNOWN'), durationMin !== null]).toEqual([
        name,
        false,
        true,
      ]);
    }
  });

  it('nothing is asked in the tropics, nor in the summer of the south', async () => {
    for (const lat of [14.6, -33.9]) {
      const other = await situationFarm(
        [
          {
            name: 'Vine',
            moisture: dry(1),
            module: { location: { lat, lon: 18.6, source: 'manual' } },
          },
        ],
        { now: NOW },
      );
      expect((await other.advise('Vine')).reasons).not.toContain('REST_UNKNOWN');
    }
  });
});

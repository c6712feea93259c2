import { beforeAll, describe, expect, it } from 'vitest';
import type { ReasonKind } from '../../../../src/domain/advice/reason-kinds.ts';
import { HOUR_MS } from '../../../../src/domain/periods.ts';
import { CLOCK, type Json } from '../../program.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const soil = (daysBefore?: number): Course => simulatedSoil({ depthsCm: [10, 30, 50], daysBefore });
const dry = soil();
const moist = soil(6);
const slowlyWetter: Course = (depthCm, daysBefore) =>
  Math.round(100 * (24 + depthCm / 100 - daysBefore / 30)) / 100;

const draw = (fill: string, value: number): readonly [string, Json] => [
  'create_annotation',
  { type: 'h-line', unit: 'vwc', at: 'yesterday', value, style: { fill } },
];
const FIELD_CAPACITY = draw('threshold1', 28);

const watering = (hoursAhead: number, more: Json = {}): Partial<Situation> => ({
  calls: [
    [
      'log_watering',
      {
        startedAt: new Date(Date.parse(CLOCK) + hoursAhead * HOUR_MS).toISOString(),
        durationMin: 240,
        inputMode: 'duration',
        ...more,
      },
    ],
  ],
});

const CASES: readonly (readonly [ReasonKind, Partial<Situation>])[] = [
  ['NO_SOIL_MOISTURE', { module: { category: 'WEATHER_STATION' } }],
  ['NO_DATA', { moisture: () => null }],
  ['NO_SOIL_PROFILE', { parcel: { soilProfile: undefined } }],
  ['NO_STRESS_POINT', { parcel: { soilProfile: undefined } }],
  [
    'DEPTH_WITHOUT_LAYER',
    { parcel: { soilProfile: [{ usdaClass: 'Loam', depthTopCm: 0, depthBottomCm: 20 }] } },
  ],
  ['NO_INSTALLATION', { installation: null }],
  ['MISSING_FLOW_RATE', { installation: { flowMmPerH: undefined } }],
  ['MISSING_IRRIGATED_AREA', { installation: { irrigatedAreaM2: undefined } }],
  ['DEFAULT_FRACTION_WETTED', { installation: { fractionWetted: undefined } }],
  ['GAPS', { moisture: (depthCm, days) => (days > 2 && days < 4 ? null : dry(depthCm, days)) }],
  ['DAILY_LIMIT_TOO_SHORT', { module: { settings: { rootDepthCm: 60, hoursPerDay: 0.25 } } }],
  [
    'TOO_WET_FOR_SOIL',
    { moisture: (depthCm, days) => (depthCm === 30 && days < 0.5 ? 62 : dry(depthCm, days)) },
  ],
  ['WILTING_POINT_IN_DOUBT', { calls: [draw('threshold2', 25)] }],
  ['THRESHOLDS_CROSSED', { calls: [draw('threshold2', 45)] }],
  ['FEW_DRY_DAYS', { moisture: moist, days: 2 }],
  ['NOT_DRYING', { moisture: slowlyWetter }],
  ['RECENT_WATERING', watering(-5)],
  ['UNCONFIRMED_WATERING', watering(-9, { status: 'planned' })],
  ['PLANNED_TODAY', watering(2)],
  ['PLANNED_DOSE_UNKNOWN', { ...watering(2), installation: { flowMmPerH: undefined } }],
];

describe('an input', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      ...CASES.map(([name, more]) => ({ name, moisture: dry, days: 8, ...more })),
      { name: 'Dry', moisture: dry, days: 8, calls: [FIELD_CAPACITY] },
      { name: 'Moist', moisture: moist, days: 8, calls: [FIELD_CAPACITY] },
    ]);
  });

  it.each(CASES)('that is missing or in doubt is a reason: %s', async (reason) =>
    expect((await farm.advise(reason)).reasons).toContain(reason),
  );

  it('that is known is none', async () => {
    expect((await farm.advise('Dry')).reasons).toEqual([]);
    expect((await farm.advise('Moist')).reasons).toEqual([]);
  });

  it('that the caller expects is one', async () => {
    const rainy = await farm.advise('Dry', { expectedRainMm: 10 });
    expect(rainy.reasons).toEqual(['EXPECTED_RAIN']);
    expect((await farm.advise('Moist', { demandPercent: 130 })).reasons).toEqual([
      'EXPECTED_DEMAND',
    ]);
  });
});

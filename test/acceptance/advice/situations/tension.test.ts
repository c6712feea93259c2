import { beforeAll, describe, expect, it } from 'vitest';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const draw = (fill: 'wet' | 'dry', height: number): readonly [string, object] => [
  'create_annotation',
  { chartType: 'tensio', type: 'h-line', p1: ['2026-07-01T00:00:00Z', height], style: { fill } },
];

const tensiometer = (name: string, tension: Course, more: Partial<Situation> = {}): Situation => ({
  name,
  tension,
  depthsCm: [30],
  days: 16,
  calls: [draw('wet', 10), draw('dry', 60)].map(([tool, args]) => [tool, { ...args }] as const),
  ...more,
});

/** Rises from 20 kPa to 70, then falls to 8 at once. */
const wetted: Course = (_, daysBefore) =>
  daysBefore < 1.5 ? 8 : Math.max(20, 74 - 3 * daysBefore);
const WATERED_BEFORE = { daysBefore: 9, minutes: 240 };

const MOIST = { depthsCm: [30], wettest: 27, driest: 23 };
/** Moisture of a probe beside it, which gained 4 points when the tension fell. */
const rising = simulatedSoil({ ...MOIST, wetted: [{ daysBefore: 1.7, points: 4 }] });
const drying = simulatedSoil(MOIST);
const soilProbe = (
  name: string,
  of: string,
  moisture: Course,
  more: Partial<Situation> = {},
): Situation => ({
  name,
  moisture,
  depthsCm: [30],
  days: 16,
  parcel: { name: `${of} block` },
  ...more,
});

/** Each gives 18 mm in the wetted zone. */
const FOUR_WATERINGS = [8, 6, 4, 2].map((daysBefore) => ({ daysBefore, minutes: 300 }));
/** Rises by 8 kPa a day from 50, and falls to 12 some hours after each of these days. */
const drinking =
  (days: readonly number[]): Course =>
  (_, daysBefore) => {
    const last = days.filter((day) => day - 0.2 >= daysBefore).at(-1);
    return last === undefined ? 50 + 8 * (16 - daysBefore) : 12 + 8 * (last - daysBefore);
  };

const OWN_VALVE = { installation: { system: 'drip', flowMmPerH: 1.25, fractionWetted: 0.35 } };
const wateredSister = {
  ...MOIST,
  wetted: FOUR_WATERINGS.map(({ daysBefore }) => ({ daysBefore, points: 4 })),
};

/** Water keeps 30 cm near field capacity, where a watering takes away 2 kPa; none comes to 60 cm. */
const wetAbove: Course = (depthCm, daysBefore) =>
  depthCm === 60
    ? 140 + 0.3 * (16 - daysBefore)
    : 10.5 + (drinking([8, 6, 4, 2])(30, daysBefore)! - 12) / 8;

describe('a tensiometer', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      tensiometer('Shorted', (_, days) => (days < 7 ? 0 : 25)),
      tensiometer('Winter', (_, days) => 2 + 0.3 * Math.sin(days)),
      tensiometer('Lost contact', (_, days) => Math.min(239, 280 - 10 * days)),
      tensiometer('Drying', (_, days) => 180 - 10 * days),
      tensiometer('Without a dry level', () => 40, { calls: [] }),
      tensiometer('Jumped', wetted, { waterings: [WATERED_BEFORE] }),
      tensiometer('Watered', wetted, {
        waterings: [WATERED_BEFORE, { daysBefore: 1.7, minutes: 240 }],
      }),
      tensiometer('Fell with others', wetted, { waterings: [WATERED_BEFORE] }),
      soilProbe('Rose', 'Fell with others', rising),
      tensiometer('Fell alone', wetted, { waterings: [WATERED_BEFORE] }),
      soilProbe('Dried', 'Fell alone', drying),
      tensiometer('Dry beside', drinking([]), { waterings: FOUR_WATERINGS }),
      tensiometer('Drinking', drinking([8, 6, 4, 2]), { waterings: FOUR_WATERINGS }),
      tensiometer('Wet all along', (_, days) => 14 + 0.5 * Math.sin(2 * Math.PI * days), {
        waterings: FOUR_WATERINGS,
      }),
      tensiometer('Logged late', drinking([13, 10, 7, 4]), {
        waterings: [11, 8, 5, 2].map((daysBefore) => ({ daysBefore, minutes: 300 })),
      }),
      tensiometer('On the same valve', drinking([])),
      soilProbe('Watered with it', 'On the same valve', simulatedSoil(wateredSister), {
        waterings: FOUR_WATERINGS,
      }),
      tensiometer('On another valve', drinking([])),
      soilProbe('On its own valve', 'On another valve', simulatedSoil(wateredSister), {
        waterings: FOUR_WATERINGS,
        module: OWN_VALVE,
      }),
      tensiometer('Wet above', wetAbove, {
        depthsCm: [30, 60],
        waterings: FOUR_WATERINGS,
        // Both depths count equally.
        module: { settings: {} },
      }),
      tensiometer('Frozen', () => 5, { temperature: (_, days) => (days < 3 ? -1 : 14) }),
      tensiometer('Cool', () => 5, { temperature: () => 12 }),
    ]);
  });

  const withheld = { daysToStress: null, durationMin: null, waterMm: null };

  it.each([
    ['Shorted', 'TENSION_AT_ZERO', /^Its tension at 30 cm has stood at 0 kPa since/],
    ['Lost contact', 'TENSION_AT_LIMIT', /^Its tension at 30 cm has stood at 239 kPa since/],
    ['Jumped', 'TENSION_FELL', /^Its tension at 30 cm fell from 6\d(\.\d)? to 8 kPa/],
    ['Fell alone', 'TENSION_FELL', /^Its tension at 30 cm fell from 6\d(\.\d)? to 8 kPa/],
    [
      'Dry beside',
      'NO_RESPONSE',
      /^No depth showed the 4 waterings since .*: check the valve and the filter/,
    ],
    [
      'On the same valve',
      'NO_RESPONSE',
      /^No depth showed the 4 waterings since .*: check the valve and the filter/,
    ],
    ['Frozen', 'FROZEN', /^Half of the measured soil or more is frozen/],
  ])('%s: says neither wet nor dry while it is in doubt', async (name, reason, beginning) => {
    const advice = await farm.advise(name);
    expect(advice).toMatchObject({ ...withheld, reasons: expect.arrayContaining([reason]) });
    expect(advice.summary).toMatch(beginning);
    expect(advice.summary).not.toMatch(/Water now|No need|is wet|too dry:/);
  });

  it.each([
    ['Winter', null, 'Winter is wet: 2'],
    ['Drying', 0, 'Water now. Drying is too dry'],
    ['Watered', null, 'No need to water yet. Watered is wet: 8 kPa'],
    ['Fell with others', null, 'No need to water yet. Fell with others is wet: 8 kPa'],
    ['Drinking', null, 'No need to water yet. Drinking is in comfort'],
    ['Wet all along', null, 'No need to water yet. Wet all along is in comfort'],
    ['On another valve', 0, 'Water now. On another valve is too dry'],
    ['Wet above', 0, 'Water now. Wet above is too dry'],
    ['Cool', null, 'No need to water yet. Cool is wet: 5 kPa'],
  ])('%s: is believed', async (name, daysToStress, sentence) => {
    const advice = await farm.advise(name);
    expect(advice.daysToStress).toBe(daysToStress);
    expect(advice.reasons).toEqual(['TENSION_ONLY']);
    expect(advice.tension).not.toHaveProperty('suspect');
    expect(advice.summary).toContain(sentence);
  });

  it('gives no verdict where nobody drew a dry level', async () => {
    const { reasons, tension } = await farm.advise('Without a dry level');
    expect(reasons).toEqual(['NO_DRY_LEVEL', 'TENSION_ONLY']);
    expect(tension?.isDry).toBeNull();
  });

  it('may have a log that is wrong by days, which is said instead', async () => {
    const { reasons, unseenWaterings } = await farm.advise('Logged late');
    expect(reasons).toEqual(['LOG_SHIFTED', 'TENSION_ONLY']);
    expect(unseenWaterings?.shiftDays).toBe(-2);
  });

  it('is reviewed by its falls: which depth showed each watering, and by how much', async () => {
    const review = async (module: string) => {
      const { waterings, unlogged, summary } = await farm.body('review_waterings', { module });
      const rows = waterings as { response: string; depths: { fallTensio: number }[] }[];
      return { rows, unlogged, summary };
    };
    const drinking = await review('Drinking');
    expect(drinking.rows.map(({ response }) => response)).toEqual(Array(4).fill('reached'));
    // Two days at 8 kPa a day bring it from 12 to some 28.
    expect(drinking.rows[0]?.depths[0]?.fallTensio).toBeGreaterThan(14);
    expect(drinking.rows[0]?.depths[0]?.fallTensio).toBeLessThan(18);
    expect(drinking.unlogged).toEqual([]);
    expect(drinking.summary).toContain('By its tension');

    const dry = await review('Dry beside');
    expect(dry.rows.map(({ response }) => response)).toEqual(Array(4).fill('no_response'));
    expect(dry.summary).toMatch(/No depth showed the 4 waterings since .*: check the valve/);
  });

  it('is checked first in the brief while it is in doubt, and not called saturated', async () => {
    const { checkFirst, needsWater } = await farm.body('morning_brief');
    const named = (rows: unknown) => (rows as { name: string }[]).map(({ name }) => name).sort();
    expect(named(checkFirst)).toEqual([
      'Dry beside',
      'Fell alone',
      'Jumped',
      'Lost contact',
      'On the same valve',
      'Shorted',
    ]);
    expect(named(needsWater)).toEqual(['Drying', 'On another valve', 'Wet above']);
    expect(await farm.body('get_agronomic_state', { module: 'Shorted' })).toMatchObject({
      state: null,
      tension: { suspect: [{ reason: 'TENSION_AT_ZERO', depth: 30, value_tensio: 0 }] },
    });
    expect(await farm.body('get_agronomic_state', { module: 'Winter' })).toMatchObject({
      state: 'saturated',
    });
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { Course } from './simulated-soil.ts';
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

/** From 20 kPa up to 70, then suddenly 8. */
const wetted: Course = (_, daysBefore) =>
  daysBefore < 1.5 ? 8 : Math.max(20, 74 - 3 * daysBefore);
const WATERED_BEFORE = { daysBefore: 9, minutes: 240 };

describe('a tensiometer', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      tensiometer('Shorted', (_, days) => (days < 7 ? 0 : 25)),
      tensiometer('Winter', (_, days) => 2 + 0.3 * Math.sin(days)),
      tensiometer('Lost contact', (_, days) => Math.min(239, 280 - 10 * days)),
      tensiometer('Drying', (_, days) => 180 - 10 * days),
      tensiometer('Jumped', wetted, { waterings: [WATERED_BEFORE] }),
      tensiometer('Watered', wetted, {
        waterings: [WATERED_BEFORE, { daysBefore: 1.7, minutes: 240 }],
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
    ['Frozen', 'FROZEN', /^Soil that weighs half of its curve or more is frozen/],
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
    ['Cool', null, 'No need to water yet. Cool is wet: 5 kPa'],
  ])('%s: is believed', async (name, daysToStress, sentence) => {
    const advice = await farm.advise(name);
    expect(advice.daysToStress).toBe(daysToStress);
    expect(advice.reasons).toEqual(['TENSION_ONLY']);
    expect(advice.tension).not.toHaveProperty('suspect');
    expect(advice.summary).toContain(sentence);
  });

  it('is checked first in the brief while it is in doubt, and not called saturated', async () => {
    const { checkFirst, needsWater } = await farm.body('morning_brief');
    const named = (rows: unknown) => (rows as { name: string }[]).map(({ name }) => name).sort();
    expect(named(checkFirst)).toEqual(['Jumped', 'Lost contact', 'Shorted']);
    expect(named(needsWater)).toEqual(['Drying']);
    expect(await farm.body('get_agronomic_state', { module: 'Shorted' })).toMatchObject({
      state: null,
      tension: { suspect: [{ reason: 'TENSION_AT_ZERO', depth: 30, value_tensio: 0 }] },
    });
    expect(await farm.body('get_agronomic_state', { module: 'Winter' })).toMatchObject({
      state: 'saturated',
    });
  });
});

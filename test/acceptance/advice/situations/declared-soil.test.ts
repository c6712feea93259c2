import { beforeAll, describe, expect, it } from 'vitest';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
const sandyLoam = (seed: number) =>
  simulatedSoil({ depthsCm, wettest: 20, driest: 12, seed, wetted: wettings });
const clay = (seed: number) =>
  simulatedSoil({ depthsCm, wettest: 40, driest: 32, seed, wetted: wettings });
const wettings = [12, 8, 4].map((daysBefore) => ({ daysBefore, points: 3 }));
const waterings = wettings.map(({ daysBefore }) => ({ daysBefore, minutes: 300 }));

/** Loses contact with the soil little by little, from the wilting point on. */
const losingContact: Course = (depthCm, daysBefore) =>
  Math.round(
    (14 - Math.max(0, 7 - daysBefore) * 1.3 + 0.1 * Math.sin(depthCm + daysBefore)) * 100,
  ) / 100;

const drawn = (height: number) =>
  [
    'create_annotation',
    {
      type: 'h-line',
      p1: ['2026-07-01T08:00:00Z', height],
      style: { fill: 'threshold1' },
    },
  ] as const;

const probe = (name: string, moisture: Course, more: Partial<Situation> = {}): Situation => ({
  name,
  moisture,
  waterings,
  ...more,
});

const withRoots = (rootDepthCm: number) => ({ settings: { rootDepthCm } });

describe('soil that is not what was declared', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    farm = await situationFarm([
      probe('Sandy loam as clay', sandyLoam(1), { usdaClass: 'Clay' }),
      probe('Sandy loam', sandyLoam(2), { usdaClass: 'Sandy loam' }),
      probe('Losing contact', losingContact, { waterings: [] }),
      probe('At the wilting point', simulatedSoil({ depthsCm, wettest: 18, driest: 10, seed: 3 }), {
        waterings: [],
      }),
      probe('Clay as sand', clay(4), { usdaClass: 'Sand' }),
      probe('Dry beside it', simulatedSoil({ depthsCm, wettest: 9, driest: 5, seed: 7 }), {
        parcel: { name: 'Clay as sand block' },
        waterings: [],
      }),
      probe('Clay', clay(5), { usdaClass: 'Clay' }),
      probe('Clay as sand, drawn', clay(6), { usdaClass: 'Sand', calls: [drawn(40), drawn(40)] }),
      probe('Paddy', clay(7), { usdaClass: 'Sand', parcel: { type: 'rice' } }),
    ]);
  });

  it('gets no amount where roots cannot have dried it', async () => {
    for (const name of ['Sandy loam as clay', 'Losing contact']) {
      const { reasons, durationMin, summary } = await farm.advise(name);
      expect([name, durationMin]).toEqual([name, null]);
      expect(reasons).toEqual(expect.arrayContaining(['MOSTLY_IN_DOUBT', 'TOO_DRY_FOR_SOIL']));
      expect(summary).toMatch(/at 50 cm, where its soil keeps at least .* and the soil profile/);
    }
  });

  it('is not called wet enough where it never drains to what such soil holds', async () => {
    const advice = await farm.advise('Clay as sand');
    expect(advice.reasons).toContain('SOIL_IN_DOUBT');
    expect(advice).toMatchObject({ durationMin: null, daysToStress: null });
    expect(advice.summary).toMatch(/^In two weeks it has never drained .* check the texture/);
    expect(advice.summary).not.toMatch(/needs no water/);
    // It may stand in water, so it is not to get what a dry one lacks.
    expect((await farm.advise('Dry beside it')).waterMm).toBeGreaterThan(1);
    expect(advice.meanwhile).toMatchObject({ basis: 'recent' });
  });

  it('is in no doubt where it is as declared, or a person drew what it holds', async () => {
    for (const name of [
      'Sandy loam',
      'At the wilting point',
      'Clay',
      'Clay as sand, drawn',
      'Paddy',
    ]) {
      const { reasons, doubts } = await farm.advise(name);
      expect([name, doubts]).toEqual([name, []]);
      expect(reasons).not.toContain('SOIL_IN_DOUBT');
    }
  });

  it('is to be checked first in the brief', async () => {
    const { checkFirst } = await farm.body('morning_brief');
    expect((checkFirst as { name: string }[]).map(({ name }) => name).sort()).toEqual([
      'Clay as sand',
      'Losing contact',
      'Sandy loam as clay',
    ]);
  });
});

describe('sensors that do not stand among the roots', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    const at = (...depths: number[]): Partial<Situation> => ({
      depthsCm: depths,
      moisture: simulatedSoil({ depthsCm: depths, wettest: 24 }),
      waterings: [],
    });
    farm = await situationFarm([
      probe('Below lettuce', sandyLoam(1), { ...at(60, 90), module: withRoots(30) }),
      probe('Just below lettuce', sandyLoam(1), { ...at(35), module: withRoots(30) }),
      probe('In the crust', sandyLoam(1), { ...at(5), module: withRoots(60) }),
      probe('In a lawn', sandyLoam(1), { ...at(10), module: withRoots(25) }),
    ]);
  });

  it('say nothing of what these lack', async () => {
    for (const name of ['Below lettuce', 'In the crust']) {
      const advice = await farm.advise(name);
      expect(advice.reasons).toContain('ROOTS_NOT_MEASURED');
      expect(advice).toMatchObject({ deficitMm: null, durationMin: null, daysToStress: null });
      expect(advice.summary).toMatch(/^All of its sensors lie below its roots, or/);
    }
  });

  it('are believed close to them', async () => {
    for (const name of ['Just below lettuce', 'In a lawn']) {
      const { reasons, durationMin } = await farm.advise(name);
      expect(reasons).not.toContain('ROOTS_NOT_MEASURED');
      expect([name, (durationMin ?? 0) > 30]).toEqual([name, true]);
    }
  });
});

describe('sensors above most of the roots', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    const at = (rootDepthCm: number, ...depths: number[]): Partial<Situation> => ({
      depthsCm: depths,
      moisture: simulatedSoil({ depthsCm: depths, wettest: 27.6, driest: 27 }),
      waterings: [],
      module: withRoots(rootDepthCm),
      parcel: { type: 'peach' },
      calls: [drawn(28)],
    });
    farm = await situationFarm([
      probe('Shallow', sandyLoam(1), at(100, 10, 20)),
      probe('To the middle', sandyLoam(1), at(100, 10, 30, 50)),
      probe('Young trees', sandyLoam(1), at(60, 10, 20)),
    ]);
  });

  it('do not tell that these need no water', async () => {
    const advice = await farm.advise('Shallow');
    expect(advice).toMatchObject({
      confidence: 'partial',
      reasons: ['DEEP_ROOTS_NOT_MEASURED'],
    });
    expect(advice.summary).toMatch(
      /^Its sensors tell of the soil down to 25 cm only, but roots of 100 cm usually take up most of their water below that, .*: look at it with an auger/,
    );
    expect(advice.summary).not.toMatch(/not need|needs no/);
    const { checkFirst, summary } = await farm.body('morning_brief');
    expect(checkFirst).toMatchObject([{ name: 'Shallow', reason: 'DEEP_ROOTS_NOT_MEASURED' }]);
    expect(summary).toMatch(
      /^Check first: Shallow at \S+ % \(its roots go far below its sensors\)/,
    );
  });

  it('are believed where they reach a third of them', async () => {
    for (const name of ['To the middle', 'Young trees']) {
      const { confidence, reasons, summary } = await farm.advise(name);
      expect([name, confidence, reasons]).toEqual([name, 'complete', []]);
      expect(summary).toContain('does not need water now');
    }
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../demo/farm/random.ts';
import { simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
/** So little less than the whole area that nothing may depend on it. */
const ALMOST_ALL = 0.999999;

/** 6 mm/h: five hours give 30 mm. */
const sprinkling = (minutes: number, days: readonly number[]) => ({
  installation: { flowMmPerH: 6, fractionWetted: 1 },
  waterings: days.map((daysBefore) => ({ daysBefore, minutes })),
});
const WATERED = [8, 6, 4, 2];
const dry = simulatedSoil({ depthsCm, wettest: 18 });
const wetted = simulatedSoil({
  depthsCm,
  wettest: 18,
  wetted: WATERED.map((daysBefore) => ({ daysBefore, points: 6 })),
});

/** Systems that wet the whole area, and drip that is said to. */
const SYSTEMS = ['sprinkler', 'pivot', 'gravity', 'drip'] as const;

const closedAndOpen = SYSTEMS.flatMap((system): Situation[] =>
  [
    { name: `closed ${system}`, moisture: dry },
    { name: `open ${system}`, moisture: wetted },
  ].map((situation) => {
    const { installation, ...rest } = sprinkling(300, WATERED);
    return { ...situation, ...rest, installation: { ...installation, system } };
  }),
);

/** Above a drawn field capacity of 24 % since eight days. */
const wet = simulatedSoil({ depthsCm, wettest: 31, driest: 30 });
const line = [
  'create_annotation',
  { type: 'h-line', p1: ['2026-06-01T08:00:00Z', 24], style: { fill: 'threshold1' } },
] as const;
const tooWet: readonly Situation[] = [
  { name: 'wet after 30 mm', moisture: wet, calls: [line], ...sprinkling(300, [2]) },
  { name: 'wet after 2 mm', moisture: wet, calls: [line], ...sprinkling(20, [2]) },
];

/** A depth by drip whose equipment nobody declared: its soil may have got three times as much. */
const undeclared: readonly Situation[] = ['Undeclared', 'Undeclared and wetted'].map((name) => ({
  name,
  moisture: name === 'Undeclared' ? dry : wetted,
  installation: null,
  calls: WATERED.map((daysBefore) => [
    'log_watering',
    {
      startedAt: new Date(
        Date.parse('2026-07-01T10:00:00Z') - daysBefore * 86_400_000,
      ).toISOString(),
      inputDepthMm: 8,
    },
  ]),
}));

/** Random courses and waterings, each on equipment that wets all of the area and almost all. */
const random = seededRandom(54);
const pairs = Array.from({ length: 12 }, (_, index): Situation[] => {
  const days = WATERED.map((day) => day + Math.round(4 * random.uniform()) / 4);
  const risen = days.filter(() => random.uniform() < 0.4);
  const wetness = 16 + 16 * random.uniform();
  const rises = risen.map((daysBefore) => ({
    daysBefore: daysBefore + (random.uniform() < 0.3 ? 1 : 0),
    points: 1 + 8 * random.uniform(),
  }));
  const { installation, waterings } = sprinkling(20 + Math.round(300 * random.uniform()), days);
  return [1, ALMOST_ALL].map((fractionWetted) => ({
    name: `pair ${index} by ${fractionWetted}`,
    moisture: simulatedSoil({ depthsCm, seed: index, wettest: wetness, wetted: rises }),
    waterings,
    installation: { ...installation, fractionWetted, system: 'sprinkler' },
  }));
});

let farm: SituationFarm;
beforeAll(async () => {
  farm = await situationFarm([...closedAndOpen, ...tooWet, ...undeclared, ...pairs.flat()]);
});

const kindsOf = async (name: string) => (await farm.advise(name)).reasons;

describe('a valve that stays shut', () => {
  it.each(SYSTEMS)('is doubted on %s, and an open one is not', async (system) => {
    const closed = await farm.advise(`closed ${system}`);
    expect(closed.summary).toMatch(/^No depth showed the 4 waterings/);
    expect(closed.waterMm).toBeNull();
    const open = await farm.advise(`open ${system}`);
    expect(open.summary).not.toContain('No depth showed');
    expect(open.waterMm).toBeGreaterThan(0);
    const review = await farm.body('review_waterings', { module: `open ${system}` });
    expect(review.summary).toContain('; the watering gave 30 mm.');
  });

  it('is not seen where a depth came by equipment that nobody declared', async () => {
    expect(await kindsOf('Undeclared')).not.toContain('NO_RESPONSE');
    expect(await kindsOf('Undeclared and wetted')).not.toContain('NO_RESPONSE');
  });
});

it('wet soil is explained by enough water on equipment that wets the whole area', async () => {
  expect(await kindsOf('wet after 30 mm')).not.toContain('TOO_WET');
  expect(await kindsOf('wet after 2 mm')).toContain('TOO_WET');
});

it('a fraction of 1 and one of almost 1 have the same reasons', async () => {
  for (const [all, almostAll] of pairs) {
    const [advice, twin] = [await farm.advise(all!.name), await farm.advise(almostAll!.name)];
    expect(advice.reasons, all!.name).toEqual(twin.reasons);
    expect(advice.waterMm, all!.name).toBe(twin.waterMm);
  }
});

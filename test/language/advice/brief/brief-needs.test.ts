import { describe, expect, it } from 'vitest';
import { sentences } from '../../../../src/domain/text/say.ts';
import {
  describeChecks,
  describeNeeds,
} from '../../../../src/language/advice/brief/brief-needs.ts';
import type { BriefBody } from '../../../../src/schema/advice/brief.ts';
import { contextOf, MODULE } from '../../context.ts';
import { renderText } from '../../render-text.ts';
import { type BriefChanges, briefOf, NORTH } from './sample-brief.ts';

const context = contextOf({
  modules: [MODULE, { ...MODULE, id: 2, name: 'North 2' }],
  parcels: [{ id: 1, name: 'North block' }],
});

const NEED = {
  ...NORTH,
  parcelId: null,
  probes: 1,
  dryProbes: 1,
  plannedMm: 0,
  daysToStress: 0,
  remainingMin: null,
  todayMin: null,
  remainingMm: { least: 8.26, most: 12.4 },
};

const span = (least: number, most = least) => ({ least, most });
const hours = (today: number, total = today) => ({
  todayMin: span(60 * today),
  remainingMin: span(60 * total),
});
/** 4 hours today on each of the probes P1, P2 and so on. */
const needsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...NEED, name: `P${index + 1}`, ...hours(4) }));

const needsSaid = async (changes: BriefChanges, units?: 'us') =>
  renderText(sentences(await describeNeeds(briefOf(changes), context)), units);

describe('the water that is needed today', () => {
  it.each<[string, object]>([
    ['North 1 at 14.2 % by 8.3 to 12 mm, under stress', {}],
    ['North 1 at 14.2 % by 8.3 mm, under stress', { remainingMm: span(8.26, 8.31) }],
    [
      'North 1 at 14.2 % by an amount that is not known yet',
      { remainingMm: null, daysToStress: null },
    ],
    ['North 1 at 14.2 % for 4 h, stress in about 3 days', { ...hours(4), daysToStress: 3 }],
    ['North 1 at 14.2 % for 2 h today of 5 h in all, under stress', hours(2, 5)],
    [
      'North 1 at 14.2 % for 1 h 10 min to 2 h, under stress',
      { todayMin: span(70, 120), remainingMin: span(70, 120) },
    ],
    [
      'North 1 at 14.2 % for 2 h beyond the 6 mm planned today, if it runs, under stress',
      { ...hours(2), plannedMm: 6 },
    ],
    [
      'North 1 at 14.2 % for 2 h beyond a watering of unknown dose planned today, if it runs, under stress',
      { ...hours(2), plannedMm: null },
    ],
    [
      'North block (2 of 3 probes: North 1 at 14.2 % and 1 more) for 2 h, under stress',
      { parcelId: 1, probes: 3, dryProbes: 2, ...hours(2) },
    ],
    [
      'North block (2 of 3 probes: P1 at 11 % and North 1 at 14.2 %) for 2 h, under stress, unlike North 2 on the same valve',
      {
        parcelId: 1,
        probes: 3,
        dryProbes: 2,
        driest: [{ moduleId: 5, name: 'P1', value_vwc: 11 }, NORTH],
        differing: [2],
        ...hours(2),
      },
    ],
    [
      'North 1, at 77 kPa above its dry level of 60 (higher is drier)',
      { value_vwc: null, value_tensio: 77, dryLevel: 60 },
    ],
  ])('is %j', async (need, changes) =>
    expect(await needsSaid({ needsWater: [{ ...NEED, ...changes }] })).toBe(
      `Water today: ${need}.`,
    ),
  );

  const FIRST = 'P1 at 14.2 % for 4 h, under stress; P2 at 14.2 % for 4 h, under stress';

  it.each<[string, BriefChanges]>([
    [`: ${FIRST}; P3, P4 and P5 for 4 h each`, { needsWater: needsOf(5) }],
    [
      `: ${FIRST}; P3 and P5 for 4 h each; P4 for 1 h to 2 h`,
      {
        needsWater: needsOf(5).map((need, index) =>
          index === 3 ? { ...need, todayMin: span(60, 120) } : need,
        ),
      },
    ],
    [
      `, 36 h in all: ${FIRST}; P3, P4, P5, P6, P7, P8 and P9 for 4 h each`,
      { needsWater: needsOf(9) },
    ],
    [
      `, 54 h in all: ${FIRST}; P3, P4, P5, P6, P7, P8 and P9 for 4 h each; North block for 2 h; and 4 more (16 h today in all)`,
      {
        needsWater: [
          ...needsOf(9),
          { ...NEED, parcelId: 1, probes: 3, dryProbes: 2, todayMin: span(60, 120) },
        ],
        leftOut: { needsWater: 4 },
        leftOutMin: 16 * 60,
      },
    ],
    [
      ': North 1 at 14.2 % by 8.3 to 12 mm, under stress; North 1 at 14.2 % by 8.3 to 12 mm, under stress; North 1, North 1, North 1, North 1, North 1, North 1 and North 1',
      { needsWater: Array(9).fill(NEED) },
    ],
    [
      `: ${FIRST}; P3 and P4 for 4 h each`,
      { needsWater: needsOf(4), checkFirst: [{ ...NORTH, reason: 'RECENT_WATERING', doubts: [] }] },
    ],
  ])('of many is %j', async (needs, changes) =>
    expect(await needsSaid(changes)).toBe(`Water today${needs}.`),
  );

  it('names thirteen dry probes and the time of each', async () => {
    const text = await needsSaid({ needsWater: needsOf(13) });
    for (let probe = 1; probe <= 13; probe++) expect(text).toMatch(new RegExp(`P${probe}\\b`));
    expect(text).toContain('52 h in all');
    expect(text).not.toContain('more');
  });

  const lack = (subject: string, amount: string): string =>
    `is that of a texture class: ${subject} may lack some ${amount} of roots, and twice that in clay or among stones.`;
  const LACK = '30 mm more or less in 60 cm';
  const LACK_US = '1.2 in (30 mm) more or less in 24 in (60 cm)';

  // 8.26 mm are 0.325 in, 12.4 mm 0.488.
  it.each([
    [
      undefined,
      1,
      `by 8.3 to 12 mm, under stress. The field capacity of one of these probes ${lack('it', LACK)}`,
    ],
    [
      undefined,
      6,
      `by 8.3 to 12 mm, under stress. The field capacity of 6 of these probes ${lack('each', LACK)}`,
    ],
    [
      'us',
      1,
      `by 0.33 to 0.49 in (8.3 to 12 mm), under stress. The field capacity of one of these probes ${lack('it', LACK_US)}`,
    ],
  ] as const)('may be more or less in %s units, of %d', async (units, count, end) =>
    expect(await needsSaid({ needsWater: [NEED], estimatedCapacities: count }, units)).toBe(
      `Water today: North 1 at 14.2 % ${end}`,
    ),
  );

  it('is nothing to say where none is needed', async () => expect(await needsSaid({})).toBe(''));
});

type Check = BriefBody['checkFirst'][number];

const check = (changes: object): Check =>
  ({ ...NORTH, reason: 'RECENT_WATERING', doubts: [], ...changes }) as Partial<Check> as Check;

const TOO_WET = check({
  reason: 'TOO_WET_FOR_SOIL',
  doubts: [
    { reason: 'TOO_WET_FOR_SOIL', depth: 30, value_vwc: 62.04, limit_vwc: 46.3, since: null },
  ],
});

describe('what is to be checked first', () => {
  const soaking = (count: number) =>
    Array.from({ length: count }, (_, index) => check({ name: `P${index + 1}` }));

  it.each<[string, string, readonly Check[], number]>([
    [
      'North 1 at 14.2 % (a recent watering may be soaking in)',
      'North 1 at 14.2 % (a recent watering may be soaking in)',
      [check({})],
      0,
    ],
    [
      'North 1 (62 % at 30 cm, where its soil holds at most 46.3 %); North 1 at 14.2 % (a recent watering may be soaking in)',
      'North 1 (62 % at 12 in [30 cm], where its soil holds at most 46.3 %); North 1 at 14.2 % (a recent watering may be soaking in)',
      [TOO_WET, check({})],
      0,
    ],
    [
      'North 1 at 14.2 % (a recent watering may be soaking in; until then 4 h, 18 mm by the water balance)',
      'North 1 at 14.2 % (a recent watering may be soaking in; until then 4 h, 0.72 in [18 mm] by the water balance)',
      [
        check({
          meanwhile: {
            basis: 'balance',
            moduleId: null,
            waterMm: 18.25,
            durationMin: 240,
            daysToStress: 0,
          },
        }),
      ],
      0,
    ],
    [
      'North 1 (a sensor reads too wet for the soil); P1 at 14.2 %, P2 at 14.2 % (a recent watering may be soaking in)',
      'North 1 (a sensor reads too wet for the soil); P1 at 14.2 %, P2 at 14.2 % (a recent watering may be soaking in)',
      [TOO_WET, ...soaking(2)],
      0,
    ],
    [
      'P1 at 14.2 %, P2 at 14.2 %, P3 at 14.2 %, P4, P5, P6 (a recent watering may be soaking in)',
      'P1 at 14.2 %, P2 at 14.2 %, P3 at 14.2 %, P4, P5, P6 (a recent watering may be soaking in)',
      soaking(6),
      0,
    ],
    [
      'P1 at 14.2 %, P2 at 14.2 %, P3 at 14.2 % (a recent watering may be soaking in); and 9 more',
      'P1 at 14.2 %, P2 at 14.2 %, P3 at 14.2 % (a recent watering may be soaking in); and 9 more',
      soaking(10),
      2,
    ],
  ])('is %j', (metric, us, checkFirst, leftOut) => {
    const brief = briefOf({ checkFirst, leftOut: { checkFirst: leftOut } });
    const text = sentences(describeChecks(brief, context));
    expect(renderText(text)).toBe(`Check first: ${metric}.`);
    expect(renderText(text, 'us')).toBe(`Check first: ${us}.`);
  });

  it('is nothing to say where nothing is in doubt', () =>
    expect(describeChecks(briefOf({}), context)).toEqual([]));
});

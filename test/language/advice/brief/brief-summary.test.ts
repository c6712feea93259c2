import { describe, expect, it } from 'vitest';
import { summarizeBrief } from '../../../../src/language/advice/brief/brief-summary.ts';
import { FARM_NOW, HOUR, iso } from '../../../farm.ts';
import { renderAnswer, renderText } from '../../render-text.ts';
import { type BriefChanges, briefOf, context, NORTH } from './sample-brief.ts';

const NEXT = 'Nothing is planned within 48 hours (Europe/Paris).';
const NO_NEED = 'No probe is known to need more water today than is planned.';
const QUIET =
  'All is quiet (Europe/Paris): no probe is known to need more water today than is planned, no alert is firing and every device is sending data; nothing is planned within 48 hours.';

const AT = iso(FARM_NOW - HOUR);
const AHEAD = iso(FARM_NOW + 18 * HOUR);
const IF_IT_RUNS = { ...NORTH, neededMin: 315, startedAt: AHEAD, durationMin: 360 };
const alert = (threshold: string, changes: object = {}) => ({
  ...NORTH,
  value_vwc: 14.2,
  time: AT,
  since: AT,
  threshold,
  ...changes,
});

describe('the morning brief', () => {
  it.each<[string, BriefChanges]>([
    [
      'There are no probes yet: say which ones you have and where, or import a farm file.',
      { modules: 0 },
    ],
    [QUIET, {}],
    [
      `Check first: North 1 at 14.2 % (a recent watering may be soaking in). ${NEXT}`,
      { checkFirst: [{ ...NORTH, reason: 'RECENT_WATERING', doubts: [] }] },
    ],
    [
      `Enough if it runs: North block needs 5 h 15 min, planned tomorrow 06:00 for 6 h; North 1, planned tomorrow 06:00. ${NO_NEED} ${NEXT}`,
      {
        ifItRuns: [
          IF_IT_RUNS,
          { ...IF_IT_RUNS, parcelId: null, neededMin: null, durationMin: null },
        ],
      },
    ],
    [
      `Enough if it runs: North block needs 5 h 15 min, planned tomorrow 06:00 for 6 h; and 4 more. ${NO_NEED} ${NEXT}`,
      { ifItRuns: Array(3).fill(IF_IT_RUNS), leftOut: { ifItRuns: 2 } },
    ],
    [
      `Alerts firing: North 1, 14.2 %, thresholds 20 and 25 %, low since today 11:00. ${NO_NEED} ${NEXT}`,
      { alerts: [alert('20'), alert('25')] },
    ],
    [
      `Alerts firing: North 1, 14.2 % from 29 Jun 12:00, North 2, moisture unknown, threshold 20 %. ${NO_NEED} ${NEXT}`,
      {
        alerts: [
          alert('20', { time: iso(FARM_NOW - 48 * HOUR), since: null }),
          alert('20', { moduleId: 2, name: 'North 2', value_vwc: null, time: null, since: null }),
        ],
      },
    ],
    [
      `Silent gateways: 356938035643809 with North 1 and 1 more, since today 11:00. Silent probes: North 1, no contact yet. Whether they need water is unknown. ${NEXT}`,
      {
        silent: {
          gateways: [{ imei: '356938035643809', modules: 2, names: ['North 1'], lastSeen: AT }],
          modules: [{ ...NORTH, lastAt: null }],
        },
      },
    ],
    [
      `Silent gateways: 356938035643809, no contact yet. ${NO_NEED} ${NEXT}`,
      {
        silent: {
          gateways: [{ imei: '356938035643809', modules: 0, names: [], lastSeen: null }],
          modules: [],
        },
      },
    ],
    [
      `${NO_NEED} Did the watering planned on North 1 today 11:00 run? It is waiting to be confirmed. Unseen waterings, last 7 days: 5 on North block, the last today 11:00. Did they run? Doses missing: 2 on North 1 without its application rate. ${NEXT}`,
      {
        toConfirm: [{ ...NORTH, startedAt: AT, waterMm: null }],
        assumed: [{ ...NORTH, count: 5, startedAt: AT }],
        missingDoses: [{ ...NORTH, count: 2, missing: 'MISSING_FLOW_RATE' }],
      },
    ],
    [
      `${NO_NEED} 3 waterings await confirmation: today 11:00 on North 1; today 11:00 on North 1; and 1 more. Unseen waterings, last 7 days: 1 on North 1, today 11:00; and on 3 more valves. Did they run? Doses missing: 2 on North 1 without its equipment; 1 on North 1 without its irrigated area. ${NEXT}`,
      {
        toConfirm: Array(2).fill({ ...NORTH, startedAt: AT, waterMm: null }),
        assumed: Array(3).fill({ ...NORTH, parcelId: null, count: 1, startedAt: AT }),
        missingDoses: [
          { ...NORTH, count: 2, missing: 'NO_INSTALLATION' },
          { ...NORTH, count: 1, missing: 'MISSING_IRRIGATED_AREA' },
        ],
        leftOut: { toConfirm: 1, assumed: 1 },
      },
    ],
    [
      `${NO_NEED} No dry level (higher is drier): North 1 at 55 kPa, on its soil usually watered at 60 to 100 kPa. Is the crop at rest? It is cold or winter, so North block gets no amount until somebody says when it rests, or that it never does. One watering is planned within 48 hours: tomorrow 06:00 on North 1, 6.5 mm (Europe/Paris).`,
      {
        unjudged: [{ ...NORTH, value_tensio: 55, dryFrom: 60, dryTo: 100 }],
        restUnknown: [1],
        schedule: [{ ...NORTH, startedAt: AHEAD, waterMm: 6.5 }],
      },
    ],
    [
      `${NO_NEED} The wilting point is not below the field capacity: North 1 at 14.2 %; move or delete a line. No dry level (higher is drier): North 1 at 77 kPa. 2 waterings are planned within 48 hours: tomorrow 06:00 on North 1; tomorrow 06:00 on North 1 (Europe/Paris).`,
      {
        unjudged: [
          { ...NORTH, value_tensio: 77 },
          { ...NORTH, isCrossed: true },
        ],
        schedule: Array(2).fill({ ...NORTH, startedAt: AHEAD, waterMm: null }),
      },
    ],
    [
      `Whether it needs water is unknown. No stress point: North 1 at 14.2 %. ${NEXT}`,
      { modules: 1, unjudged: [NORTH] },
    ],
  ])('is %j', async (sentence, changes) =>
    expect(renderText(await summarizeBrief(briefOf(changes), context))).toBe(sentence),
  );

  // 12.04 mm are 0.474 in.
  it.each([
    [undefined, '12 mm (yesterday, North block), 3 mm (today)'],
    ['us', '0.47 in (12 mm) (yesterday, North block), 0.12 in (3 mm) (today)'],
  ] as const)('has the rain in %s units', async (units, rain) => {
    const rows = [
      { parcelId: 1, day: '2026-06-30', mm: 12.04 },
      { parcelId: null, day: '2026-07-01', mm: 3 },
    ];
    const brief = briefOf({ rain: rows });
    expect(renderText(await summarizeBrief(brief, context), units)).toBe(`${QUIET} Rain: ${rain}.`);
  });

  it.each<[string[], BriefChanges]>([
    [['set_module'], { modules: 0 }],
    [['set_soil_profile'], { unjudged: [NORTH] }],
    [['update_annotation', 'delete_annotation'], { unjudged: [{ ...NORTH, isCrossed: true }] }],
    [
      ['correct_watering(status: done or skipped)'],
      { assumed: [{ ...NORTH, count: 5, startedAt: AT }] },
    ],
  ])('leads to %j', async (next, changes) =>
    expect(renderAnswer(await summarizeBrief(briefOf(changes), context)).next).toEqual(next),
  );

  it('can be read aloud with rain and waterings planned: at most 90 words', async () => {
    const brief = briefOf({
      rain: Array(4).fill({ parcelId: 1, day: '2026-06-30', mm: 12 }),
      schedule: Array(9).fill({ ...NORTH, startedAt: AHEAD, waterMm: 6.5 }),
    });
    const summary = renderText(await summarizeBrief(brief, context));
    expect(summary).toMatch(/^All is quiet/);
    expect(summary.split(' ').length).toBeLessThanOrEqual(90);
  });
});

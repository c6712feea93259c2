import { describe, expect, it } from 'vitest';
import { summarizeBrief } from '../../../src/language/advice/brief/brief-summary.ts';
import { summarizeOverview } from '../../../src/language/advice/overview-summary.ts';
import type { BriefBody } from '../../../src/schema/advice/brief.ts';
import type { OverviewBody, OverviewProbe } from '../../../src/schema/advice/overview.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({ modules: [MODULE], parcels: [{ id: 1, name: 'North block' }] });

const NONE_LEFT_OUT = {
  needsWater: 0,
  checkFirst: 0,
  alerts: 0,
  silentGateways: 0,
  silentModules: 0,
  toConfirm: 0,
  missingDoses: 0,
  unjudged: 0,
  restUnknown: 0,
  schedule: 0,
  assumed: 0,
  ifItRuns: 0,
};

const BRIEF = {
  modules: 3,
  needsWater: [],
  checkFirst: [],
  alerts: [],
  silent: { gateways: [], modules: [] },
  toConfirm: [],
  missingDoses: [],
  unjudged: [],
  schedule: [],
  estimatedCapacities: 0,
  leftOutMin: 0,
  leftOut: NONE_LEFT_OUT,
} as Partial<BriefBody> as BriefBody;

const NORTH = { moduleId: 1, name: 'North 1', parcelId: 1, value_vwc: 14.23 };

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
} as Partial<BriefBody['needsWater'][number]> as BriefBody['needsWater'][number];

const NEXT = 'Nothing is planned within 48 hours (Europe/Paris).';
const NO_NEED = 'No probe is known to need more water today than is planned.';

type Changes = { readonly [Key in keyof BriefBody]?: unknown };

const briefSaid = async (changes: Changes, units?: 'us') =>
  renderText(
    await summarizeBrief({ ...BRIEF, ...(changes as Partial<BriefBody>) }, context),
    units,
  );

describe('the morning brief', () => {
  const at = iso(FARM_NOW - HOUR);

  it.each<[string, Changes]>([
    [
      'There are no probes yet: say which ones you have and where, or import a farm file.',
      { modules: 0 },
    ],
    [
      'All is quiet (Europe/Paris): no probe is known to need more water today than is planned, no alert is firing and every device is sending data; nothing is planned within 48 hours. Rain: 12 mm (yesterday, North block), 3 mm (today).',
      {
        rain: [
          { parcelId: 1, day: '2026-06-30', mm: 12 },
          { parcelId: null, day: '2026-07-01', mm: 3 },
        ],
      },
    ],
    [
      `Water today: North 1 at 14.2 % by 8.3 to 12 mm, under stress. ${NEXT}`,
      { needsWater: [NEED] },
    ],
    [
      `Water today: North block (2 of 3 probes: North 1 at 14.2 % and 1 more) for 2 h today of 5 h in all beyond the 4 mm planned today, if it runs, stress in about 3 days. ${NEXT}`,
      {
        needsWater: [
          {
            ...NEED,
            parcelId: 1,
            probes: 3,
            dryProbes: 2,
            plannedMm: 4,
            daysToStress: 3,
            todayMin: { least: 120, most: 120 },
            remainingMin: { least: 300, most: 300 },
          },
        ],
      },
    ],
    [
      `Check first: North 1 at 14.2 % (a recent watering may be soaking in). ${NEXT}`,
      { checkFirst: [{ ...NORTH, reason: 'RECENT_WATERING', doubts: [] }] },
    ],
    [
      `Alerts firing: North 1, 14.2 %, thresholds 20 and 25 %, low since today 11:00. ${NO_NEED} ${NEXT}`,
      {
        alerts: ['20', '25'].map((threshold) => ({
          ...NORTH,
          value_vwc: 14.2,
          time: at,
          since: at,
          threshold,
        })),
      },
    ],
    [
      `Silent gateways: 356938035643809 with North 1 and 1 more, since today 11:00. Silent probes: North 1, no contact yet. Whether they need water is unknown. ${NEXT}`,
      {
        silent: {
          gateways: [{ imei: '356938035643809', modules: 2, names: ['North 1'], lastSeen: at }],
          modules: [{ ...NORTH, lastAt: null }],
        },
      },
    ],
    [
      `${NO_NEED} Did the watering planned on North 1 today 11:00 run? It is waiting to be confirmed. Unseen waterings, last 7 days: 5 on North block, the last today 11:00. Did they run? Doses missing: 2 on North 1 without its application rate. ${NEXT}`,
      {
        toConfirm: [{ ...NORTH, startedAt: at, waterMm: null }],
        assumed: [{ ...NORTH, count: 5, startedAt: at }],
        missingDoses: [{ ...NORTH, count: 2, missing: 'MISSING_FLOW_RATE' }],
      },
    ],
    [
      `${NO_NEED} No dry level (higher is drier): North 1 at 55 kPa, on its soil usually watered at 60 to 100 kPa. Is the crop at rest? It is cold, so North block gets no amount until somebody says when it rests, or that it never does. One watering is planned within 48 hours: tomorrow 06:00 on North 1, 6.5 mm (Europe/Paris).`,
      {
        unjudged: [{ ...NORTH, value_tensio: 55, dryFrom: 60, dryTo: 100 }],
        restUnknown: [1],
        schedule: [{ ...NORTH, startedAt: iso(FARM_NOW + 18 * HOUR), waterMm: 6.5 }],
      },
    ],
    [
      `Whether it needs water is unknown. No stress point: North 1 at 14.2 %. ${NEXT}`,
      { modules: 1, unjudged: [NORTH] },
    ],
  ])('is %j', async (sentence, changes) => expect(await briefSaid(changes)).toBe(sentence));

  it('has US figures of the exact values', async () => {
    expect(await briefSaid({ needsWater: [NEED], estimatedCapacities: 1 }, 'us')).toBe(
      `Water today: North 1 at 14.2 % by 0.33 to 0.49 in (8.3 to 12 mm), under stress. The field capacity of one of these probes is that of a texture class: they may lack some 0.6 in (15 mm) more or less. ${NEXT}`,
    );
  });
});

const PROBE = {
  ...NORTH,
  value_tensio: null,
  time: iso(FARM_NOW - HOUR),
  state: 'comfort',
  daysToStress: null,
  check: null,
} as Partial<OverviewProbe> as OverviewProbe;

describe('the overview of a farm', () => {
  const overviewSaid = (changes: Partial<Parameters<typeof summarizeOverview>[0]>) =>
    renderText(
      summarizeOverview({ probes: 3, stations: 0, groups: [], leftOut: 0, ...changes }),
      'us',
    );
  const group = (name: OverviewBody['groups'][number]['group'], ...first: OverviewProbe[]) => ({
    group: name,
    count: first.length,
    first,
  });

  it.each<[string, Parameters<typeof overviewSaid>[0]]>([
    ['There are no probes, only 2 weather stations.', { probes: 0, stations: 2 }],
    [
      'None is known to need more water today than is planned. None of the 3 probes can be judged by its readings now. 2 less urgent ones are not listed here.',
      { leftOut: 2 },
    ],
    [
      '1 needs water today: North 1, 14.2 %, stress in about 3 days. Check before watering: South 2 (a sensor is stuck). Silent: West 3, since today 11:00.',
      {
        groups: [
          group('needsWater', { ...PROBE, daysToStress: 3 }),
          group('driest', { ...PROBE, daysToStress: 3 }),
          group('checkFirst', { ...PROBE, name: 'South 2', moduleId: 2, check: 'SENSOR_STUCK' }),
          group('silent', { ...PROBE, name: 'West 3', moduleId: 3 }),
        ],
      },
    ],
    [
      'None is known to need more water today than is planned. Driest of 3 probes: North 1, 14.2 %, in comfort. Highest tension, which is drier: Ash, 77 kPa, under stress.',
      {
        groups: [
          group('driest', PROBE),
          group('highestTension', {
            ...PROBE,
            name: 'Ash',
            moduleId: 4,
            value_vwc: null,
            value_tensio: 77,
            state: 'stress',
          }),
        ],
      },
    ],
  ])('is %j', (sentence, changes) => expect(overviewSaid(changes)).toBe(sentence));
});

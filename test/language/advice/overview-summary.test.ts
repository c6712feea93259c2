import { describe, expect, it } from 'vitest';
import { summarizeOverview } from '../../../src/language/advice/overview-summary.ts';
import type { OverviewBody, OverviewProbe } from '../../../src/schema/advice/overview.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';

type Overview = Parameters<typeof summarizeOverview>[0];
type GroupName = OverviewBody['groups'][number]['group'];

const PROBE: OverviewProbe = {
  moduleId: 1,
  name: 'North 1',
  value_vwc: 14.23,
  value_tensio: null,
  time: iso(FARM_NOW - HOUR),
  state: 'comfort',
  daysToStress: null,
  check: null,
};
const SOUTH = { ...PROBE, moduleId: 2, name: 'South 2' };
const WEST = { ...PROBE, moduleId: 3, name: 'West 3' };
const TENSION = { ...PROBE, moduleId: 4, name: 'Ash', value_vwc: null, value_tensio: 77 };

const group = (name: GroupName, ...first: OverviewProbe[]) => ({
  group: name,
  count: first.length,
  first,
});

const overview = (changes: Partial<Overview>) =>
  summarizeOverview({ probes: 3, stations: 0, groups: [], leftOut: 0, ...changes });

const NO_NEED = 'None is known to need more water today than is planned.';
const NOT_JUDGED = 'None of the 3 probes can be judged by its readings now.';

describe('the overview of a farm', () => {
  it.each<[string, Partial<Overview>]>([
    ['There are no probes, only 2 weather stations.', { probes: 0, stations: 2 }],
    [
      'There are no probes yet: say which ones you have and where, or import a farm file.',
      { probes: 0 },
    ],
    [`${NO_NEED} ${NOT_JUDGED} 2 less urgent ones are not listed here.`, { leftOut: 2 }],
    [`${NO_NEED} The only probe cannot be judged by its readings now.`, { probes: 1 }],
    [
      '1 needs water today: North 1, 14.2 %, stress in about 3 days. Check before watering: South 2 (a sensor is stuck); West 3, 14.2 % (a recent watering may be soaking in). Silent: West 3, since today 11:00.',
      {
        groups: [
          group('needsWater', { ...PROBE, daysToStress: 3 }),
          group('driest', { ...PROBE, daysToStress: 3 }),
          group(
            'checkFirst',
            { ...SOUTH, check: 'SENSOR_STUCK' },
            { ...WEST, check: 'RECENT_WATERING' },
          ),
          group('silent', WEST),
        ],
      },
    ],
    [
      '1 needs water today: North 1, 14.2 %, under stress. Others: South 2, 14.2 %, very wet; Ash, 77 kPa, in comfort.',
      {
        groups: [
          group('needsWater', { ...PROBE, daysToStress: 0 }),
          group('driest', { ...PROBE, daysToStress: 0 }, { ...SOUTH, state: 'saturated' }),
          group('highestTension', TENSION),
        ],
      },
    ],
    [
      '5 need water today: North 1, 14.2 %, in comfort; South 2, 14.2 %, in comfort; West 3, 14.2 %, in comfort; Ash; and 1 more.',
      {
        probes: 5,
        groups: [
          { ...group('needsWater', PROBE, SOUTH, WEST, TENSION), count: 5 },
          group('driest', PROBE),
        ],
      },
    ],
    [
      `${NO_NEED} Unlike others on their valve: North 1; South 2; and 1 more. Alerts firing: Ash, 77 kPa. Next: North 1, 14.2 %, stress in about 3 days.`,
      {
        groups: [
          group('differing', PROBE, SOUTH, WEST),
          group('firing', TENSION),
          group('next', { ...PROBE, daysToStress: 3 }),
          group('driest', { ...PROBE, daysToStress: 3 }),
        ],
      },
    ],
    [
      `${NO_NEED} Driest of 3 probes: North 1, 14.2 %, in comfort. Highest tension, which is drier: Ash, 77 kPa, under stress. No stress point or dry level to judge by: module 7.`,
      {
        groups: [
          group('driest', PROBE),
          group('highestTension', { ...TENSION, state: 'stress' }),
          group('unjudged', { ...PROBE, moduleId: 7, name: null, value_vwc: null }),
        ],
      },
    ],
    [
      `Silent: North 1, no contact yet. The only probe cannot be judged by its readings now.`,
      { probes: 1, groups: [group('silent', { ...PROBE, time: null })] },
    ],
  ])('is %j, in every unit system', (sentence, changes) => {
    expect(renderText(overview(changes))).toBe(sentence);
    expect(renderText(overview(changes), 'us')).toBe(sentence);
  });

  it('leads to the first probe', () => {
    for (const stations of [0, 2])
      expect(renderAnswer(overview({ probes: 0, stations })).next).toEqual(['set_module']);
  });
});

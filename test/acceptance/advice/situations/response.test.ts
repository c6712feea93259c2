import { beforeAll, describe, expect, it } from 'vitest';
import { CLOCK } from '../../program.ts';
import { createTestKey, serveStoreForFile } from '../../rest-service.ts';
import { pageTextsOf } from './page-texts.ts';
import { type Course, simulatedSoil } from './simulated-soil.ts';
import { type SituationFarm, situationFarm } from './situation-farm.ts';

const depthsCm = [10, 30, 50];
/** 5 h give 6.3 mm over the whole area, 18 mm in the wetted zone. */
const FIVE_HOURS = 300;
const every = (days: readonly number[]) =>
  days.map((daysBefore) => ({ daysBefore, minutes: FIVE_HOURS }));
const rising = (days: readonly number[], points = 5) =>
  days.map((daysBefore) => ({ daysBefore, points }));

/** A top sensor at 40 cm, which water reaches 30 hours after it is given. */
const deepSoil =
  (days: readonly number[]): Course =>
  (depthCm, daysBefore) =>
    simulatedSoil({ depthsCm: [40, 60], wetted: rising(days.map((day) => day - 1.25)) })(
      depthCm,
      daysBefore,
    );

/** Water that runs down cracks to 40 and 60 cm, past a sensor at 20 cm. */
const cracked =
  (days: readonly number[]): Course =>
  (depthCm, daysBefore) =>
    simulatedSoil({ depthsCm: [40, 60], wetted: depthCm === 20 ? [] : rising(days) })(
      Math.max(40, depthCm),
      daysBefore,
    );

const drawnCapacity = [
  'create_annotation',
  {
    type: 'h-line',
    p1: ['2026-07-01T08:00:00Z', 28],
    style: { fill: 'threshold1' },
  },
] as const;

/** 2.1 mm over the whole area, 6 mm in the wetted zone. */
const smallDrip = Array.from({ length: 12 }, (_, day) => ({ daysBefore: day + 1.2, minutes: 100 }));
/** 2.2 mm over the whole area, 6.3 mm in the wetted zone. */
const light = (days: readonly number[]) => days.map((daysBefore) => ({ daysBefore, minutes: 106 }));
/** One depth gains water, so slowly that no rise stands out. */
const slowlyWetted: Course = (depthCm, daysBefore) =>
  simulatedSoil({ depthsCm, seed: 5 })(depthCm, daysBefore)! +
  (depthCm === 30 ? 0.5 * Math.max(0, 12 - daysBefore) : 0);

const wet: Course = (depthCm, daysBefore) =>
  Math.round((34 - depthCm / 100 + 0.1 * Math.sin(2 * Math.PI * daysBefore)) * 100) / 100;

/** One probe of each of two blocks that are watered in turn: `shown` in the soil, `logged` on it. */
const blockInTurn = (name: string, shown: readonly number[], logged: readonly number[]) => ({
  name,
  moisture: simulatedSoil({ depthsCm, wetted: rising(shown) }),
  waterings: every(logged),
});

describe('probes of two blocks that are watered in turn', () => {
  let farm: SituationFarm;
  const [west, east] = [
    [13, 9, 5, 1.3],
    [11, 7, 3],
  ] as const;
  const later = (day: number) => day - 1.8;

  beforeAll(async () => {
    farm = await situationFarm([
      blockInTurn('West', east, west),
      blockInTurn('East', west, east),
      // The waterings of both were logged two days late.
      blockInTurn('Upper', west.slice(0, 3), west.slice(0, 3).map(later)),
      blockInTurn('Lower', east, east.map(later)),
      blockInTurn('North', west, west),
      blockInTurn('South', east, east),
      { ...blockInTurn('Beside West', west, []), parcel: { name: 'West block' } },
    ]);
  });

  const responseTo = async (name: string) => {
    const { reasons, summary } = await farm.advise(name);
    return { reasons: reasons.filter((reason) => /RESPONSE|SHIFT|EXCH/.test(reason)), summary };
  };

  it.each([
    ['West', 'East'],
    ['East', 'West'],
  ])('are exchanged where each shows the water of the other: %s', async (name, other) => {
    const { reasons, summary } = await responseTo(name);
    expect(reasons).toEqual(['PROBES_EXCHANGED']);
    expect(summary).toContain(`the waterings that are logged on ${other}`);
    expect(summary).toMatch(/leave the log as it is unless/);
    expect(summary).not.toMatch(/correct the log/);
    expect(await farm.advise(name)).toMatchObject({ durationMin: null, waterMm: null });
  });

  it.each(['Upper', 'Lower'])(
    'may have a wrong log where each shows its water on other days: %s',
    async (name) => {
      const { reasons, summary } = await responseTo(name);
      expect(reasons).toEqual(['LOG_SHIFTED']);
      expect(summary).toMatch(
        /either these days are wrong, or this probe gets the water of another/,
      );
    },
  );

  it.each(['North', 'South'])(
    'are not doubted where each shows its own water: %s',
    async (name) => {
      expect((await responseTo(name)).reasons).toEqual([]);
    },
  );

  it('are told of on the page, as the log that may be wrong is', async () => {
    const service = await serveStoreForFile(farm.db, '--clock', CLOCK);
    const page = await pageTextsOf(service, (await createTestKey(farm.db)).key);
    const reviewOf = (name: string) => page.get(name)?.review;
    const unlogged = 'no watering is logged';
    expect(reviewOf('West')).toContain('This probe shows the waterings of East');
    expect(reviewOf('West')).not.toContain(unlogged);
    expect(reviewOf('Upper')).toContain('Either these days are wrong, or the probe gets the water');
    expect(reviewOf('Upper')).not.toContain(unlogged);
    expect(reviewOf('North')).not.toMatch(
      /shows the waterings|days are wrong|no watering is logged/,
    );
  });

  it('are told of in the review too, which doubts neither log nor valve', async () => {
    const { summary } = await farm.body('review_waterings', { module: 'West' });
    expect(summary).toContain('the waterings that are logged on East');
    expect(summary).not.toMatch(/Check why|with no watering logged|[Cc]orrect the log/);
    const ofEast = (await farm.body('review_waterings', { module: 'East' })).summary;
    expect(ofEast).not.toMatch(/Check why|with no watering logged|[Cc]orrect the log/);
  });

  it('leave a block to its other probe, whatever valve they stand at', async () => {
    const { summary } = await farm.advise('West');
    expect(summary).toContain('go by Beside West in the same block');
    expect(summary).not.toContain('valve');
  });

  it('are checked first in the brief, which tells the same', async () => {
    const { checkFirst, summary } = await farm.body('morning_brief');
    const exchanged = (checkFirst as { name: string; reason: string }[]).filter(
      ({ reason }) => reason === 'PROBES_EXCHANGED',
    );
    expect(exchanged.map(({ name }) => name).sort()).toEqual(['East', 'West']);
    expect(summary).toContain('shows the waterings of another probe');
    expect(summary).not.toContain('valve');
  });
});

/** All depths gain the same at once, as where water stands on sand. */
const atOnce =
  (days: readonly number[]): Course =>
  (depthCm, daysBefore) =>
    simulatedSoil({ depthsCm: [10], wettest: 20, wetted: rising(days, 8) })(10, daysBefore)! -
    depthCm / 100;
const later = (days: readonly number[], hours: number) => days.map((day) => day - hours / 24);

describe('a log at other hours', () => {
  let farm: SituationFarm;
  const [fourth, eighth] = [
    [13.3, 9.3, 5.3, 1.3],
    [23.5, 15.5, 7.5],
  ] as const;
  /** Only the uppermost sensor gains, within the hour. */
  const shallow =
    (days: readonly number[]): Course =>
    (depthCm, daysBefore) =>
      depthCm === 10
        ? simulatedSoil({ depthsCm: [10], wetted: rising(later(days, -2)) })(10, daysBefore)
        : simulatedSoil({ depthsCm })(depthCm, daysBefore);

  const situationOf = (name: string, course: Course, logged: readonly number[]) => ({
    name,
    moisture: course,
    waterings: every(logged),
  });

  beforeAll(async () => {
    farm = await situationFarm([
      ...[1, 2, 3.5, 8, 14, 17].map((hours) =>
        situationOf(`${hours} h late`, shallow(fourth), later(fourth, hours)),
      ),
      situationOf('Right', shallow(fourth), fourth),
      situationOf('A day late', shallow(fourth), later(fourth, 24)),
      situationOf('Each eighth day', simulatedSoil({ depthsCm, wetted: rising(eighth) }), eighth),
      situationOf(
        'Each eighth day late',
        simulatedSoil({ depthsCm, wetted: rising(eighth) }),
        later(eighth, 10),
      ),
      situationOf(
        'Late once',
        simulatedSoil({ depthsCm, wetted: rising(eighth) }),
        eighth.map((day) => (day < 10 ? day - 10 / 24 : day)),
      ),
      situationOf('At once and late', atOnce(fourth), later(fourth, 9)),
      situationOf('At once and a day late', atOnce(fourth), later(fourth, 25)),
      situationOf('At once and right', atOnce(fourth), fourth),
    ]);
  });

  const doubtsOf = async (name: string) =>
    (await farm.advise(name)).reasons.filter((reason) => /RESPONSE|SHIFT|JUMP/.test(reason));
  const early = async (name: string) =>
    (await farm.body('review_waterings', { module: name })).earlyWaterings;

  it.each([1, 2, 3.5, 8, 14, 17].map((hours) => `${hours} h late`).concat('Right'))(
    'is never one of other days, nor of water that did not come: %s',
    async (name) => expect(await doubtsOf(name)).toEqual([]),
  );

  it('is one of other days from a day on', async () => {
    expect(await doubtsOf('A day late')).toEqual(['LOG_SHIFTED']);
    expect((await farm.advise('A day late')).unseenWaterings?.shiftDays).toBe(-1);
  });

  it('is named by the review where three waterings show it, however seldom they come', async () => {
    expect(await early('8 h late')).toMatchObject({ startedAt: Array(4).fill(expect.any(String)) });
    expect(await early('Each eighth day late')).toMatchObject({
      startedAt: Array(3).fill(expect.any(String)),
    });
    for (const name of ['Right', '1 h late', 'Each eighth day', 'Late once'])
      expect([name, await early(name)]).toEqual([name, undefined]);
  });

  it('tells of the water that made all depths rise, which nobody is to log again', async () => {
    for (const name of ['At once and late', 'At once and a day late']) {
      const { reasons, next } = await farm.advise(name);
      expect([name, reasons.includes('DEPTHS_JUMPED')]).toEqual([name, false]);
      expect(next).not.toContain('log_watering');
    }
    expect(await doubtsOf('At once and right')).toEqual([]);
  });
});

describe('what the soil shows of its waterings', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    const days = [8, 6, 4, 2];
    const dry = simulatedSoil({ depthsCm });
    const dryBelow = simulatedSoil({ depthsCm: [20, 40] });
    farm = await situationFarm([
      { name: 'Beside', moisture: dry, waterings: every(days) },
      {
        name: 'Wetted',
        moisture: simulatedSoil({ depthsCm, wetted: rising(days) }),
        waterings: every(days),
      },
      {
        name: 'Postponed',
        moisture: simulatedSoil({ depthsCm, wetted: rising([13, 10, 7, 4]) }),
        waterings: every([11, 8, 5, 2]),
      },
      {
        name: 'Logged half a day late',
        moisture: simulatedSoil({ depthsCm, wetted: rising([11, 8, 5, 2]) }),
        waterings: every([10.5, 7.5, 4.5, 1.5]),
      },
      {
        name: 'Often half a day late',
        moisture: simulatedSoil({ depthsCm, wetted: rising([8, 6, 4, 2]) }),
        waterings: every([7.5, 5.5, 3.5, 1.5]),
      },
      { name: 'Deep', depthsCm: [40, 60], moisture: deepSoil([7, 4]), waterings: every([7, 4]) },
      {
        name: 'Full',
        moisture: simulatedSoil({ depthsCm, wettest: 28.5, driest: 27.5 }),
        waterings: every(days),
      },
      {
        name: 'Full above',
        moisture: (depthCm, daysBefore) =>
          depthCm === 10 ? wet(10, daysBefore)! - 6 : dry(depthCm, daysBefore),
        waterings: every(days),
      },
      { name: 'Small drip', moisture: slowlyWetted, waterings: smallDrip },
      { name: 'Gains without water', moisture: slowlyWetted },
      { name: 'Small drip beside', moisture: dry, waterings: smallDrip },
      { name: 'Light', depthsCm: [20, 40], moisture: dryBelow, waterings: light([10, 7, 4, 1.2]) },
      {
        name: 'Light beside',
        depthsCm: [20, 40],
        moisture: dryBelow,
        waterings: light([6.2, 5.7, 5.2, 4.7, 4.2, 3.7, 3.2, 2.7, 2.2]),
      },
      { name: 'Once', moisture: dry, waterings: every([3]) },
      { name: 'Soaked', moisture: wet, calls: [drawnCapacity] },
      {
        name: 'Just watered',
        moisture: wet,
        calls: [drawnCapacity],
        waterings: every([2]),
      },
      {
        name: 'Sprinkled',
        moisture: wet,
        calls: [drawnCapacity],
        waterings: [{ daysBefore: 2, minutes: 20 }],
      },
      { name: 'Class alone', moisture: wet },
      {
        name: 'Cracked',
        depthsCm: [20, 40, 60],
        moisture: cracked([9, 6, 3]),
        waterings: every([9, 6, 3]),
      },
      {
        name: 'Whole soil',
        depthsCm: [20, 40, 60],
        moisture: simulatedSoil({ depthsCm: [20, 40, 60], wetted: rising([9, 6, 3]) }),
        waterings: every([9, 6, 3]),
      },
    ]);
  });

  const reasonsOf = async (name: string) => (await farm.advise(name)).reasons;

  it('is nothing beside the wetted soil: no amount, and what to look at first', async () => {
    const advice = await farm.advise('Beside');
    expect(advice.reasons[0]).toBe('NO_RESPONSE');
    expect(advice).toMatchObject({ durationMin: null, waterMm: null, daysToStress: null });
    expect(advice.unseenWaterings).toMatchObject({ areScheduled: false, shiftDays: null });
    expect(advice.unseenWaterings?.startedAt).toHaveLength(4);
  });

  it('is each of them in the wetted soil, which gets its amount', async () => {
    const advice = await farm.advise('Wetted');
    expect(advice.reasons).not.toContain('NO_RESPONSE');
    expect(advice.durationMin).toBeGreaterThan(60);
  });

  it('is a log that is wrong by a day where each rise comes a day earlier', async () => {
    const advice = await farm.advise('Postponed');
    expect(advice.reasons).toContain('LOG_SHIFTED');
    expect(advice.reasons).not.toContain('NO_RESPONSE');
    expect(advice.unseenWaterings?.shiftDays).toBe(-2);
    expect(advice.durationMin).toBeGreaterThan(60);
  });

  it('is no doubt where the hours of the log are wrong, such as 8 in the morning for 8 in the evening', async () => {
    for (const name of ['Logged half a day late', 'Often half a day late']) {
      const { reasons, durationMin } = await farm.advise(name);
      expect(reasons.filter((reason) => /RESPONSE|SHIFT/.test(reason))).toEqual([]);
      expect([name, durationMin! > 60]).toEqual([name, true]);
    }
  });

  it('may come late to a deep top sensor, and hardly in soil that is full', async () => {
    expect(await reasonsOf('Deep')).not.toContain('NO_RESPONSE');
    expect(await reasonsOf('Full')).not.toContain('NO_RESPONSE');
    expect(await reasonsOf('Full above')).not.toContain('NO_RESPONSE');
  });

  it('may be a slow gain, which drifts only without water', async () => {
    const doubtsOf = async (name: string) =>
      (await reasonsOf(name)).filter((reason) => /RESPONSE|DRIFT/.test(reason));
    expect(await doubtsOf('Small drip')).toEqual([]);
    expect(await doubtsOf('Gains without water')).toEqual(['SENSOR_DRIFTS']);
    expect(await doubtsOf('Small drip beside')).toEqual(['NO_RESPONSE']);
  });

  it('is nothing of light doses that the crop drinks between them', async () => {
    expect(await reasonsOf('Light')).not.toContain('NO_RESPONSE');
    const { waterings, summary } = await farm.body('review_waterings', { module: 'Light' });
    expect(waterings).toMatchObject(Array(4).fill({ response: 'too_light' }));
    expect(summary).toContain('as so little water may not reach the sensors');
    expect(summary).not.toContain('Check why');
    expect(await reasonsOf('Light beside')).toContain('NO_RESPONSE');
  });

  it('is not judged by a single watering', async () => {
    expect(await reasonsOf('Once')).not.toContain('NO_RESPONSE');
  });

  it('is more than drained soil holds, for days and without water', async () => {
    const advice = await farm.advise('Soaked');
    expect(advice.reasons[0]).toBe('TOO_WET');
    expect(advice).toMatchObject({ deficitMm: null, durationMin: null });
    expect(advice.summary).not.toMatch(/needs no water/);
  });

  it('is not explained by the 1.2 mm of a short watering', async () => {
    expect((await reasonsOf('Sprinkled'))[0]).toBe('TOO_WET');
  });

  it('is what water of the last days explains, or a class does not tell', async () => {
    expect(await reasonsOf('Just watered')).not.toContain('TOO_WET');
    expect(await reasonsOf('Class alone')).not.toContain('TOO_WET');
  });

  it('may show water deeper down first, which the review says', async () => {
    const review = (module: string) => farm.body('review_waterings', { module });
    const cracks = await review('Cracked');
    expect(cracks.waterings).toMatchObject([9, 6, 3].map(() => ({ deeperFirst: true })));
    expect(cracks.summary).toMatch(/reached a deeper sensor before the uppermost one: .* cracks/);
    const whole = await review('Whole soil');
    expect(whole.waterings).toMatchObject([9, 6, 3].map(() => ({ response: 'reached' })));
    expect(whole.summary).not.toContain('deeper sensor');
  });

  it.each([
    ['Postponed', 'either these days are wrong, or this probe gets the water of another valve'],
    ['Logged half a day late', ' hours before the logged start of each of the 4 waterings'],
    ['Beside', 'No depth showed the 4 waterings since'],
  ])('is told by the review as by the advice, and once: %s', async (module, story) => {
    const { summary } = await farm.body('review_waterings', { module });
    expect(summary.split(story)).toHaveLength(2);
    expect(summary).not.toMatch(/Check why|with no watering logged/);
  });

  it('is no story in the review of soil that shows its water', async () => {
    const { summary } = await farm.body('review_waterings', { module: 'Wetted' });
    expect(summary).not.toMatch(/days are wrong|logged start|No depth showed/);
  });

  it('puts the doubtful ones under "Check first" in the brief, and no healthy one', async () => {
    const { checkFirst, summary } = await farm.body('morning_brief');
    const checked = Object.fromEntries(
      (checkFirst as { name: string; reason: string }[]).map(({ name, reason }) => [name, reason]),
    );
    expect(checked).toEqual({
      Beside: 'NO_RESPONSE',
      'Small drip beside': 'NO_RESPONSE',
      'Light beside': 'NO_RESPONSE',
      'Gains without water': 'SENSOR_DRIFTS',
      Soaked: 'TOO_WET',
      Sprinkled: 'TOO_WET',
    });
    expect(summary).toMatch(/showed none of the last waterings/);
  });

  it('leaves the doubtful ones out of the driest of the overview, which calls none dry', async () => {
    const { data, summary } = await farm.body('farm_overview');
    const values = summary.match(
      /(?:needs? water today|Driest of \d+ probes|Others): ([^.]|\.\d)*/g,
    );
    expect(String(values)).toContain('Once');
    expect(String(values)).not.toContain('Beside');
    const stateOf = (probe: string) =>
      (data as { name: string; state?: string }[]).find(({ name }) => name === probe)?.state;
    expect([stateOf('Beside'), stateOf('Once')]).toEqual([undefined, 'stress']);
  });
});

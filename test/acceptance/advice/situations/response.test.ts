import { beforeAll, describe, expect, it } from 'vitest';
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
/** One depth gains water, so slowly that no rise stands out. */
const slowlyWetted: Course = (depthCm, daysBefore) =>
  simulatedSoil({ depthsCm, seed: 5 })(depthCm, daysBefore)! +
  (depthCm === 30 ? 0.5 * Math.max(0, 12 - daysBefore) : 0);

const wet: Course = (depthCm, daysBefore) =>
  Math.round((34 - depthCm / 100 + 0.1 * Math.sin(2 * Math.PI * daysBefore)) * 100) / 100;

describe('what the soil shows of its waterings', () => {
  let farm: SituationFarm;

  beforeAll(async () => {
    const days = [8, 6, 4, 2];
    const dry = simulatedSoil({ depthsCm });
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

  it('puts the doubtful ones under "Check first" in the brief, and no healthy one', async () => {
    const { checkFirst, summary } = await farm.body('morning_brief');
    const checked = Object.fromEntries(
      (checkFirst as { name: string; reason: string }[]).map(({ name, reason }) => [name, reason]),
    );
    expect(checked).toEqual({
      Beside: 'NO_RESPONSE',
      'Small drip beside': 'NO_RESPONSE',
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

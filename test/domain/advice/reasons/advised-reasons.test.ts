import { describe, expect, it } from 'vitest';
import { withoutPlannedToday } from '../../../../src/domain/advice/probe/planned-today.ts';
import { withRunoff } from '../../../../src/domain/advice/probe/runoff-advice.ts';
import type { Reason } from '../../../../src/domain/advice/reason.ts';
import type {
  ProbeFacts,
  SettingsFacts,
  TensionFacts,
} from '../../../../src/domain/facts/probe-facts.ts';
import { TENSION_FLAGS } from '../../../../src/domain/facts/suspect-tension.ts';
import { LocalDay } from '../../../../src/domain/local-day.ts';
import { NO_WATER_TIMES } from '../../../../src/domain/moisture/water-times.ts';
import { DAY, FARM_NOW, HOUR } from '../../../farm.ts';
import { adviceOf, wateringOf } from '../farm/farm-probes.ts';
import {
  type AdviceChange,
  adviceWith,
  COMPLETE_PROBE,
  COMPLETE_SETUP,
  withMoisture,
} from '../probe/probe-facts.ts';

const dayBefore = (days: number): string => LocalDay.at(FARM_NOW, 'UTC').plus(-days).iso;

const NO_SETTINGS: SettingsFacts = {
  validFrom: null,
  rootDepthCm: null,
  allowedDepletion: null,
  refillPercent: null,
  efficiencyPercent: null,
  leachingPercent: null,
  hoursPerDay: null,
  restFrom: null,
  restUntil: null,
};

const reasonsOf = (change: AdviceChange): readonly Reason[] => adviceWith(change).reasons;

const rainOf = (mm: number, startedAt: number, endedAt: number) => ({
  rain: {
    records: [
      {
        id: 1,
        parcelId: null,
        moduleId: null,
        localDay: new Date(startedAt).toISOString().slice(0, 10),
        startedAt,
        endedAt,
        isWholeDay: false,
        mm,
      },
    ],
  },
});

const weatherOf = (days: number, et0Mm: number, [min, max]: readonly [number, number]) => ({
  weather: {
    data: Array.from({ length: days }, (_, index) => ({
      day: dayBefore(index + 1),
      temperatureMin: min,
      temperatureMax: max,
      et0Mm,
      method: 'hargreaves' as const,
      missing: [],
    })),
    pace: null,
    forecast: null,
  },
});

const withSettings = (settings: Partial<SettingsFacts>): Pick<ProbeFacts, 'setup'> => ({
  setup: { ...COMPLETE_SETUP, settings: { ...NO_SETTINGS, ...settings } },
});

describe('a probe by moisture', () => {
  const still = { stillPeriods: [{ start: FARM_NOW - 10 * DAY, end: FARM_NOW }] };
  const lastDays = rainOf(22, FARM_NOW - 4 * DAY, FARM_NOW - 3 * DAY);
  const cold = weatherOf(14, 1, [0, 8]);

  it.each<[string, AdviceChange, object[]]>([
    ['in order', {}, []],
    [
      'without a sensor of moisture',
      { facts: { recent: { ...COMPLETE_PROBE.recent, hasSensors: false } } },
      [{ kind: 'NO_SOIL_MOISTURE' }],
    ],
    ['before expected rain', { request: { expectedRainMm: 10 } }, [{ kind: 'EXPECTED_RAIN' }]],
    [
      'that lacks nothing before expected rain',
      { facts: withMoisture(30), request: { expectedRainMm: 10 } },
      [],
    ],
    [
      'that dries faster than usual',
      { request: { demandPercent: 130 } },
      [{ kind: 'EXPECTED_DEMAND' }],
    ],
    ['that dries as usual', { request: { demandPercent: 100 } }, []],
    [
      'after rain that it cannot show yet',
      { farm: rainOf(5, FARM_NOW - HOUR, FARM_NOW) },
      [{ kind: 'RECENT_RAIN' }],
    ],
    [
      'after rain that leaves a part to what is expected',
      { farm: rainOf(5, FARM_NOW - HOUR, FARM_NOW), request: { expectedRainMm: 10 } },
      [{ kind: 'RECENT_RAIN' }, { kind: 'EXPECTED_RAIN' }],
    ],
    [
      'after rain that is enough',
      { farm: rainOf(200, FARM_NOW - HOUR, FARM_NOW), request: { expectedRainMm: 10 } },
      [{ kind: 'RECENT_RAIN' }],
    ],
    ['after drizzle', { farm: rainOf(0.8, FARM_NOW - HOUR, FARM_NOW) }, []],
    // It lacks 5 points of 60 cm, 300 min at 6 mm/h, and loses 3 mm a day, which take 30 min.
    [
      'that dries faster than its hours a day allow',
      { facts: { ...withMoisture(22), ...withSettings({ hoursPerDay: 0.45 }) } },
      [{ kind: 'LONGER_THAN_A_DAY' }, { kind: 'DAILY_LIMIT_TOO_SHORT' }],
    ],
    [
      'that its hours a day catch up with',
      { facts: { ...withMoisture(22), ...withSettings({ hoursPerDay: 0.55 }) } },
      [{ kind: 'LONGER_THAN_A_DAY' }],
    ],
    [
      'that shows nothing of heavy rain',
      { facts: still, farm: lastDays },
      [{ kind: 'GAUGE_DOUBTFUL', mm: 22 }],
    ],
    ['that was not still when it rained', { farm: lastDays }, []],
    [
      'of a crop at rest',
      { facts: withSettings({ restFrom: '06-01', restUntil: '07-15' }) },
      [{ kind: 'AT_REST', until: '2026-07-15', harvestedOn: null }],
    ],
    [
      'of a crop after its rest',
      { facts: withSettings({ restFrom: '01-01', restUntil: '03-15' }) },
      [],
    ],
    ['in the cold', { farm: cold }, [{ kind: 'REST_UNKNOWN' }]],
    [
      'of a crop that never rests, in the cold',
      { facts: withSettings({ restFrom: 'never' }), farm: cold },
      [],
    ],
  ])('%s', (_, change, reasons) => expect(reasonsOf(change)).toMatchObject(reasons));
});

describe('a probe by tension', () => {
  const tension: TensionFacts = { value: 77, wetLevel: 10, dryLevel: 60, isDry: true };
  const byTension = (fields: Partial<TensionFacts>): Pick<ProbeFacts, 'state'> => ({
    state: { ...COMPLETE_PROBE.state, tension: { ...tension, ...fields } },
  });
  const inSoilOf = (celsius: number): Pick<ProbeFacts, 'soilTemperatures'> => ({
    soilTemperatures: [{ depthCm: 30, celsius, at: FARM_NOW - HOUR, meanCelsius: 12 }],
  });
  const only = { kind: 'TENSION_ONLY' };
  const suspectOf = (reason: (typeof TENSION_FLAGS)[number]) => ({
    reason,
    depthCm: 30,
    value: 5,
    from: null,
    since: FARM_NOW - 6 * DAY,
  });
  const wateredInTime = [
    wateringOf({ startedAt: FARM_NOW - 6 * DAY, status: 'done' }),
    wateringOf({ startedAt: FARM_NOW - 12 * DAY, status: 'done' }),
  ];

  it.each<[string, AdviceChange, object[]]>([
    ['in order', { facts: byTension({}) }, [only]],
    [
      'without a dry level',
      { facts: byTension({ dryLevel: null, isDry: null }) },
      [{ kind: 'NO_DRY_LEVEL' }, only],
    ],
    [
      'after rain',
      { facts: byTension({}), farm: rainOf(5, FARM_NOW - HOUR, FARM_NOW) },
      [{ kind: 'RECENT_RAIN' }, only],
    ],
    [
      'in frozen soil',
      { facts: { ...byTension({}), ...inSoilOf(-1) } },
      [{ kind: 'FROZEN' }, only],
    ],
    ['in cold soil', { facts: { ...byTension({}), ...inSoilOf(2) } }, [only]],
    [
      'that is silent',
      { facts: { state: { ...byTension({}).state, at: FARM_NOW - 3 * DAY } } },
      [{ kind: 'STALE_DATA' }, only],
    ],
    ...TENSION_FLAGS.map((flag): [string, AdviceChange, object[]] => [
      `in doubt, ${flag}`,
      {
        facts: {
          ...byTension({ suspect: [suspectOf(flag)] }),
          wateringsOfParcel: wateredInTime.slice(1),
        },
      },
      [{ kind: flag, suspect: [suspectOf(flag)] }, only],
    ]),
    [
      'that fell when it was watered',
      {
        facts: {
          ...byTension({ suspect: [suspectOf('TENSION_FELL')] }),
          wateringsOfParcel: wateredInTime,
        },
      },
      [only],
    ],
  ])('%s', (_, change, reasons) => expect(reasonsOf(change)).toMatchObject(reasons));
});

describe('the water balance beside a probe', () => {
  const cropSeason = {
    crop: 'tomato' as const,
    plantedOn: dayBefore(60),
    harvestedOn: null,
    stage: 'mid' as const,
    stageOn: dayBefore(0),
    earlierStages: null,
  };
  /** The readings at the end of each of the last days, the oldest first. */
  const measured = (...values: number[]): Partial<ProbeFacts> => ({
    setup: { ...COMPLETE_SETUP, cropSeason },
    dayEnds: values.map((value, index) => ({
      day: dayBefore(values.length - index),
      moistures: [10, 30, 50].map((depthCm) => ({ depthCm, value })),
    })),
  });
  const lastRead = (days: number): Partial<ProbeFacts> => ({
    ...measured(20),
    dayEnds: [{ ...measured(20).dayEnds![0]!, day: dayBefore(days) }],
    freshness: { newestAt: FARM_NOW - days * DAY, isFresh: false },
  });
  const flat = measured(...Array(8).fill(22));
  const kindsOf = (change: AdviceChange) => reasonsOf(change).map(({ kind }) => kind);

  it('stands in for one that is silent', () => {
    const silent = kindsOf({ facts: lastRead(3), farm: weatherOf(10, 5, [14, 28]) });
    expect(silent).toEqual(['STALE_DATA', 'BY_BALANCE']);
    expect(kindsOf({ facts: lastRead(3) })).toEqual(['STALE_DATA']);
  });

  it('begins with its newest reading, at whatever hour', () => {
    const readAt = (at?: number): Partial<ProbeFacts> => ({
      ...lastRead(3),
      dayEnds: [{ ...measured(20).dayEnds![0]!, day: dayBefore(3), ...(at && { at }) }],
    });
    const deficitOf = (facts: Partial<ProbeFacts>): number => {
      const reasons = reasonsOf({ facts, farm: weatherOf(10, 5, [14, 28]) });
      const reason = reasons.find(({ kind }) => kind === 'BY_BALANCE');
      return (reason as { deficitMm: number }).deficitMm;
    };
    const midday = Date.parse(`${dayBefore(3)}T13:00Z`);
    const [evening, noon] = [deficitOf(readAt()), deficitOf(readAt(midday))];
    expect(noon).toBeGreaterThan(evening + 1);
    expect(noon).toBeLessThan(evening + 5);
  });

  it('says by how far it was off before, where the readings tell', () => {
    const errorOf = (facts: Partial<ProbeFacts>) =>
      reasonsOf({ facts, farm: weatherOf(14, 5, [14, 28]) }).find(
        ({ kind }) => kind === 'BY_BALANCE',
      );
    expect(errorOf(lastRead(2))).toMatchObject({ isErrorOwn: false });
    // Ten evenings, the newest two days ago, that fall by a point a day.
    const record = measured(...Array.from({ length: 11 }, (_, day) => 28 - day / 2));
    const silent = {
      ...record,
      dayEnds: record.dayEnds!.slice(0, -1),
      freshness: { newestAt: FARM_NOW - 2 * DAY, isFresh: false },
    };
    const own = errorOf(silent) as { errorMm: number };
    expect(own).toMatchObject({ isErrorOwn: true });
    expect(own.errorMm).toBeGreaterThan(0);
  });

  it('differs from one that does not dry as its crop drinks', () => {
    const differing = (et0Mm: number, facts = flat) =>
      kindsOf({ facts, farm: weatherOf(10, et0Mm, [14, 28]) });
    expect(differing(9)).toEqual(['DRY_BY_BALANCE']);
    expect(differing(1)).toEqual([]);
    // It has fallen by 5 points, 30 mm, which the air did not take.
    const falling = measured(...[0, 1, 2, 3, 4, 5, 6, 7].map((day) => 25 - day));
    expect(differing(1, falling)).toEqual(['BALANCE_DIFFERS']);
    expect(differing(6, falling)).toEqual([]);
  });
});

describe('an amount', () => {
  const reasonsWith = (fields: Parameters<typeof wateringOf>[0]) =>
    withoutPlannedToday(adviceOf(), [wateringOf(fields)], { now: FARM_NOW, zone: 'UTC' }).reasons;

  it('is what is not planned for today', () => {
    const startedAt = FARM_NOW + HOUR;
    expect(reasonsWith({ startedAt })).toEqual([{ kind: 'PLANNED_TODAY', plannedMm: 4 }]);
    expect(reasonsWith({ startedAt, waterMm: null })).toEqual([{ kind: 'PLANNED_DOSE_UNKNOWN' }]);
    expect(reasonsWith({ startedAt: FARM_NOW - HOUR / 4 })).toEqual([{ kind: 'WATERING_RUNS' }]);
    for (const healthy of [
      { startedAt: FARM_NOW + DAY },
      { startedAt, status: 'skipped' as const },
      { startedAt: FARM_NOW - HOUR },
    ])
      expect(reasonsWith(healthy)).toEqual([]);
  });

  it('is given in parts where the soil does not take it in at once', () => {
    const reasonsAt = (flowMmPerH: number, flowLPerH: number | null = null, times = {}) =>
      withRunoff(adviceOf(), {
        ...COMPLETE_PROBE,
        setup: {
          installation: { ...COMPLETE_SETUP.installation, flowMmPerH, irrigatedAreaM2: 1_000 },
          settings: { ...NO_SETTINGS, waterTimes: { ...NO_WATER_TIMES, flowLPerH, ...times } },
        },
      }).reasons;
    expect(reasonsAt(60)).toMatchObject([{ kind: 'RUNOFF', rateMmPerH: 60 }]);
    expect(reasonsAt(4)).toEqual([]);
    // Of a turn that brings less or more than the equipment of other days.
    expect(reasonsAt(60, 4_000)).toEqual([]);
    expect(reasonsAt(4, 60_000)).toMatchObject([{ kind: 'RUNOFF', rateMmPerH: 60 }]);
    expect(reasonsAt(4, null, { longestRunMin: 10, pauseMin: 30 })).toMatchObject([
      { kind: 'LONGEST_RUN', pauseMin: 30 },
    ]);
    expect(reasonsAt(4, null, { longestRunMin: 1440 })).toEqual([]);
  });
});

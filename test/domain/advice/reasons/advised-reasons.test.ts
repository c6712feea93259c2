import { describe, expect, it } from 'vitest';
import { adviseProbe } from '../../../../src/domain/advice/probe/advise-probe.ts';
import type { ConditionFacts } from '../../../../src/domain/advice/probe/farm-conditions.ts';
import { withoutPlannedToday } from '../../../../src/domain/advice/probe/planned-today.ts';
import { withRunoff } from '../../../../src/domain/advice/probe/runoff-advice.ts';
import type { AdviceRequest } from '../../../../src/domain/advice/probe-advice.ts';
import type { Reason } from '../../../../src/domain/advice/reason.ts';
import type {
  ProbeFacts,
  SettingsFacts,
  TensionFacts,
} from '../../../../src/domain/facts/probe-facts.ts';
import { TENSION_FLAGS } from '../../../../src/domain/facts/suspect-tension.ts';
import { LocalDay } from '../../../../src/domain/local-day.ts';
import { DAY, FARM_NOW, HOUR } from '../../../farm.ts';
import { adviceOf, setupOf, stateOf, wateringOf } from '../farm/farm-probes.ts';
import { farmWith, probeFacts } from '../probe/probe-facts.ts';

const dayBefore = (days: number): string => LocalDay.at(FARM_NOW, 'UTC').plus(-days).iso;
const newest = FARM_NOW - HOUR;

const EQUIPPED = setupOf('module', null);
const SETUP = {
  ...EQUIPPED,
  installation: { ...EQUIPPED.installation!, irrigatedAreaM2: 1000 },
};
const NO_SETTINGS: SettingsFacts = {
  validFrom: null,
  rootDepthCm: null,
  refillPercent: null,
  efficiencyPercent: null,
  leachingPercent: null,
  hoursPerDay: null,
  restFrom: null,
  restUntil: null,
};

const withMoisture = (value: number): Pick<ProbeFacts, 'recent'> => ({
  recent: {
    type: 'humidity',
    hasSensors: true,
    rootDepthCm: 60,
    depths: [10, 30, 50].map((depthCm) => ({
      depthCm,
      slice: { topCm: depthCm - 10, bottomCm: depthCm + 10 },
      weight: 1 / 3,
      fieldCapacity: 0.27,
      wiltingPoint: 0.13,
      saturation: 0.45,
      points: [{ at: newest, value }],
    })),
    curve: [{ at: newest, value }],
  },
});

const state = stateOf({ at: newest });
const DRAWN = { ...state, basis: { ...state.basis, fieldCapacity: 'annotation' as const } };
const dryingRate = {
  perDay: -0.5,
  usualPerDay: -0.5,
  basis: 'newest' as const,
  count: 5,
  decay: null,
};

/** It lacks 7 points of 60 cm, and needs no check. */
const FACTS = probeFacts({ ...withMoisture(20), state: DRAWN, dryingRate, setup: SETUP });

interface Change {
  readonly facts?: Partial<ProbeFacts>;
  readonly farm?: Partial<ConditionFacts>;
  readonly request?: Partial<AdviceRequest>;
}

const reasonsOf = ({ facts, farm, request }: Change): readonly Reason[] =>
  adviseProbe({ ...FACTS, ...facts }, farmWith(farm), { expectedRainMm: 0, ...request }).advice
    .reasons;

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
  setup: { ...SETUP, settings: { ...NO_SETTINGS, ...settings } },
});

describe('a probe by moisture', () => {
  const still = { stillPeriods: [{ start: FARM_NOW - 10 * DAY, end: FARM_NOW }] };
  const lastDays = rainOf(22, FARM_NOW - 4 * DAY, FARM_NOW - 3 * DAY);
  const cold = weatherOf(14, 1, [0, 8]);

  it.each<[string, Change, object[]]>([
    ['in order', {}, []],
    [
      'without a sensor of moisture',
      { facts: { recent: { ...FACTS.recent, hasSensors: false } } },
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
    ['after drizzle', { farm: rainOf(0.8, FARM_NOW - HOUR, FARM_NOW) }, []],
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
    state: { ...DRAWN, tension: { ...tension, ...fields } },
  });
  const only = { kind: 'TENSION_ONLY' };
  const suspectOf = (reason: (typeof TENSION_FLAGS)[number]) => ({
    ...{ reason, depthCm: 30, value: 5, from: null, since: FARM_NOW - 6 * DAY },
  });
  const wateredInTime = [
    wateringOf({ startedAt: FARM_NOW - 6 * DAY, status: 'done' }),
    wateringOf({ startedAt: FARM_NOW - 12 * DAY, status: 'done' }),
  ];

  it.each<[string, Change, object[]]>([
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
    ...TENSION_FLAGS.map((flag): [string, Change, object[]] => [
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
  };
  /** The readings at the end of each of the last days, the oldest first. */
  const measured = (...values: number[]): Partial<ProbeFacts> => ({
    setup: { ...SETUP, cropSeason },
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
  const kindsOf = (change: Change) => reasonsOf(change).map(({ kind }) => kind);

  it('stands in for one that is silent', () => {
    const silent = kindsOf({ facts: lastRead(3), farm: weatherOf(10, 5, [14, 28]) });
    expect(silent).toEqual(['STALE_DATA', 'BY_BALANCE']);
    expect(kindsOf({ facts: lastRead(3) })).toEqual(['STALE_DATA']);
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
    const reasonsAt = (flowMmPerH: number) =>
      withRunoff(adviceOf(), {
        ...FACTS,
        setup: { installation: { ...SETUP.installation, flowMmPerH } },
      }).reasons;
    expect(reasonsAt(60)).toMatchObject([{ kind: 'RUNOFF', rateMmPerH: 60 }]);
    expect(reasonsAt(4)).toEqual([]);
  });
});

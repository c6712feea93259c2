import type { ReasonKind } from '../../../src/domain/advice/reason-kinds.ts';
import { type AdviceBody, advice as adviceSchema } from '../../../src/schema/advice/advice.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import { DAY, HOUR, iso } from '../../time.ts';
import { NOW, SUSPECT_READINGS, SUSPECT_TENSIONS, tension } from './doubt-facts.ts';

export interface ReasonCase {
  readonly advice?: Partial<AdviceBody>;
  readonly advisories?: readonly Advisory[];
  /** The arguments of the call. */
  readonly request?: Readonly<Record<string, number>>;
}

const balance = { since: '2026-06-20', deficitMm: 31.25 };
const byBalance = (facts: Partial<NonNullable<AdviceBody['balance']>>): Partial<AdviceBody> => ({
  time: null,
  basis: 'balance',
  balance: { ...balance, ...facts },
});
const unseen = (shiftDays: number | null, areScheduled = false): Partial<AdviceBody> => ({
  unseenWaterings: {
    startedAt: [iso(NOW - 2 * DAY), iso(NOW - 5 * DAY)],
    areScheduled,
    shiftDays,
  },
});
const stale: Partial<AdviceBody> = { time: iso(NOW - 3 * DAY) };
const lineDoubt = (line: 'fieldCapacity' | 'wiltingPoint'): Partial<AdviceBody> => ({
  doubtedLines: [
    { line, height: 41, expected: 28.1, basis: 'soil_profile' },
    { line, height: 47.5, expected: 46, basis: 'saturation' },
  ],
});
const recentRain = (isShown: boolean, isLost: boolean, effectiveMm: number | null): Advisory => ({
  kind: 'recent_rain',
  mm: 14.6,
  isShown,
  isLost,
  effectiveMm,
});

/** The cases of every reason, each with the facts that its sentence names. */
export const REASON_CASES: Readonly<Record<ReasonKind, readonly ReasonCase[]>> = {
  NO_SOIL_MOISTURE: [{ advice: { time: null } }],
  AT_REST: [
    { advice: { rest: { until: '2027-03-15', harvestedOn: null } } },
    { advice: { rest: { until: null, harvestedOn: '2026-06-12' } } },
  ],
  REST_UNKNOWN: [{}],
  RIPE: [{ advice: { ripeSince: '2026-06-28' } }],
  ROOF_UNKNOWN: [{}],
  FROZEN: [{}, { advice: { tension: tension() } }],
  MOSTLY_IN_DOUBT: [{}],
  TENSION_AT_ZERO: [
    { advice: { tension: tension({ suspect: [SUSPECT_TENSIONS.TENSION_AT_ZERO] }) } },
  ],
  TENSION_AT_LIMIT: [
    { advice: { tension: tension({ suspect: [SUSPECT_TENSIONS.TENSION_AT_LIMIT] }) } },
  ],
  TENSION_FELL: [{ advice: { tension: tension({ suspect: [SUSPECT_TENSIONS.TENSION_FELL] }) } }],
  DEPTHS_JUMPED: [
    {},
    { advisories: [{ kind: 'depths_jumped', at: NOW - 30 * HOUR, points: 6.4 }] },
  ],
  DEPTHS_EXCHANGED: [{}, { advisories: [{ kind: 'depths_exchanged', topCm: 10, deepestCm: 60 }] }],
  MOSTLY_SILENT: [
    {},
    {
      advisories: [
        {
          kind: 'depths_silent',
          depths: [
            { depthCm: 30, since: NOW - 3 * DAY },
            { depthCm: 60, since: NOW - 3 * DAY },
            { depthCm: 90, since: null },
          ],
        },
      ],
    },
  ],
  NEW_PROBE: [{}],
  ROOTS_NOT_MEASURED: [{}],
  SOIL_IN_DOUBT: [{}],
  WATERING_RUNS: [{ advice: { planned: planned(iso(NOW - HOUR)) } }],
  PLANNED_DOSE_UNKNOWN: [{ advice: { planned: { ...planned(iso(NOW + HOUR)), waterMm: null } } }],
  NO_DATA: [
    { advice: { time: null } },
    { advice: { time: null, balanceNeeds: ['crop', 'stage', 'root_depth', 'soil'] } },
    { advice: { time: null, balanceNeeds: ['weather', 'doses', 'full_soil'] } },
  ],
  STALE_DATA: [{ advice: stale }, { advice: { ...stale, tension: tension() } }],
  BY_BALANCE: [
    { advice: byBalance({ from: 'said' }) },
    { advice: byBalance({ from: 'filled', errorMm: 12.5, isErrorOwn: false }) },
    { advice: byBalance({ from: 'planting' }) },
    { advice: byBalance({ errorMm: 9.5, isErrorOwn: true }) },
    { advice: byBalance({ waterUse: null }) },
    { advice: byBalance({ waterUse: 0.8 }) },
    { advice: byBalance({ waterUse: 0.3 }) },
    { advice: byBalance({ waterUse: 1.3 }) },
  ],
  DRY_BY_BALANCE: [{ advice: { balance } }],
  TOP_FROZEN: [{}],
  NO_RESPONSE: [{ advice: unseen(null) }, { advice: unseen(null, true) }],
  TOO_WET: [{ advice: { wetSince: iso(NOW - 6 * DAY) } }],
  PROBES_EXCHANGED: [{ advice: { exchangedWith: 7 } }],
  LOG_SHIFTED: [{ advice: unseen(1) }, { advice: unseen(-2) }],
  UNCONFIRMED_WATERING: [{}],
  RECENT_WATERING: [{}],
  FIELD_CAPACITY_IN_DOUBT: [{ advice: lineDoubt('fieldCapacity') }],
  WILTING_POINT_IN_DOUBT: [{ advice: lineDoubt('wiltingPoint') }],
  FLOW_RATE_IN_DOUBT: [{}],
  TOO_DRY_FOR_SOIL: [{ advice: { doubts: [...SUSPECT_READINGS.TOO_DRY_FOR_SOIL] } }],
  TOO_WET_FOR_SOIL: [{ advice: { doubts: [...SUSPECT_READINGS.TOO_WET_FOR_SOIL] } }],
  SENSOR_FELL: [{ advice: { doubts: [...SUSPECT_READINGS.SENSOR_FELL] } }],
  SENSOR_NOISY: [{ advice: { doubts: [...SUSPECT_READINGS.SENSOR_NOISY] } }],
  SENSOR_DRIFTS: [{ advice: { doubts: [...SUSPECT_READINGS.SENSOR_DRIFTS] } }],
  SENSOR_STUCK: [{ advice: { doubts: [...SUSPECT_READINGS.SENSOR_STUCK] } }],
  DEEP_ROOTS_NOT_MEASURED: [
    {},
    { advisories: [{ kind: 'deep_roots_unmeasured', measuredToCm: 25, rootDepthCm: 100 }] },
  ],
  GAUGE_DOUBTFUL: [
    { advice: { unshownRain: { mm: 22.4, from: iso(NOW - 4 * DAY), until: iso(NOW - 2 * DAY) } } },
  ],
  BALANCE_DIFFERS: [{ advice: { balance } }],
  PROBES_DIFFER: [{ advice: { differing: [2] } }],
  RECENT_RAIN: [
    { advisories: [recentRain(true, false, 9.75)] },
    { advisories: [recentRain(false, false, 9.75)] },
    { advisories: [recentRain(false, true, null)] },
  ],
  EXPECTED_RAIN: [
    { request: { expectedRainMm: 12.5 } },
    { request: { expectedRainMm: 60 }, advice: { waterMm: 0, netMm: 0 } },
  ],
  EXPECTED_DEMAND: [{ request: { demandPercent: 130 } }, {}],
  NO_DRY_LEVEL: [
    { advice: { tension: tension({ dryLevel: null, isDry: null }) } },
    {
      advice: {
        tension: tension({
          wetLevel: null,
          dryLevel: null,
          isDry: null,
          typical: { usdaClass: 'Loam', wetLevel: 15, dryFrom: 40, dryTo: 60 },
        }),
      },
    },
  ],
  TENSION_ONLY: [
    { advice: { tension: tension() } },
    { advice: { tension: tension({ value: 20, isDry: false }) } },
  ],
  NO_SOIL_PROFILE: [{}],
  FIELD_CAPACITY_ESTIMATED: [{}, { advisories: [{ kind: 'class_error', errorMm: 45 }] }],
  NO_INSTALLATION: [{}],
  MISSING_FLOW_RATE: [{ advice: { durationMin: null, daily: null, volumeM3: null } }],
  MISSING_IRRIGATED_AREA: [{ advice: { volumeM3: null } }],
  GAPS: [{}],
  COMMISSIONING_UNKNOWN: [{}],
  NO_ROOT_DEPTH: [
    {
      advice: { usualRoots: { crop: 'olive', fromCm: 120, toCm: 170, rootDepthCm: null } as Roots },
    },
  ],
  ROOTS_TOO_DEEP: [
    {
      advice: { usualRoots: { crop: 'olive', fromCm: 120, toCm: 170, rootDepthCm: 250 } as Roots },
    },
  ],
  SLICE_WITHOUT_VALUE: [{}],
  DEPTH_WITHOUT_LAYER: [{}],
  DEFAULT_FRACTION_WETTED: [{}],
  FRACTION_OF_LINE_SPACING: [{ advice: { fractionWetted: 0.35 } }],
  PLANNED_TODAY: [
    { advice: { takenOffMm: 4.55, planned: planned(iso(NOW + HOUR)) } },
    { advice: { takenOffMm: 12.5, waterMm: 0, planned: planned(iso(NOW + HOUR)) } },
    {
      advice: { takenOffMm: 12.5, waterMm: 0 },
      advisories: [
        {
          kind: 'enough_if_it_runs',
          neededMm: 11.46,
          neededMin: 96,
          at: NOW + HOUR,
          durationMin: 100,
        },
      ],
    },
  ],
  RUNOFF: [2, 9].map((parts) => ({
    advice: {
      runoff: { rateMmPerH: 18.24, intakeMmPerH: 8, parts, minutesPerPart: 33, pauseMin: 60 },
    },
  })),
  LONGEST_RUN: [0, 30].map((pauseMin) => ({
    advice: { runoff: { parts: 3, minutesPerPart: 90, pauseMin } },
  })),
  LONGER_THAN_A_DAY: [
    { advice: { durationMin: 3000, daily: { days: 3, minutesPerDay: 1000 } } },
    { advice: { durationMin: 90_000, daily: { days: 75, minutesPerDay: 1200 } } },
  ],
  DAILY_LIMIT_TOO_SHORT: [{}],
  NO_STRESS_POINT: [{ advice: { daysToStress: null } }],
  THRESHOLDS_CROSSED: [{ advice: { daysToStress: null } }],
  FEW_DRY_DAYS: [{ advice: { daysToStress: null } }],
  NOT_DRYING: [{ advice: { daysToStress: null } }],
};

type Roots = NonNullable<AdviceBody['usualRoots']>;

function planned(nextAt: string): AdviceBody['planned'] {
  return { until: iso(NOW + 4 * DAY), count: 2, waterMm: 9.55, nextAt };
}

const WITHOUT_AMOUNTS = {
  deficitMm: null,
  settings: null,
  netMm: null,
  waterMm: null,
  durationMin: null,
  daily: null,
  volumeM3: null,
  daysToStress: null,
} as const;

/** A probe that lacks water, one that has enough for days, and one whose need is unknown. */
export const CONDITIONS = {
  dry: { daysToStress: 0.6 },
  'lasts for days': { daysToStress: 5.2 },
  'without an amount': WITHOUT_AMOUNTS,
} as const satisfies Readonly<Record<string, Partial<AdviceBody>>>;

export const adviceWith = (
  reason: ReasonKind,
  condition: Partial<AdviceBody>,
  { advice }: ReasonCase,
): AdviceBody =>
  adviceSchema.parse({
    moduleId: 1,
    time: iso(NOW - HOUR),
    deficitMm: 21.46,
    settings: { refillPercent: 80, efficiencyPercent: 90, leachingPercent: 5, hoursPerDay: 2 },
    netMm: 9.229,
    waterMm: 10.254,
    durationMin: 192,
    fractionWetted: 0.35,
    daily: { days: 2, minutesPerDay: 96 },
    volumeM3: 43.067,
    planned: { until: iso(NOW + 4 * DAY), count: 0, waterMm: 0, nextAt: null },
    rest: null,
    confidence: 'partial',
    doubts: [],
    ...condition,
    ...advice,
    ...(condition === WITHOUT_AMOUNTS && advice?.basis === undefined ? WITHOUT_AMOUNTS : {}),
    reasons: [reason],
  });

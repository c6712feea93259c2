import { describe, expect, it } from 'vitest';
import {
  type Finders,
  findReasons,
  type Reason,
  reasonWith,
} from '../../../../src/domain/advice/reason.ts';
import {
  COVERAGE_REASONS,
  READING_REASONS,
  ROOT_REASONS,
  SOIL_REASONS,
} from '../../../../src/domain/advice/reasons/probe-reasons.ts';
import {
  EQUIPMENT_REASONS,
  RESPONSE_REASONS,
  TIMELINESS_REASONS,
} from '../../../../src/domain/advice/reasons/valve-reasons.ts';
import type { DepthFacts, SuspectReading } from '../../../../src/domain/facts/probe-facts.ts';
import type { JudgedLine } from '../../../../src/domain/moisture/line-limits.ts';
import { QUALITY_FLAGS, type QualityFlag } from '../../../../src/domain/moisture/quality-flags.ts';
import { DAY, FARM_NOW, HOUR } from '../../../farm.ts';
import { setupOf, stateOf, wateringOf } from '../farm/farm-probes.ts';

type InputsOf<Group> = Group extends Finders<infer Inputs> ? Inputs : never;

const plain = (kind: Reason['kind']): Reason => reasonWith(kind, {});

const depth = (depthCm: number, changes: Partial<DepthFacts> = {}): DepthFacts => ({
  depthCm,
  slice: { topCm: depthCm - 10, bottomCm: depthCm + 10 },
  weight: 1 / 3,
  fieldCapacity: 0.28,
  wiltingPoint: 0.12,
  saturation: 0.45,
  points: [{ at: FARM_NOW - HOUR, value: 20 }],
  ...changes,
});

const withSilent = (...depthsCm: readonly number[]): DepthFacts[] =>
  [10, 30, 50].map((depthCm) => depth(depthCm, depthsCm.includes(depthCm) ? { points: [] } : {}));

const suspect = (reason: QualityFlag): SuspectReading => ({
  reason,
  depthCm: 30,
  value: 62,
  limit: null,
  since: null,
});

const recentOf = (depths: readonly DepthFacts[]) => ({
  type: 'humidity' as const,
  hasSensors: true,
  rootDepthCm: 60,
  depths,
  curve: [],
});

/** Each group has a probe in order, of which nothing is the matter. */
const READINGS: InputsOf<typeof READING_REASONS> = {
  now: FARM_NOW,
  newestAt: FARM_NOW - HOUR,
  depths: withSilent(),
  recent: recentOf(withSilent()),
  newestByDepth: [10, 30, 50].map((depthCm) => ({ depthCm, at: FARM_NOW - 3 * DAY })),
  suspectDepths: new Set(),
  frozen: new Set(),
  doubts: [],
  jump: null,
  isSoilInDoubt: false,
  commissioning: { at: FARM_NOW - 30 * DAY, isAssumed: false },
  rootDepthCm: 60,
};

describe('what the readings of a probe say', () => {
  const silent = withSilent(30, 50);
  const jump = { at: FARM_NOW - 5 * HOUR, points: 6.4 };

  it.each<[Partial<typeof READINGS>, Reason[]]>([
    [{}, []],
    [{ frozen: new Set([10, 30]) }, [plain('FROZEN')]],
    [{ frozen: new Set([10]) }, [plain('TOP_FROZEN')]],
    [{ frozen: new Set([50]) }, []],
    [{ suspectDepths: new Set([10, 30]) }, [plain('MOSTLY_IN_DOUBT')]],
    [{ jump }, [reasonWith('DEPTHS_JUMPED', jump)]],
    [
      { depths: silent, recent: recentOf(silent) },
      [
        reasonWith('MOSTLY_SILENT', {
          depths: [30, 50].map((depthCm) => ({ depthCm, since: FARM_NOW - 3 * DAY })),
        }),
      ],
    ],
    // Then there is nothing to rely on, which is said of each slice.
    [{ depths: withSilent(10, 30, 50) }, []],
    [{ commissioning: { at: FARM_NOW - 3 * DAY, isAssumed: false } }, [plain('NEW_PROBE')]],
    [{ commissioning: { at: FARM_NOW - 3 * DAY, isAssumed: true } }, []],
    [{ depths: [depth(5, { weight: 1 })] }, [plain('ROOTS_NOT_MEASURED')]],
    [
      { depths: [depth(10), depth(20)], rootDepthCm: 100 },
      [reasonWith('DEEP_ROOTS_NOT_MEASURED', { measuredToCm: 25, rootDepthCm: 100 })],
    ],
    [{ depths: [depth(10), depth(20)], rootDepthCm: 100, newestAt: FARM_NOW - 3 * DAY }, []],
    [{ isSoilInDoubt: true }, [plain('SOIL_IN_DOUBT')]],
    [
      { doubts: [suspect('SENSOR_STUCK'), suspect('TOO_WET_FOR_SOIL')] },
      [
        reasonWith('TOO_WET_FOR_SOIL', { readings: [suspect('TOO_WET_FOR_SOIL')] }),
        reasonWith('SENSOR_STUCK', { readings: [suspect('SENSOR_STUCK')] }),
      ],
    ],
    ...QUALITY_FLAGS.map((flag): [Partial<typeof READINGS>, Reason[]] => [
      { doubts: [suspect(flag)] },
      [reasonWith(flag, { readings: [suspect(flag)] })],
    ]),
  ])('with %o is %o', (changes, reasons) =>
    expect(findReasons(READING_REASONS, { ...READINGS, ...changes })).toEqual(reasons),
  );
});

describe('what is drawn or declared', () => {
  const drawn = stateOf();
  const DRAWN = { ...drawn, basis: { ...drawn.basis, fieldCapacity: 'annotation' as const } };
  const line = { height: 41, expected: 28, basis: 'soil_profile' as const };
  const doubted = (name: JudgedLine) => [{ ...line, line: name }];

  it.each<[Partial<InputsOf<typeof SOIL_REASONS>>, Reason[]]>([
    [{}, []],
    // Three slices of 20 cm of loam.
    [{ state: stateOf() }, [reasonWith('FIELD_CAPACITY_ESTIMATED', { errorMm: 30 })]],
    [
      { state: stateOf(), depths: [depth(10, { fieldCapacity: null })] },
      [plain('NO_SOIL_PROFILE')],
    ],
    [
      { state: { ...DRAWN, doubtedLines: doubted('fieldCapacity') } },
      [reasonWith('FIELD_CAPACITY_IN_DOUBT', { lines: doubted('fieldCapacity') })],
    ],
    [
      { state: { ...DRAWN, doubtedLines: doubted('wiltingPoint') } },
      [reasonWith('WILTING_POINT_IN_DOUBT', { lines: doubted('wiltingPoint') })],
    ],
  ])('with %o is %o', (changes, reasons) =>
    expect(findReasons(SOIL_REASONS, { state: DRAWN, depths: withSilent(), ...changes })).toEqual(
      reasons,
    ),
  );

  const usualRoots = { crop: 'olive' as const, fromCm: 120, toCm: 170 };

  it.each<[InputsOf<typeof ROOT_REASONS>, Reason[]]>([
    [{ rootDepthCm: 60, usualRoots }, []],
    [{ rootDepthCm: null, usualRoots }, [reasonWith('NO_ROOT_DEPTH', usualRoots)]],
    [{ rootDepthCm: null, usualRoots: null }, [plain('NO_ROOT_DEPTH')]],
    [
      { rootDepthCm: 250, usualRoots },
      [reasonWith('ROOTS_TOO_DEEP', { ...usualRoots, rootDepthCm: 250 })],
    ],
  ])('of the roots with %o is %o', (inputs, reasons) =>
    expect(findReasons(ROOT_REASONS, inputs)).toEqual(reasons),
  );
});

describe('what is missing', () => {
  const DEFICIT = { deficitMm: 20, withoutValue: [], withoutLayer: [] };
  const COVERED: InputsOf<typeof COVERAGE_REASONS> = {
    ...READINGS,
    missingShare: 0.1,
    deficit: DEFICIT,
  };
  const isNew = { commissioning: { at: FARM_NOW - 3 * DAY, isAssumed: true } };

  it.each<[Partial<typeof COVERED>, Reason[]]>([
    [{}, []],
    [{ missingShare: 0.2 }, [plain('GAPS')]],
    [{ missingShare: 0.2, newestAt: FARM_NOW - 3 * DAY }, []],
    [{ missingShare: 0.2, ...isNew }, [plain('COMMISSIONING_UNKNOWN')]],
    [{ depths: withSilent(30) }, [plain('SLICE_WITHOUT_VALUE')]],
    [{ depths: withSilent(30), suspectDepths: new Set([30]) }, []],
    [
      { deficit: { ...DEFICIT, withoutLayer: [{ topCm: 0, bottomCm: 20 }] } },
      [plain('DEPTH_WITHOUT_LAYER')],
    ],
  ])('with %o is %o', (changes, reasons) =>
    expect(findReasons(COVERAGE_REASONS, { ...COVERED, ...changes })).toEqual(reasons),
  );
});

describe('what is known of the last waterings', () => {
  const unseen = { startedAt: [FARM_NOW - 2 * DAY, FARM_NOW - 5 * DAY], areScheduled: false };
  const shift = { days: 1, startedAt: unseen.startedAt };
  const seenRises = {
    roseAt: [],
    isEitherWay: false,
    rises: [],
    record: { start: FARM_NOW - 14 * DAY, end: FARM_NOW },
  };

  it.each<[InputsOf<typeof RESPONSE_REASONS>, Reason[]]>([
    [{ response: { unseen: null, logShift: null }, tooWetSince: null }, []],
    [
      { response: { unseen, logShift: null }, tooWetSince: null },
      [reasonWith('NO_RESPONSE', unseen)],
    ],
    // A shifted log explains why none was seen.
    [
      { response: { unseen, logShift: { ...shift, ...seenRises } }, tooWetSince: null },
      [reasonWith('LOG_SHIFTED', shift)],
    ],
    [
      {
        response: { unseen, logShift: { ...shift, ...seenRises }, exchangedWith: 7 },
        tooWetSince: null,
      },
      [reasonWith('PROBES_EXCHANGED', { moduleId: 7 })],
    ],
    [
      { response: { unseen: null, logShift: null }, tooWetSince: FARM_NOW - 6 * DAY },
      [reasonWith('TOO_WET', { since: FARM_NOW - 6 * DAY })],
    ],
  ])('by the soil with %o is %o', (inputs, reasons) =>
    expect(findReasons(RESPONSE_REASONS, inputs)).toEqual(reasons),
  );

  const TIMELY: InputsOf<typeof TIMELINESS_REASONS> = {
    now: FARM_NOW,
    newestAt: FARM_NOW - HOUR,
    done: [],
    startedPlanned: [],
    neededMm: 20,
    balanceNeeds: [],
  };
  const endedAgo = (hours: number, waterMm: number | null) =>
    wateringOf({ startedAt: FARM_NOW - hours * HOUR - 30 * 60_000, waterMm });

  it.each<[Partial<typeof TIMELY>, Reason[]]>([
    [{}, []],
    [{ newestAt: null }, [plain('NO_DATA')]],
    [
      { newestAt: FARM_NOW - 3 * DAY, balanceNeeds: ['crop'] },
      [reasonWith('STALE_DATA', { balanceNeeds: ['crop'] })],
    ],
    [{ startedPlanned: [endedAgo(23.9, 4)] }, [plain('UNCONFIRMED_WATERING')]],
    [{ startedPlanned: [endedAgo(24.1, 4)] }, []],
    [{ done: [endedAgo(1, 12)] }, [plain('RECENT_WATERING')]],
    // Five minutes on a dry field do not put the advice off; an unknown dose may be large.
    [{ done: [endedAgo(1, 1)] }, []],
    [{ done: [endedAgo(1, null)] }, [plain('RECENT_WATERING')]],
    // Of six hours before the newest reading, an hour ago, it may not all have soaked in.
    [{ done: [endedAgo(6.9, 12)] }, [plain('RECENT_WATERING')]],
    [{ done: [endedAgo(7.1, 12)] }, []],
    [{ startedPlanned: [endedAgo(-0.25, 4)] }, [plain('RECENT_WATERING')]],
  ])('by the record with %o is %o', (changes, reasons) =>
    expect(findReasons(TIMELINESS_REASONS, { ...TIMELY, ...changes })).toEqual(reasons),
  );
});

describe('what is known of the equipment', () => {
  const installation = {
    ...setupOf('module', null).installation!,
    irrigatedAreaM2: 1000,
    fractionWetted: 0.35,
  };
  const EQUIPPED: InputsOf<typeof EQUIPMENT_REASONS> = {
    installation,
    done: [],
    deficit: { deficitMm: 20 },
    water: { netMm: 7, waterMm: 7, durationMin: 70, volumeM3: 7 },
    daily: { days: 1, minutesPerDay: 70, canCatchUp: true },
  };

  it.each<[Partial<typeof EQUIPPED>, Reason[]]>([
    [{}, []],
    [{ installation: null }, [plain('NO_INSTALLATION')]],
    [{ installation: { ...installation, flowMmPerH: null } }, [plain('MISSING_FLOW_RATE')]],
    // So small a flow that no run is long enough.
    [{ water: { ...EQUIPPED.water, durationMin: null } }, [plain('MISSING_FLOW_RATE')]],
    [{ water: { ...EQUIPPED.water, durationMin: 4000 } }, [plain('FLOW_RATE_IN_DOUBT')]],
    [
      { installation: { ...installation, irrigatedAreaM2: null } },
      [plain('MISSING_IRRIGATED_AREA')],
    ],
    [{ installation: { ...installation, irrigatedAreaM2: null }, deficit: { deficitMm: 0 } }, []],
    [{ installation: { ...installation, fractionWettedIsDefault: true, fractionWetted: 1 } }, []],
    [
      { installation: { ...installation, fractionWettedIsDefault: true } },
      [plain('DEFAULT_FRACTION_WETTED')],
    ],
    [
      { installation: { ...installation, isFractionOfSpacing: true } },
      [plain('FRACTION_OF_LINE_SPACING')],
    ],
    [
      { daily: { days: 3, minutesPerDay: 70, canCatchUp: false } },
      [plain('LONGER_THAN_A_DAY'), plain('DAILY_LIMIT_TOO_SHORT')],
    ],
  ])('with %o is %o', (changes, reasons) =>
    expect(findReasons(EQUIPMENT_REASONS, { ...EQUIPPED, ...changes })).toEqual(reasons),
  );
});

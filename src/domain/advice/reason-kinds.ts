import { nonEmpty } from '../items.ts';
import { keysOf } from '../records.ts';

interface ReasonAttributes {
  /**
   * Where it arises. Rules ask for all reasons of a sensor, of levels, a valve, the season, silence,
   * the balance or the forecast.
   */
  readonly of:
    | 'moisture'
    | 'sensor'
    | 'tension'
    | 'silence'
    | 'season'
    | 'levels'
    | 'valve'
    | 'parcel'
    | 'rain'
    | 'forecast'
    | 'balance';
  /**
   * No amount is given, nor a day of stress: the `reading` cannot be relied on, or it can, but an
   * `amount` would be wrong.
   */
  readonly withholds?: 'reading' | 'amount';
  /**
   * The probe is to be checked before it is watered: `always`, or only if it seems to need water.
   */
  readonly check?: 'always' | 'in_need';
  /** It passes by itself, so that a check that lasts is not reported. */
  readonly passes?: true;
  /** Nothing is to be checked at the probe, but a person has to say something. */
  readonly isAsked?: true;
  /** It does not lower the confidence. */
  readonly informs?: true;
  /**
   * Where an advice says it: `first` of all, because who waters without knowing it may water twice,
   * or for nothing; with the `need` or the `amount`; with the `figures` that it contradicts. Others
   * come last.
   */
  readonly place?: 'first' | 'need' | 'amount' | 'figures';
  /** A figure or an advisory says it. */
  readonly isImplied?: true;
  /** Water may be on its way, or must wait, so that whether to water shows later. */
  readonly delays?: true;
  /** A watering that is planned is not called needless. */
  readonly keepsPlan?: true;
  /** The probe may be dry although it shows water. */
  readonly hidesStress?: true;
  /** The soil may get no more water, at least until somebody has looked at it. */
  readonly tooWet?: 'certain' | 'possible';
  /** The recorded water is in doubt itself, so that no balance of it helps. */
  readonly doubtsWater?: true;
}

/**
 * Why an advice is what it is. Summaries name reasons, bodies list them and checks are chosen in
 * this order.
 */
const REASONS = {
  NO_SOIL_MOISTURE: { of: 'moisture' },
  AT_REST: { of: 'season', withholds: 'amount', informs: true, place: 'need' },
  REST_UNKNOWN: { of: 'season', withholds: 'amount', place: 'first', isAsked: true },
  RIPE: { of: 'season', withholds: 'amount', place: 'first', isAsked: true },
  ROOF_UNKNOWN: {
    of: 'rain',
    withholds: 'amount',
    place: 'first',
    isAsked: true,
    doubtsWater: true,
  },
  FROZEN: { of: 'season', withholds: 'reading', place: 'first' },
  MOSTLY_IN_DOUBT: { of: 'moisture', withholds: 'reading', place: 'first' },
  TENSION_AT_ZERO: { of: 'tension', withholds: 'reading', check: 'always', place: 'first' },
  TENSION_AT_LIMIT: { of: 'tension', withholds: 'reading', check: 'always', place: 'first' },
  TENSION_FELL: { of: 'tension', withholds: 'reading', check: 'always', place: 'first' },
  DEPTHS_JUMPED: {
    of: 'moisture',
    withholds: 'reading',
    check: 'always',
    place: 'first',
    doubtsWater: true,
  },
  DEPTHS_EXCHANGED: {
    of: 'moisture',
    withholds: 'reading',
    check: 'always',
    place: 'first',
    keepsPlan: true,
    hidesStress: true,
  },
  MOSTLY_SILENT: { of: 'moisture', withholds: 'reading', check: 'always', place: 'first' },
  NEW_PROBE: {
    of: 'moisture',
    withholds: 'reading',
    check: 'always',
    passes: true,
    place: 'first',
  },
  ROOTS_NOT_MEASURED: { of: 'moisture', withholds: 'reading', check: 'always', place: 'first' },
  SOIL_IN_DOUBT: {
    of: 'parcel',
    withholds: 'reading',
    check: 'always',
    place: 'first',
    tooWet: 'possible',
  },
  WATERING_RUNS: { of: 'valve', withholds: 'amount', place: 'first' },
  PLANNED_DOSE_UNKNOWN: { of: 'valve', withholds: 'amount', place: 'first' },
  NO_DATA: { of: 'silence', keepsPlan: true },
  STALE_DATA: { of: 'silence', keepsPlan: true },
  BY_BALANCE: { of: 'balance', check: 'in_need', place: 'need' },
  DRY_BY_BALANCE: { of: 'balance', check: 'always', place: 'figures' },
  TOP_FROZEN: { of: 'moisture', check: 'in_need', place: 'first', delays: true },
  NO_RESPONSE: {
    of: 'valve',
    withholds: 'reading',
    check: 'always',
    place: 'first',
    doubtsWater: true,
  },
  TOO_WET: {
    of: 'moisture',
    withholds: 'reading',
    check: 'always',
    place: 'first',
    tooWet: 'certain',
  },
  PROBES_EXCHANGED: {
    of: 'valve',
    withholds: 'reading',
    check: 'always',
    place: 'first',
    doubtsWater: true,
  },
  LOG_SHIFTED: { of: 'valve', check: 'in_need', place: 'first' },
  UNCONFIRMED_WATERING: {
    of: 'valve',
    check: 'in_need',
    place: 'first',
    delays: true,
    keepsPlan: true,
  },
  RECENT_WATERING: { of: 'valve', check: 'in_need', place: 'first', delays: true },
  FIELD_CAPACITY_IN_DOUBT: { of: 'parcel', withholds: 'reading', check: 'always', place: 'first' },
  WILTING_POINT_IN_DOUBT: { of: 'parcel', check: 'always', place: 'first' },
  FLOW_RATE_IN_DOUBT: { of: 'valve', check: 'in_need', place: 'first' },
  TOO_DRY_FOR_SOIL: { of: 'sensor', check: 'always', place: 'first', keepsPlan: true },
  TOO_WET_FOR_SOIL: {
    of: 'sensor',
    check: 'always',
    place: 'first',
    keepsPlan: true,
    hidesStress: true,
  },
  SENSOR_FELL: { of: 'sensor', check: 'always', place: 'first', keepsPlan: true },
  SENSOR_NOISY: { of: 'sensor', check: 'always', place: 'first', keepsPlan: true },
  SENSOR_DRIFTS: { of: 'sensor', check: 'always', place: 'first', keepsPlan: true },
  SENSOR_STUCK: {
    of: 'sensor',
    check: 'always',
    place: 'first',
    keepsPlan: true,
    hidesStress: true,
  },
  DEEP_ROOTS_NOT_MEASURED: {
    of: 'moisture',
    check: 'always',
    place: 'first',
    keepsPlan: true,
    hidesStress: true,
  },
  GAUGE_DOUBTFUL: { of: 'rain', place: 'first', keepsPlan: true },
  BALANCE_DIFFERS: { of: 'balance', place: 'figures' },
  PROBES_DIFFER: { of: 'valve', place: 'figures' },
  RECENT_RAIN: { of: 'rain', delays: true, isImplied: true },
  EXPECTED_RAIN: { of: 'forecast' },
  EXPECTED_DEMAND: { of: 'forecast', informs: true },
  NO_DRY_LEVEL: { of: 'levels', isImplied: true },
  TENSION_ONLY: { of: 'tension' },
  NO_SOIL_PROFILE: { of: 'parcel' },
  FIELD_CAPACITY_ESTIMATED: { of: 'parcel' },
  NO_INSTALLATION: { of: 'valve' },
  MISSING_FLOW_RATE: { of: 'valve' },
  MISSING_IRRIGATED_AREA: { of: 'valve', informs: true },
  GAPS: { of: 'moisture' },
  COMMISSIONING_UNKNOWN: { of: 'moisture', informs: true },
  NO_ROOT_DEPTH: { of: 'parcel' },
  ROOTS_TOO_DEEP: { of: 'parcel', check: 'in_need' },
  SLICE_WITHOUT_VALUE: { of: 'moisture' },
  DEPTH_WITHOUT_LAYER: { of: 'parcel' },
  DEFAULT_FRACTION_WETTED: { of: 'valve' },
  FRACTION_OF_LINE_SPACING: { of: 'valve' },
  PLANNED_TODAY: { of: 'valve', informs: true, place: 'amount' },
  RUNOFF: { of: 'valve', informs: true, place: 'amount' },
  LONGEST_RUN: { of: 'valve', informs: true, place: 'amount' },
  LONGER_THAN_A_DAY: { of: 'valve', informs: true, isImplied: true },
  DAILY_LIMIT_TOO_SHORT: { of: 'moisture', informs: true },
  NO_STRESS_POINT: { of: 'levels', informs: true },
  THRESHOLDS_CROSSED: { of: 'levels', informs: true },
  FEW_DRY_DAYS: { of: 'moisture', informs: true },
  NOT_DRYING: { of: 'moisture', informs: true },
} as const satisfies Record<string, ReasonAttributes>;

export type ReasonKind = keyof typeof REASONS;

/** The kinds whose attributes include these. */
export type KindWith<Attributes> = {
  [Kind in ReasonKind]: (typeof REASONS)[Kind] extends Attributes ? Kind : never;
}[ReasonKind];

/** The reasons whose check may be asked for: recent water that is not shown yet, or a doubt. */
export type CheckReason = KindWith<{ check: string }>;

/** A reason that the page names beside a probe. */
export type PageReason = CheckReason | KindWith<{ isAsked: true }>;

export const attributesOf = (kind: ReasonKind): ReasonAttributes => REASONS[kind];

export const REASON_KINDS = nonEmpty(keysOf(REASONS));

const isCheck = (kind: ReasonKind): kind is CheckReason => attributesOf(kind).check !== undefined;

export const CHECK_REASONS = nonEmpty(REASON_KINDS.filter(isCheck));

interface OfKind {
  readonly kind: ReasonKind;
}

/** A doubtful sensor is also checked if the probe seems to need no water: it may hide the need. */
export const checkFor = (reasons: readonly OfKind[], needsWater: boolean): CheckReason | null =>
  CHECK_REASONS.find(
    (check) => reasons.some(({ kind }) => kind === check) && (needsWater || isAlwaysChecked(check)),
  ) ?? null;

/** True if the check is due in any case, false if only because the probe seems to need water. */
export const isAlwaysChecked = (kind: ReasonKind): kind is KindWith<{ check: 'always' }> =>
  attributesOf(kind).check === 'always';

export const isAsked = (kind: ReasonKind): kind is KindWith<{ isAsked: true }> =>
  attributesOf(kind).isAsked === true;

export const withholdsAmount = ({ kind }: OfKind): boolean =>
  attributesOf(kind).withholds !== undefined;

export const lowersConfidence = ({ kind }: OfKind): boolean => attributesOf(kind).informs !== true;

/** A crop at rest or in frozen soil, or one that may be, needs no water in the meantime. */
export const isOutOfSeason = ({ kind }: OfKind): boolean => attributesOf(kind).of === 'season';

export const isSilence = ({ kind }: OfKind): boolean => attributesOf(kind).of === 'silence';

export const isOfSensor = ({ kind }: OfKind): boolean => attributesOf(kind).of === 'sensor';

export const delaysWatering = ({ kind }: OfKind): boolean => attributesOf(kind).delays === true;

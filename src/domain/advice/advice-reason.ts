interface ReasonEffects {
  /** The probe is to be checked before it is watered: `always`, or only if it seems to need water. */
  readonly check?: 'always' | 'in_need';
  /** The readings cannot be relied on for an amount, so none is given, nor a day of stress. */
  readonly withholds?: true;
  /** It does not lower the confidence. */
  readonly informs?: true;
}

/** Why an advice is what it is, in the order in which a summary names the reasons. */
const EFFECTS = {
  NO_SOIL_MOISTURE: {},
  AT_REST: { withholds: true, informs: true },
  REST_UNKNOWN: { withholds: true },
  FROZEN: { withholds: true },
  MOSTLY_IN_DOUBT: { withholds: true },
  TENSION_AT_ZERO: { check: 'always', withholds: true },
  TENSION_AT_LIMIT: { check: 'always', withholds: true },
  TENSION_FELL: { check: 'always', withholds: true },
  DEPTHS_JUMPED: { check: 'always', withholds: true },
  MOSTLY_SILENT: { check: 'always', withholds: true },
  NEW_PROBE: { check: 'always', withholds: true },
  ROOTS_NOT_MEASURED: { check: 'always', withholds: true },
  SOIL_IN_DOUBT: { check: 'always', withholds: true },
  WATERING_RUNS: { withholds: true },
  PLANNED_DOSE_UNKNOWN: { withholds: true },
  NO_DATA: {},
  STALE_DATA: {},
  BY_BALANCE: { check: 'in_need' },
  DRY_BY_BALANCE: { check: 'always' },
  TOP_FROZEN: { check: 'in_need' },
  NO_RESPONSE: { check: 'always', withholds: true },
  TOO_WET: { check: 'always', withholds: true },
  FIELD_CAPACITY_IN_DOUBT: { check: 'always', withholds: true },
  WILTING_POINT_IN_DOUBT: { check: 'always' },
  LOG_SHIFTED: { check: 'in_need' },
  UNCONFIRMED_WATERING: { check: 'in_need' },
  RECENT_WATERING: { check: 'in_need' },
  FLOW_RATE_IN_DOUBT: { check: 'in_need' },
  TOO_DRY_FOR_SOIL: { check: 'always' },
  TOO_WET_FOR_SOIL: { check: 'always' },
  SENSOR_FELL: { check: 'always' },
  SENSOR_NOISY: { check: 'always' },
  SENSOR_DRIFTS: { check: 'always' },
  SENSOR_STUCK: { check: 'always' },
  PROBES_DIFFER: {},
  GAUGE_DOUBTFUL: {},
  BALANCE_DIFFERS: {},
  RECENT_RAIN: {},
  EXPECTED_RAIN: {},
  EXPECTED_DEMAND: { informs: true },
  NO_DRY_LEVEL: {},
  TENSION_ONLY: {},
  NO_SOIL_PROFILE: {},
  FIELD_CAPACITY_ESTIMATED: {},
  NO_INSTALLATION: {},
  MISSING_FLOW_RATE: {},
  MISSING_IRRIGATED_AREA: { informs: true },
  GAPS: {},
  COMMISSIONING_UNKNOWN: { informs: true },
  NO_ROOT_DEPTH: {},
  ROOTS_TOO_DEEP: { check: 'in_need' },
  SLICE_WITHOUT_VALUE: {},
  DEPTH_WITHOUT_LAYER: {},
  DEFAULT_FRACTION_WETTED: {},
  FRACTION_OF_LINE_SPACING: {},
  PLANNED_TODAY: { informs: true },
  RUNOFF: { informs: true },
  LONGER_THAN_A_DAY: { informs: true },
  DAILY_LIMIT_TOO_SHORT: { informs: true },
  NO_STRESS_POINT: { informs: true },
  THRESHOLDS_CROSSED: { informs: true },
  FEW_DRY_DAYS: { informs: true },
  NOT_DRYING: { informs: true },
} as const satisfies Record<string, ReasonEffects>;

export type AdviceReason = keyof typeof EFFECTS;

/** The reasons whose check may be asked for: recent water that is not shown yet, or a doubt. */
export type CheckReason = {
  [Reason in AdviceReason]: (typeof EFFECTS)[Reason] extends { check: string } ? Reason : never;
}[AdviceReason];

export type AlwaysCheckedReason = {
  [Reason in AdviceReason]: (typeof EFFECTS)[Reason] extends { check: 'always' } ? Reason : never;
}[AdviceReason];

const effectsOf = (reason: AdviceReason): ReasonEffects => EFFECTS[reason];

const isCheck = (reason: AdviceReason): reason is CheckReason =>
  effectsOf(reason).check !== undefined;

export const ADVICE_REASONS = Object.keys(EFFECTS) as [AdviceReason, ...AdviceReason[]];

export const CHECK_REASONS = ADVICE_REASONS.filter(isCheck) as [CheckReason, ...CheckReason[]];

/** A doubtful sensor is also checked if the probe seems to need no water: it may hide the need. */
export const checkFor = (
  reasons: readonly AdviceReason[],
  needsWater: boolean,
): CheckReason | null =>
  CHECK_REASONS.find(
    (reason) => reasons.includes(reason) && (needsWater || effectsOf(reason).check === 'always'),
  ) ?? null;

/** By their order in the table. */
export const compareReasons = (a: AdviceReason, b: AdviceReason): number =>
  ADVICE_REASONS.indexOf(a) - ADVICE_REASONS.indexOf(b);

/** Whether the check is due in any case, or because the probe seems to need water. */
export const isAlwaysChecked = (reason: AdviceReason): reason is AlwaysCheckedReason =>
  effectsOf(reason).check === 'always';

/** In the order in which a summary names them. */
export const inOrder = (reasons: readonly AdviceReason[]): AdviceReason[] =>
  ADVICE_REASONS.filter((reason) => reasons.includes(reason));

export const withholdsAmount = (reason: AdviceReason): boolean =>
  effectsOf(reason).withholds === true;

export const lowersConfidence = (reason: AdviceReason): boolean =>
  effectsOf(reason).informs !== true;

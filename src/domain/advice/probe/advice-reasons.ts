import type { UsualRoots } from '../../balance/usual-roots.ts';
import { type CommissioningFacts, isInFirstWeek, isSettlingAt } from '../../facts/commissioning.ts';
import type { DepthFacts, EquipmentFacts, StateFacts } from '../../facts/probe-facts.ts';
import type { CommonJump, ResponseFacts } from '../../facts/response-facts.ts';
import { type DepthsCm, weightOf } from '../../facts/trusted-depths.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { isTooLongToRun } from '../../irrigation/run-length.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import type { JudgedLine } from '../../moisture/line-limits.ts';
import { QUALITY_FLAGS } from '../../moisture/suspect-readings.ts';
import { HOUR_MS } from '../../periods.ts';
import { type AdviceReason, lowersConfidence } from '../advice-reason.ts';
import { BALANCE_REASONS, type ProbeAdvice } from '../probe-advice.ts';
import { SOAKING_MS } from '../rain-effect.ts';
import type { UnshownRain } from '../response/unshown-rain.ts';
import type { AdvisedWater, WaterDeficit } from '../watering-advice.ts';
import { areRootsUnmeasured } from './measured-roots.ts';

/** What an advice is computed from, as its reasons need it. */
export interface ReasonInputs {
  readonly measuresSoilMoisture: boolean;
  readonly newestAt: number | null;
  /** Without the points of those in doubt or frozen. */
  readonly depths: readonly DepthFacts[];
  readonly inDoubt: DepthsCm;
  readonly frozen: DepthsCm;
  readonly missingShare: number;
  readonly commissioning: CommissioningFacts | null;
  readonly rootDepthCm: number | null;
  /** Of its crop; null where that is unknown. */
  readonly usualRoots: UsualRoots | null;
  readonly state: StateFacts;
  readonly installation: EquipmentFacts | null;
  readonly done: readonly WateringFacts[];
  /** They are running, or ended and are not confirmed. */
  readonly startedPlanned: readonly WateringFacts[];
  readonly response: ResponseFacts;
  /** A rise of all depths at once that no recorded water explains. */
  readonly jump: CommonJump | null;
  readonly tooWetSince: number | null;
  readonly isSoilInDoubt: boolean;
  readonly unshownRain: UnshownRain | null;
}

const MAX_MISSING_SHARE = 0.1;

/** The depths whose readings tell nothing of the water in the soil. */
export const withoutValue = ({
  inDoubt,
  frozen,
}: Pick<ReasonInputs, 'inDoubt' | 'frozen'>): DepthsCm => new Set([...inDoubt, ...frozen]);

/**
 * Those without a recent value at all. None where no depth has one: then there is nothing to rely
 * on, which is said of each slice.
 */
function silentDepths(inputs: ReasonInputs): DepthsCm {
  const excluded = withoutValue(inputs);
  const silent = inputs.depths.filter(
    ({ depthCm, points }) => points.length === 0 && !excluded.has(depthCm),
  );
  return new Set(
    silent.length === inputs.depths.length ? [] : silent.map(({ depthCm }) => depthCm),
  );
}

/** Where depths of so much weight have no value, those that remain cannot stand for the root zone. */
const MAX_WEIGHT_WITHOUT_VALUE = 0.5 - 1e-6;

/** Time after its end during which an unconfirmed watering can explain or change the moisture. */
const UNCONFIRMED_WINDOW_MS = 24 * HOUR_MS;

type Condition = readonly [reason: AdviceReason, applies: boolean];

interface AdviceFigures {
  readonly deficit: WaterDeficit | null;
  readonly water: AdvisedWater;
  readonly daily: { readonly days: number; readonly canCatchUp: boolean } | null;
  readonly stress: AdviceReason | null;
  readonly balance: ProbeAdvice['balance'];
  readonly hasRecentRain: boolean;
  readonly expectsRain: boolean;
  /** The demand of the air is expected to differ from that so far. */
  readonly expectsOtherDemand: boolean;
}

/** Returns them in the order in which a summary names them. */
export function adviceReasons(
  inputs: ReasonInputs,
  figures: AdviceFigures,
  now: number,
): AdviceReason[] {
  if (!inputs.measuresSoilMoisture) return ['NO_SOIL_MOISTURE'];

  const reasons = [
    ...responseReasons(inputs.response, inputs.tooWetSince),
    ...timelinessReasons(inputs, now, figures.water.waterMm),
    ...reasonsThatApply([
      [
        'FLOW_RATE_IN_DOUBT',
        isTooLongToRun(figures.water.durationMin, inputs.done, inputs.installation?.system),
      ],
      ...BALANCE_REASONS.map((reason): Condition => [reason, figures.balance?.reason === reason]),
      ...suspectReadingConditions(inputs, now),
      ['NEW_PROBE', isSettlingAt(inputs.commissioning, now)],
      ['ROOTS_NOT_MEASURED', areRootsUnmeasured(inputs)],
      ['SOIL_IN_DOUBT', inputs.isSoilInDoubt],
      ['DEPTHS_JUMPED', inputs.jump !== null],
      ...lineConditions(inputs.state),
      ['GAUGE_DOUBTFUL', inputs.unshownRain !== null],
      ['RECENT_RAIN', figures.hasRecentRain],
      ['EXPECTED_RAIN', figures.expectsRain],
      ['EXPECTED_DEMAND', figures.expectsOtherDemand],
      ...capacityConditions(inputs),
      ...equipmentConditions(inputs, figures),
      ...coverageConditions(inputs, figures, now),
      ...doseConditions(inputs, figures),
    ]),
  ];
  if (figures.stress !== null) reasons.push(figures.stress);

  return reasons;
}

/** What the soil shows of the last waterings. */
export const responseReasons = (
  { unseen, logShift }: ResponseFacts,
  tooWetSince: number | null = null,
): AdviceReason[] =>
  reasonsThatApply([
    ['NO_RESPONSE', unseen !== null && logShift === null],
    ['TOO_WET', tooWetSince !== null],
    ['LOG_SHIFTED', logShift !== null],
  ]);

/** Whether what remains cannot stand for the root zone. */
export const isMostlyUnusable = (depths: readonly DepthFacts[], unusable: DepthsCm): boolean =>
  unusable.size > 0 && weightOf(depths, unusable) >= MAX_WEIGHT_WITHOUT_VALUE;

function suspectReadingConditions(inputs: ReasonInputs, now: number): Condition[] {
  const { state, depths, inDoubt, frozen } = inputs;
  const unusable = withoutValue(inputs);
  const isMost = (depthsCm: DepthsCm): boolean => isMostlyUnusable(depths, depthsCm);
  const isMostlyInDoubt = isMost(inDoubt);
  const isMostlyFrozen = frozen.size > 0 && isMost(unusable) && !isMostlyInDoubt;
  const uppermostCm = Math.min(...depths.map(({ depthCm }) => depthCm));
  const silent = isFreshAt(inputs.newestAt, now) ? silentDepths(inputs) : new Set<number>();
  return [
    ['FROZEN', isMostlyFrozen],
    ['TOP_FROZEN', frozen.has(uppermostCm) && !isMostlyFrozen],
    ['MOSTLY_IN_DOUBT', isMostlyInDoubt],
    [
      'MOSTLY_SILENT',
      silent.size > 0 && !isMost(unusable) && isMost(new Set([...unusable, ...silent])),
    ],
    ...QUALITY_FLAGS.map(
      (reason): Condition => [reason, state.doubts.some((doubt) => doubt.reason === reason)],
    ),
  ];
}

function lineConditions({ doubtedLines = [] }: StateFacts): Condition[] {
  const isDoubted = (name: JudgedLine): boolean => doubtedLines.some(({ line }) => line === name);
  return [
    ['FIELD_CAPACITY_IN_DOUBT', isDoubted('fieldCapacity')],
    ['WILTING_POINT_IN_DOUBT', isDoubted('wiltingPoint')],
  ];
}

function capacityConditions({ depths, state }: ReasonInputs): Condition[] {
  const isDrawn = state.basis.fieldCapacity === 'annotation';
  const isLayered = depths.some(({ fieldCapacity }) => fieldCapacity !== null);
  return [
    ['NO_SOIL_PROFILE', !isDrawn && !isLayered],
    ['FIELD_CAPACITY_ESTIMATED', !isDrawn && isLayered],
  ];
}

export function equipmentConditions(
  { installation }: Pick<ReasonInputs, 'installation'>,
  { deficit, water }: Pick<AdviceFigures, 'deficit' | 'water'>,
): Condition[] {
  if (installation === null) return [['NO_INSTALLATION', true]];

  const needsWater = deficit !== null && deficit.deficitMm > 0;
  return [
    ['MISSING_FLOW_RATE', installation.flowMmPerH === null || hasNegligibleFlow(deficit, water)],
    ['MISSING_IRRIGATED_AREA', installation.irrigatedAreaM2 === null && needsWater],
  ];
}

export const doseConditions = (
  { installation }: Pick<ReasonInputs, 'installation'>,
  { daily }: Pick<AdviceFigures, 'daily'>,
): Condition[] => [
  ['DEFAULT_FRACTION_WETTED', hasDefaultWettedFraction(installation)],
  ['FRACTION_OF_LINE_SPACING', installation?.isFractionOfSpacing === true],
  ['LONGER_THAN_A_DAY', daily !== null && daily.days > 1],
  ['DAILY_LIMIT_TOO_SHORT', daily !== null && !daily.canCatchUp],
];

function coverageConditions(
  inputs: ReasonInputs,
  { deficit }: AdviceFigures,
  now: number,
): Condition[] {
  const { newestAt, depths, missingShare, rootDepthCm, usualRoots, commissioning } = inputs;
  const unusable = withoutValue(inputs);
  const isFresh = isFreshAt(newestAt, now);
  const hasGaps = isFresh && missingShare > MAX_MISSING_SHARE;
  const hasSliceWithoutValue = depths.some(
    ({ depthCm, slice, points }) => slice !== null && points.length === 0 && !unusable.has(depthCm),
  );
  return [
    ['GAPS', hasGaps && !isInFirstWeek(commissioning, now)],
    // With readings of a whole week it is not new, whatever the day of its entry.
    [
      'COMMISSIONING_UNKNOWN',
      hasGaps && commissioning?.isAssumed === true && isInFirstWeek(commissioning, now),
    ],
    ['NO_ROOT_DEPTH', rootDepthCm === null],
    [
      'ROOTS_TOO_DEEP',
      rootDepthCm !== null && usualRoots !== null && rootDepthCm > usualRoots.toCm,
    ],
    ['SLICE_WITHOUT_VALUE', isFresh && hasSliceWithoutValue],
    ['DEPTH_WITHOUT_LAYER', deficit !== null && deficit.withoutLayer.length > 0],
  ];
}

export const reasonsThatApply = (conditions: readonly Condition[]): AdviceReason[] =>
  conditions.flatMap(([reason, applies]) => (applies ? [reason] : []));

/** The reasons to doubt that the newest reading is recent and shows the last watering. */
export function timelinessReasons(
  { newestAt, done, startedPlanned }: Pick<ReasonInputs, 'newestAt' | 'done' | 'startedPlanned'>,
  now: number,
  neededMm: number | null = null,
): AdviceReason[] {
  const isFresh = isFreshAt(newestAt, now);
  return reasonsThatApply([
    ['NO_DATA', newestAt === null],
    ['STALE_DATA', newestAt !== null && !isFresh],
    [
      'UNCONFIRMED_WATERING',
      startedPlanned.some((watering) =>
        isBetween(runPeriod(watering).end, now - UNCONFIRMED_WINDOW_MS, now),
      ),
    ],
    [
      'RECENT_WATERING',
      isFresh &&
        (mayMeetNeed(
          done.filter((watering) => runPeriod(watering).end > newestAt - SOAKING_MS),
          neededMm,
        ) ||
          startedPlanned.some((watering) => runPeriod(watering).end > now)),
    ],
  ]);
}

/**
 * Of the water needed. The deficit is not known better than that, so less does not change the
 * advice: five minutes on a dry field do not put it off.
 */
const MIN_SHARE_OF_NEED = 0.1;

/** Over the whole area, as `neededMm` is. A watering of unknown dose may be large. */
function mayMeetNeed(waterings: readonly WateringFacts[], neededMm: number | null): boolean {
  if (waterings.length === 0) return false;
  const givenMm = sumDoses(waterings.map(({ waterMm }) => waterMm));
  return givenMm === null || neededMm === null || givenMm >= MIN_SHARE_OF_NEED * neededMm;
}

const isBetween = (at: number, after: number, until: number): boolean => at > after && at <= until;

/** So small a flow that the watering would take longer than any can last. */
const hasNegligibleFlow = (deficit: WaterDeficit | null, { durationMin }: AdvisedWater): boolean =>
  deficit !== null && durationMin === null;

/** A default of 1 is not a guess: such equipment wets the whole area. */
const hasDefaultWettedFraction = (installation: ReasonInputs['installation']): boolean =>
  installation?.fractionWettedIsDefault === true &&
  installation.isFractionOfSpacing === undefined &&
  installation.fractionWetted < 1;

export function adviceConfidence(
  reasons: readonly AdviceReason[],
  { deficitMm, durationMin, volumeM3 }: Pick<ProbeAdvice, 'deficitMm' | 'durationMin' | 'volumeM3'>,
): ProbeAdvice['confidence'] {
  if (deficitMm === null || (durationMin === null && volumeM3 === null)) return 'insufficient';
  return reasons.some(lowersConfidence) ? 'partial' : 'complete';
}

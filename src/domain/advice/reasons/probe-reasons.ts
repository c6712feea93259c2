import { isInFirstWeek, isSettlingAt } from '../../facts/commissioning.ts';
import type { DepthFacts, ProbeFacts, ProbeSeries, SetupFacts } from '../../facts/probe-facts.ts';
import { type DepthsCm, isMostlyUnusable } from '../../facts/trusted-depths.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import type { JudgedLine } from '../../moisture/line-limits.ts';
import type { QualityFlag } from '../../moisture/quality-flags.ts';
import { rootUptakeShare } from '../../moisture/summary-curve.ts';
import { classErrorMm } from '../../soil/class-error.ts';
import { measuredToCm } from '../../soil/slices.ts';
import { type MoistureConditions, withoutValue } from '../probe/moisture-conditions.ts';
import type { SoilDeficit } from '../probe/soil-deficit.ts';
import {
  type FactsOf,
  type Finders,
  factsIf,
  type ReasonFacts,
  type SilentDepth,
  type UnmeasuredRoots,
} from '../reason.ts';

type ReadingInputs = Pick<
  MoistureConditions,
  'newestAt' | 'depths' | 'suspectDepths' | 'frozen' | 'doubts' | 'jump' | 'isSoilInDoubt' | 'now'
> &
  Pick<SetupFacts, 'commissioning'> &
  Pick<ProbeSeries, 'rootDepthCm'> &
  Pick<ProbeFacts, 'recent' | 'newestByDepth'>;

/** By what the depths read, and whether that can be the water in the soil. */
export const READING_REASONS: Finders<ReadingInputs> = {
  FROZEN: (inputs) => factsIf(isMostlyFrozen(inputs)),
  MOSTLY_IN_DOUBT: (inputs) => factsIf(areMostlySuspect(inputs)),
  DEPTHS_JUMPED: ({ jump }) => jump,
  MOSTLY_SILENT: (inputs) => (isMostlySilent(inputs) ? { depths: silentDepths(inputs) } : null),
  NEW_PROBE: ({ commissioning, now }) => factsIf(isSettlingAt(commissioning, now)),
  ROOTS_NOT_MEASURED: (inputs) => factsIf(areRootsUnmeasured(inputs)),
  SOIL_IN_DOUBT: ({ isSoilInDoubt }) => factsIf(isSoilInDoubt),
  TOP_FROZEN: (inputs) => factsIf(isTopFrozen(inputs) && !isMostlyFrozen(inputs)),
  TOO_DRY_FOR_SOIL: hasFlag('TOO_DRY_FOR_SOIL'),
  TOO_WET_FOR_SOIL: hasFlag('TOO_WET_FOR_SOIL'),
  SENSOR_FELL: hasFlag('SENSOR_FELL'),
  SENSOR_NOISY: hasFlag('SENSOR_NOISY'),
  SENSOR_DRIFTS: hasFlag('SENSOR_DRIFTS'),
  SENSOR_STUCK: hasFlag('SENSOR_STUCK'),
  DEEP_ROOTS_NOT_MEASURED: (inputs) =>
    isFreshAt(inputs.newestAt, inputs.now) && !areRootsUnmeasured(inputs)
      ? unmeasuredRoots(inputs)
      : null,
};

function hasFlag(flag: QualityFlag) {
  return ({ doubts }: Pick<ReadingInputs, 'doubts'>): FactsOf<QualityFlag> | null => {
    const readings = doubts.filter(({ reason }) => reason === flag);
    return readings.length === 0 ? null : { readings };
  };
}

const isTopFrozen = ({ depths, frozen }: ReadingInputs): boolean =>
  frozen.has(Math.min(...depths.map(({ depthCm }) => depthCm)));

const areMostlySuspect = ({ depths, suspectDepths }: ReadingInputs): boolean =>
  isMostlyUnusable(depths, suspectDepths);

const isMostlyFrozen = (inputs: ReadingInputs): boolean =>
  inputs.frozen.size > 0 &&
  isMostlyUnusable(inputs.depths, withoutValue(inputs)) &&
  !areMostlySuspect(inputs);

function isMostlySilent(inputs: ReadingInputs): boolean {
  const { depths, newestAt, now } = inputs;
  if (!isFreshAt(newestAt, now)) return false;

  const unusable = withoutValue(inputs);
  const silent = depthsWithoutReading(inputs);
  return (
    silent.size > 0 &&
    !isMostlyUnusable(depths, unusable) &&
    isMostlyUnusable(depths, new Set([...unusable, ...silent]))
  );
}

/**
 * The depths without a recent value at all. None where no depth has one: then there is nothing to
 * rely on, which is said of each slice.
 */
function depthsWithoutReading(inputs: ReadingInputs): DepthsCm {
  const excluded = withoutValue(inputs);
  const silent = inputs.depths.filter(
    ({ depthCm, points }) => points.length === 0 && !excluded.has(depthCm),
  );
  return new Set(
    silent.length === inputs.depths.length ? [] : silent.map(({ depthCm }) => depthCm),
  );
}

/** Depths that have no recent reading to rely on, from the surface down. */
function silentDepths({
  recent,
  newestByDepth,
}: Pick<ReadingInputs, 'recent' | 'newestByDepth'>): SilentDepth[] {
  const newest = new Map(newestByDepth.map(({ depthCm, at }) => [depthCm, at]));
  return recent.depths
    .filter(({ points }) => points.length === 0)
    .map(({ depthCm }) => ({ depthCm, since: newest.get(depthCm) ?? null }));
}

/** Roots are not known better than that, and water rises to them from so far. An assumption. */
const MAX_BELOW_ROOTS_CM = 10;

/** Evaporation dries bare soil down to here. Source: FAO-56, equation 73. */
const EVAPORATION_DEPTH_CM = 10;
/**
 * A sensor near the surface still tells something of roots that are hardly deeper. An assumption.
 */
const MAX_TIMES_AS_DEEP = 3;

interface RootZone extends Pick<ProbeSeries, 'rootDepthCm'> {
  readonly depths: readonly Pick<DepthFacts, 'depthCm' | 'slice'>[];
}

/**
 * True if all sensors of the root zone stand below the roots, or in soil that evaporation dries.
 */
export function areRootsUnmeasured({ depths, rootDepthCm }: RootZone): boolean {
  const depthsCm = depths.flatMap(({ depthCm, slice }) => (slice === null ? [] : depthCm));
  if (rootDepthCm === null || depthsCm.length === 0) return false;

  const [topCm, deepestCm] = [Math.min(...depthsCm), Math.max(...depthsCm)];
  const areAllInCrust =
    deepestCm <= EVAPORATION_DEPTH_CM && rootDepthCm > MAX_TIMES_AS_DEEP * deepestCm;
  return areAllInCrust || topCm > rootDepthCm + MAX_BELOW_ROOTS_CM;
}

/** Of the water that roots take up. */
const MAX_UNMEASURED_UPTAKE = 0.5;

/** Null where the sensors tell of the soil from which the roots take half of their water or more. */
export function unmeasuredRoots({ depths, rootDepthCm }: RootZone): UnmeasuredRoots | null {
  const depthsCm = depths.flatMap(({ depthCm, slice }) => (slice === null ? [] : depthCm));
  if (rootDepthCm === null || depthsCm.length === 0) return null;

  const endCm = measuredToCm(depthsCm);
  const unmeasured = { topCm: endCm, bottomCm: rootDepthCm };
  return rootUptakeShare(unmeasured, rootDepthCm) > MAX_UNMEASURED_UPTAKE
    ? { measuredToCm: endCm, rootDepthCm }
    : null;
}

type SoilInputs = Pick<MoistureConditions, 'depths'> &
  Pick<ProbeFacts, 'state' | 'offeredCapacity'>;

/** By what is drawn or declared of the soil. */
export const SOIL_REASONS: Finders<SoilInputs> = {
  FIELD_CAPACITY_IN_DOUBT: doubtedLines('fieldCapacity'),
  WILTING_POINT_IN_DOUBT: doubtedLines('wiltingPoint'),
  NO_SOIL_PROFILE: (inputs) => factsIf(!isCapacityDrawn(inputs) && !isLayered(inputs)),
  FIELD_CAPACITY_ESTIMATED: (inputs) =>
    !isCapacityDrawn(inputs) && isLayered(inputs) ? estimateOf(inputs) : null,
};

const estimateOf = ({
  depths,
  offeredCapacity: offered,
}: SoilInputs): ReasonFacts['FIELD_CAPACITY_ESTIMATED'] => ({
  errorMm: classErrorMm(depths),
  ...(offered === undefined ? {} : { offered }),
});

function doubtedLines(name: JudgedLine) {
  return ({ state }: SoilInputs): FactsOf<'WILTING_POINT_IN_DOUBT'> | null => {
    const lines = (state.doubtedLines ?? []).filter(({ line }) => line === name);
    return lines.length === 0 ? null : { lines };
  };
}

const isCapacityDrawn = ({ state }: SoilInputs): boolean =>
  state.basis.fieldCapacity === 'annotation';

const isLayered = ({ depths }: SoilInputs): boolean =>
  depths.some(({ fieldCapacity }) => fieldCapacity !== null);

/** By how deep the roots are taken to be. */
export const ROOT_REASONS: Finders<
  Pick<ProbeSeries, 'rootDepthCm'> & Pick<MoistureConditions, 'usualRoots'>
> = {
  NO_ROOT_DEPTH: ({ rootDepthCm, usualRoots }) =>
    rootDepthCm === null ? (usualRoots ?? {}) : null,
  ROOTS_TOO_DEEP: ({ rootDepthCm, usualRoots }) =>
    rootDepthCm !== null && usualRoots !== null && rootDepthCm > usualRoots.toCm
      ? { ...usualRoots, rootDepthCm }
      : null,
};

const MAX_MISSING_SHARE = 0.1;

type CoverageInputs = Pick<
  MoistureConditions,
  'newestAt' | 'depths' | 'suspectDepths' | 'frozen' | 'now'
> &
  Pick<ProbeFacts, 'missingShare'> &
  Pick<SetupFacts, 'commissioning'> &
  Pick<SoilDeficit, 'deficit'>;

/** By what is missing of the readings and of the soil. */
export const COVERAGE_REASONS: Finders<CoverageInputs> = {
  GAPS: (inputs) => factsIf(hasGaps(inputs) && !isInFirstWeek(inputs.commissioning, inputs.now)),
  // With readings of a whole week it is not new, whatever the day of its entry.
  COMMISSIONING_UNKNOWN: (inputs) =>
    factsIf(
      hasGaps(inputs) &&
        inputs.commissioning?.isAssumed === true &&
        isInFirstWeek(inputs.commissioning, inputs.now),
    ),
  SLICE_WITHOUT_VALUE: (inputs) =>
    factsIf(isFreshAt(inputs.newestAt, inputs.now) && hasSliceWithoutValue(inputs)),
  DEPTH_WITHOUT_LAYER: ({ deficit }) =>
    factsIf(deficit !== null && deficit.withoutLayer.length > 0),
};

function hasSliceWithoutValue(inputs: CoverageInputs): boolean {
  const unusable = withoutValue(inputs);
  return inputs.depths.some(
    ({ depthCm, slice, points }) => slice !== null && points.length === 0 && !unusable.has(depthCm),
  );
}

const hasGaps = ({ newestAt, missingShare, now }: CoverageInputs): boolean =>
  isFreshAt(newestAt, now) && missingShare > MAX_MISSING_SHARE;

import { isInFirstWeek, isSettlingAt } from '../../facts/commissioning.ts';
import type { ProbeFacts, ProbeSeries, SetupFacts } from '../../facts/probe-facts.ts';
import { type DepthsCm, isMostlyUnusable } from '../../facts/trusted-depths.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import type { JudgedLine } from '../../moisture/line-limits.ts';
import type { QualityFlag } from '../../moisture/suspect-readings.ts';
import type { Finders } from '../advice-reason.ts';
import { areRootsUnmeasured } from '../probe/measured-roots.ts';
import { type MoistureConditions, withoutValue } from '../probe/moisture-conditions.ts';
import type { SoilDeficit } from '../probe/soil-deficit.ts';

type ReadingInputs = Pick<
  MoistureConditions,
  'newestAt' | 'depths' | 'inDoubt' | 'frozen' | 'doubts' | 'jump' | 'isSoilInDoubt' | 'now'
> &
  Pick<SetupFacts, 'commissioning'> &
  Pick<ProbeSeries, 'rootDepthCm'>;

/** By what the depths read, and whether that can be the water in the soil. */
export const READING_REASONS: Finders<ReadingInputs> = {
  FROZEN: (inputs) => isMostlyFrozen(inputs),
  MOSTLY_IN_DOUBT: (inputs) => isMostlyInDoubt(inputs),
  DEPTHS_JUMPED: ({ jump }) => jump !== null,
  MOSTLY_SILENT: (inputs) => isMostlySilent(inputs),
  NEW_PROBE: ({ commissioning, now }) => isSettlingAt(commissioning, now),
  ROOTS_NOT_MEASURED: (inputs) => areRootsUnmeasured(inputs),
  SOIL_IN_DOUBT: ({ isSoilInDoubt }) => isSoilInDoubt,
  TOP_FROZEN: (inputs) =>
    inputs.frozen.has(Math.min(...inputs.depths.map(({ depthCm }) => depthCm))) &&
    !isMostlyFrozen(inputs),
  TOO_DRY_FOR_SOIL: hasFlag('TOO_DRY_FOR_SOIL'),
  TOO_WET_FOR_SOIL: hasFlag('TOO_WET_FOR_SOIL'),
  SENSOR_FELL: hasFlag('SENSOR_FELL'),
  SENSOR_NOISY: hasFlag('SENSOR_NOISY'),
  SENSOR_DRIFTS: hasFlag('SENSOR_DRIFTS'),
  SENSOR_STUCK: hasFlag('SENSOR_STUCK'),
};

function hasFlag(flag: QualityFlag) {
  return ({ doubts }: Pick<ReadingInputs, 'doubts'>): boolean =>
    doubts.some(({ reason }) => reason === flag);
}

const isMostlyInDoubt = ({ depths, inDoubt }: ReadingInputs): boolean =>
  isMostlyUnusable(depths, inDoubt);

const isMostlyFrozen = (inputs: ReadingInputs): boolean =>
  inputs.frozen.size > 0 &&
  isMostlyUnusable(inputs.depths, withoutValue(inputs)) &&
  !isMostlyInDoubt(inputs);

function isMostlySilent(inputs: ReadingInputs): boolean {
  const { depths, newestAt, now } = inputs;
  if (!isFreshAt(newestAt, now)) return false;

  const unusable = withoutValue(inputs);
  const silent = silentDepths(inputs);
  return (
    silent.size > 0 &&
    !isMostlyUnusable(depths, unusable) &&
    isMostlyUnusable(depths, new Set([...unusable, ...silent]))
  );
}

/**
 * Those without a recent value at all. None where no depth has one: then there is nothing to rely
 * on, which is said of each slice.
 */
function silentDepths(inputs: ReadingInputs): DepthsCm {
  const excluded = withoutValue(inputs);
  const silent = inputs.depths.filter(
    ({ depthCm, points }) => points.length === 0 && !excluded.has(depthCm),
  );
  return new Set(
    silent.length === inputs.depths.length ? [] : silent.map(({ depthCm }) => depthCm),
  );
}

type SoilInputs = Pick<MoistureConditions, 'depths'> & Pick<ProbeFacts, 'state'>;

/** By what is drawn or declared of the soil. */
export const SOIL_REASONS: Finders<SoilInputs> = {
  FIELD_CAPACITY_IN_DOUBT: isLineDoubted('fieldCapacity'),
  WILTING_POINT_IN_DOUBT: isLineDoubted('wiltingPoint'),
  NO_SOIL_PROFILE: (inputs) => !isCapacityDrawn(inputs) && !isLayered(inputs),
  FIELD_CAPACITY_ESTIMATED: (inputs) => !isCapacityDrawn(inputs) && isLayered(inputs),
};

function isLineDoubted(name: JudgedLine) {
  return ({ state: { doubtedLines = [] } }: SoilInputs): boolean =>
    doubtedLines.some(({ line }) => line === name);
}

const isCapacityDrawn = ({ state }: SoilInputs): boolean =>
  state.basis.fieldCapacity === 'annotation';

const isLayered = ({ depths }: SoilInputs): boolean =>
  depths.some(({ fieldCapacity }) => fieldCapacity !== null);

/** By how deep the roots are taken to be. */
export const ROOT_REASONS: Finders<
  Pick<ProbeSeries, 'rootDepthCm'> & Pick<MoistureConditions, 'usualRoots'>
> = {
  NO_ROOT_DEPTH: ({ rootDepthCm }) => rootDepthCm === null,
  ROOTS_TOO_DEEP: ({ rootDepthCm, usualRoots }) =>
    rootDepthCm !== null && usualRoots !== null && rootDepthCm > usualRoots.toCm,
};

const MAX_MISSING_SHARE = 0.1;

type CoverageInputs = Pick<
  MoistureConditions,
  'newestAt' | 'depths' | 'inDoubt' | 'frozen' | 'now'
> &
  Pick<ProbeFacts, 'missingShare'> &
  Pick<SetupFacts, 'commissioning'> &
  Pick<SoilDeficit, 'deficit'>;

/** By what is missing of the readings and of the soil. */
export const COVERAGE_REASONS: Finders<CoverageInputs> = {
  GAPS: (inputs) => hasGaps(inputs) && !isInFirstWeek(inputs.commissioning, inputs.now),
  // With readings of a whole week it is not new, whatever the day of its entry.
  COMMISSIONING_UNKNOWN: (inputs) =>
    hasGaps(inputs) &&
    inputs.commissioning?.isAssumed === true &&
    isInFirstWeek(inputs.commissioning, inputs.now),
  SLICE_WITHOUT_VALUE: (inputs) => {
    const unusable = withoutValue(inputs);
    return (
      isFreshAt(inputs.newestAt, inputs.now) &&
      inputs.depths.some(
        ({ depthCm, slice, points }) =>
          slice !== null && points.length === 0 && !unusable.has(depthCm),
      )
    );
  },
  DEPTH_WITHOUT_LAYER: ({ deficit }) => deficit !== null && deficit.withoutLayer.length > 0,
};

const hasGaps = ({ newestAt, missingShare, now }: CoverageInputs): boolean =>
  isFreshAt(newestAt, now) && missingShare > MAX_MISSING_SHARE;

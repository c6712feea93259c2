import { type UsualRoots, usualRootsOf } from '../../balance/usual-roots.ts';
import type {
  DepthFacts,
  ProbeFacts,
  StateFacts,
  SuspectReading,
} from '../../facts/probe-facts.ts';
import { hasSoilMoisture } from '../../facts/probe-series.ts';
import { drawnFieldCapacity } from '../../facts/probe-state.ts';
import type { CommonJump, ResponseFacts } from '../../facts/response-facts.ts';
import { type DepthsCm, suspectDepthsOf, withoutValuesAt } from '../../facts/trusted-depths.ts';
import { begunWaterings, type WateringFacts } from '../../facts/watering-facts.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import { keepsRainOff } from '../../moisture/mulch.ts';
import { shiftToDrawnCapacity } from '../../soil/soil-profile.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { type UnshownRain, unshownRain } from '../response/unshown-rain.ts';
import { doubtedWaterings, isOneOf } from '../review/log-story.ts';
import type { FarmConditions } from './farm-conditions.ts';
import { frozenDepths } from './frozen-depths.ts';
import {
  explainsWetting,
  isWetterThanClass,
  judgeResponse,
  type RecordedWater,
  tooWetSince,
} from './response-conditions.ts';

/** The measurements on which an advice by moisture can rely now, and the water that is recorded. */
export interface MoistureConditions {
  readonly now: number;
  readonly facts: ProbeFacts;
  /** The facts as if the depths in doubt or frozen had no value. */
  readonly trusted: ProbeFacts;
  /**
   * Without the points of those in doubt or frozen. A drawn line shifts their field capacities, which
   * then no longer tell the texture.
   */
  readonly depths: readonly DepthFacts[];
  readonly newestAt: number | null;
  /** Without those that ice explains. */
  readonly doubts: readonly SuspectReading[];
  readonly suspectDepths: DepthsCm;
  readonly frozen: DepthsCm;
  /** The usual roots of its crop; null where that is unknown. */
  readonly usualRoots: UsualRoots | null;
  readonly done: readonly WateringFacts[];
  /** They are running, or ended and are not confirmed. */
  readonly startedPlanned: readonly WateringFacts[];
  /** On the parcel; none where the gauge is in doubt. */
  readonly rain: readonly RainContribution[];
  readonly unshownRain: UnshownRain | null;
  readonly response: ResponseFacts;
  /** A rise of all depths at once that no recorded water explains. */
  readonly jump: CommonJump | null;
  readonly tooWetSince: number | null;
  readonly isSoilInDoubt: boolean;
}

/** The depths whose readings tell nothing of the water in the soil. */
export const withoutValue = ({
  suspectDepths,
  frozen,
}: Pick<MoistureConditions, 'suspectDepths' | 'frozen'>): DepthsCm =>
  new Set([...suspectDepths, ...frozen]);

export function moistureConditions(facts: ProbeFacts, farm: FarmConditions): MoistureConditions {
  const { now } = farm;
  const { recent, setup, state } = facts;
  const measuresSoilMoisture = hasSoilMoisture(recent, facts.module);

  const frozen = frozenDepths(facts, farm);
  // Ice explains what looks like a fault.
  const doubts = state.doubts.filter(({ depthCm }) => depthCm === null || !frozen.has(depthCm));
  const suspectDepths = suspectDepthsOf(doubts);
  const unusable = withoutValue({ suspectDepths, frozen });
  const depths = measuresSoilMoisture
    ? shiftToDrawnCapacity(recent.depths, drawnFieldCapacity(state))
    : [];

  const believed = believedRain(facts, farm);
  const { rain } = believed;
  const begun = begunWaterings(facts.waterings, now);
  const response = judgeResponse(facts.response, rain);

  return {
    now,
    facts,
    trusted: withoutValuesAt(facts, unusable, now),
    depths: depths.map((depth) => (unusable.has(depth.depthCm) ? { ...depth, points: [] } : depth)),
    newestAt: measuresSoilMoisture ? newestPastReading(facts, now) : null,
    doubts,
    suspectDepths,
    frozen,
    usualRoots: setup.cropSeason?.crop ? usualRootsOf(setup.cropSeason.crop) : null,
    done: begun.filter(({ status }) => status === 'done'),
    startedPlanned: begun.filter(({ status }) => status === 'planned'),
    ...believed,
    response,
    jump: unexplainedJump({ ...facts, response }, { begun, rain }, now),
    // Above a line that is doubted, the soil need not be wet.
    tooWetSince: isCapacityDoubted(state) ? null : tooWetSince(facts, begun, rain, now),
    isSoilInDoubt: isWetterThanClass(facts, now),
  };
}

/** None of a gauge whose heavy rain the uppermost sensor did not show. */
function believedRain(
  { module: { parcelId }, setup, stillPeriods }: ProbeFacts,
  farm: FarmConditions,
): Pick<MoistureConditions, 'rain' | 'unshownRain'> {
  const rain = farm.rainOn(parcelId);
  const isExposed = farm.isOutdoors(parcelId) && !keepsRainOff(setup.settings);
  const unshown = isExposed ? unshownRain(rain, stillPeriods) : null;
  return { rain: unshown === null ? rain : [], unshownRain: unshown };
}

/** The water of a rise that is of a watering, only at another time than the log has it, is logged. */
function unexplainedJump(
  { jump, response, freshness: { newestAt } }: Pick<ProbeFacts, 'jump' | 'response' | 'freshness'>,
  water: RecordedWater,
  now: number,
): CommonJump | null {
  if (jump === null || !isFreshAt(newestAt, now)) return null;
  const isOfLog = isOneOf(doubtedWaterings(response).roseAt, jump.at);
  return isOfLog || explainsWetting(water, jump.at) ? null : jump;
}

const isCapacityDoubted = ({ doubtedLines = [] }: StateFacts): boolean =>
  doubtedLines.some(({ line }) => line === 'fieldCapacity');

/** The newest reading of all may lie ahead of now. */
function newestPastReading(
  { freshness: { newestAt }, recent, state }: ProbeFacts,
  now: number,
): number | null {
  if (newestAt === null || newestAt <= now) return newestAt;
  const newest = Math.max(...recent.depths.map(({ points }) => points.at(-1)?.at ?? 0));
  return newest > 0 ? newest : state.at;
}

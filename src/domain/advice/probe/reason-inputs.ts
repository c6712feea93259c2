import { type UsualRoots, usualRootsOf } from '../../balance/usual-roots.ts';
import type { CommissioningFacts } from '../../facts/commissioning.ts';
import type {
  DepthFacts,
  EquipmentFacts,
  ProbeFacts,
  StateFacts,
} from '../../facts/probe-facts.ts';
import { hasSoilMoisture } from '../../facts/probe-series.ts';
import { drawnFieldCapacity } from '../../facts/probe-state.ts';
import type { CommonJump, ResponseFacts } from '../../facts/response-facts.ts';
import { type DepthsCm, depthsInDoubt } from '../../facts/trusted-depths.ts';
import { begunWaterings, type WateringFacts } from '../../facts/watering-facts.ts';
import { isFreshAt } from '../../moisture/coverage.ts';
import { shiftToDrawnCapacity } from '../../soil/soil-profile.ts';
import type { RainContribution } from '../../weather/rain.ts';
import type { UnshownRain } from '../response/unshown-rain.ts';
import {
  explainsWetting,
  isWetterThanClass,
  judgeResponse,
  type RecordedWater,
  tooWetSince,
} from './response-conditions.ts';

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

/** The depths whose readings tell nothing of the water in the soil. */
export const withoutValue = ({
  inDoubt,
  frozen,
}: Pick<ReasonInputs, 'inDoubt' | 'frozen'>): DepthsCm => new Set([...inDoubt, ...frozen]);

/** What the advice by the moisture of a probe is computed from. */
export function reasonInputs(
  facts: ProbeFacts,
  { rain, frozen }: { readonly rain: readonly RainContribution[]; readonly frozen: DepthsCm },
  now: number,
): Omit<ReasonInputs, 'unshownRain'> {
  const { recent, setup, missingShare } = facts;
  const state = withoutDoubtsAt(facts.state, frozen);
  const begun = begunWaterings(facts.waterings, now);
  const measuresSoilMoisture = hasSoilMoisture(recent, facts.module);
  const inDoubt = depthsInDoubt(state.doubts);
  const depths = measuresSoilMoisture
    ? shiftToDrawnCapacity(recent.depths, drawnFieldCapacity(state))
    : [];

  const unusable = withoutValue({ inDoubt, frozen });
  return {
    measuresSoilMoisture,
    depths: depths.map((depth) => (unusable.has(depth.depthCm) ? { ...depth, points: [] } : depth)),
    inDoubt,
    frozen,
    newestAt: measuresSoilMoisture ? newestPastReading(facts, now) : null,
    missingShare,
    commissioning: setup.commissioning,
    rootDepthCm: recent.rootDepthCm,
    usualRoots: setup.cropSeason?.crop ? usualRootsOf(setup.cropSeason.crop) : null,
    state,
    installation: setup.installation,
    done: begun.filter(({ status }) => status === 'done'),
    startedPlanned: begun.filter(({ status }) => status === 'planned'),
    response: judgeResponse(facts.response, rain),
    jump: unexplainedJump(facts, { begun, rain }, now),
    // Above a line that is doubted, the soil need not be wet.
    tooWetSince: isCapacityDoubted(state) ? null : tooWetSince(facts, begun, rain, now),
    isSoilInDoubt: isWetterThanClass(facts, now),
  };
}

function unexplainedJump(
  { jump, freshness: { newestAt } }: ProbeFacts,
  water: RecordedWater,
  now: number,
): CommonJump | null {
  if (jump === null || !isFreshAt(newestAt, now)) return null;
  return explainsWetting(water, jump.at) ? null : jump;
}

const isCapacityDoubted = ({ doubtedLines = [] }: StateFacts): boolean =>
  doubtedLines.some(({ line }) => line === 'fieldCapacity');

/** Ice explains what looks like a fault. */
const withoutDoubtsAt = (state: StateFacts, depthsCm: DepthsCm): StateFacts => ({
  ...state,
  doubts: state.doubts.filter(({ depthCm }) => depthCm === null || !depthsCm.has(depthCm)),
});

/** The newest reading of all may lie ahead of now. */
function newestPastReading(
  { freshness: { newestAt }, recent, state }: ProbeFacts,
  now: number,
): number | null {
  if (newestAt === null || newestAt <= now) return newestAt;
  const newest = Math.max(...recent.depths.map(({ points }) => points.at(-1)?.at ?? 0));
  return newest > 0 ? newest : state.at;
}

import type { AdviceRequest, ProbeAdvice } from '../../domain/advice/advice.ts';
import { isResting, type Reason, reasonOf } from '../../domain/advice/reason.ts';
import { attributesOf, delaysWatering, withholdsAmount } from '../../domain/advice/reason-kinds.ts';
import { type WateringDecision, wateringDecision } from '../../domain/advice/watering-decision.ts';
import { withoutNulls } from '../../domain/items.ts';
import { amount } from '../../domain/text/figures.ts';
import { counted, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf, timeWithZone } from '../../domain/text/times.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import { adviceOfBody } from '../../schema/advice/advice-body.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { describeEnoughIfItRuns } from '../irrigation/watering-summary.ts';
import { describeTension } from '../monitoring/agronomic-state-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';
import { describeRecentRain } from '../weather/rain-summary.ts';
import { describeDecision } from './amounts/decision-summary.ts';
import { NEGLIGIBLE_DEFICIT_MM } from './deficit-summary.ts';
import { describeMeanwhile } from './meanwhile-summary.ts';
import { describeNeed, describeStress } from './need-summary.ts';
import type { ProbeContext } from './reason-context.ts';
import {
  describeDelays,
  describeDoubts,
  describeReasons,
  describeRemainingReasons,
} from './reason-sentences.ts';
import { describeTurn } from './turn-summary.ts';

export async function summarizeAdvice(
  body: AdviceBody,
  summaryContext: SummaryContext,
  request: AdviceRequest,
  advisories: readonly Advisory[] = [],
): Promise<Text> {
  const recentRain = advisories.find((advisory) => advisory.kind === 'recent_rain');
  const { directory } = summaryContext;
  const advice = adviceOfBody(body, advisories);
  const context: ProbeContext = {
    ...summaryContext,
    target: await moduleText(directory, advice.moduleId),
    advice,
    request,
    fallenMm: recentRain?.effectiveMm ?? 0,
    differing: await differingNames(advice, directory),
    exchangedWith: await exchangedName(advice, directory),
  };
  if (isResting(advice)) return describeRest(context);

  const decision = decisionOf(advice);
  const { doubts, answer, caveats } = describeAnswer(context, decision, advisories);
  return sentences([
    ...doubts,
    answer,
    ...caveats,
    ...describeTensionDecision(advice),
    ...describeTurn(advice.turn, decision, summaryContext.now),
    recentRain === undefined ? null : describeRecentRain(recentRain),
    ...describeState(context, decision),
    ...(await describeMeanwhile(advice.meanwhile, summaryContext)),
    ...describePlannedWaterings(context),
    ...describeRemainingReasons(context),
  ]);
}

/** The other probes on the same valve that hold much more or less of what their soil can. */
const differingNames = (
  { reasons }: ProbeAdvice,
  directory: SummaryContext['directory'],
): Promise<Text[]> =>
  Promise.all(
    (reasonOf(reasons, 'PROBES_DIFFER')?.moduleIds ?? []).map((id) => moduleText(directory, id)),
  );

/** Null where it was not exchanged with another. */
export async function exchangedName(
  { reasons }: ProbeAdvice,
  directory: SummaryContext['directory'],
): Promise<Text | null> {
  const id = reasonOf(reasons, 'PROBES_EXCHANGED')?.moduleId;
  return id === undefined ? null : moduleText(directory, id);
}

interface Answer {
  /** Before the answer, which they take away or change. */
  readonly doubts: readonly Text[];
  /** It names the probe; null where other sentences answer whether to water. */
  readonly answer: Text | null;
  readonly caveats: readonly Text[];
}

/**
 * Whether to water. What takes the amount away comes first; where no water is needed, what has not
 * soaked in yet comes after that.
 */
export function describeAnswer(
  context: ProbeContext,
  decision: WateringDecision | null,
  advisories: readonly Advisory[] = [],
): Answer {
  const { target, advice } = context;
  const doubts = describeDoubts(context);
  const delays = describeDelays(context);
  if (decision === null) return { doubts: [...doubts, ...delays], answer: null, caveats: [] };

  const planned = advisories.find((advisory) => advisory.kind === 'enough_if_it_runs');
  const answer =
    decision === 'enough' && planned !== undefined
      ? describeEnoughIfItRuns(planned, target)
      : describeDecision(decision, target, advice);
  return decision === 'wait' || decision === 'enough'
    ? { doubts, answer, caveats: delays }
    : { doubts: [...doubts, ...delays], answer, caveats: [] };
}

export const describeRest = (context: ProbeContext): Text =>
  sentences([
    ...describeReasons(context.advice.reasons, context),
    ...(context.advice.planned.count === 0 ? [] : describePlannedWaterings(context)),
  ]);

/** Null where other sentences answer whether to water. */
export function decisionOf(advice: ProbeAdvice): WateringDecision | null {
  const { deficitMm, tension, reasons } = advice;
  const isMeasured = tension === undefined && reasonOf(reasons, 'BY_BALANCE') === undefined;
  if (!isMeasured || deficitMm === null || deficitMm < NEGLIGIBLE_DEFICIT_MM) return null;
  return wateringDecision(advice);
}

/** By its tension where the sensor measures that, else by its deficit. */
export function describeState(context: ProbeContext, decision: WateringDecision | null): Text[] {
  const { target, advice, now } = context;
  const { tension, at, reasons } = advice;
  if (tension)
    return describeTension(target, tension, at, {
      now,
      isInDoubt: reasons.some(({ kind }) => attributesOf(kind).withholds === 'reading'),
    });

  const saysDays = decision === 'water' || decision === 'wait';
  return [
    ...describeNeed(decision, context),
    ...(saysDays ? [] : describeStress(advice)),
    ...describeReasons(reasons.filter(goesWithFigures), context),
  ];
}

const goesWithFigures = ({ kind }: Reason): boolean => attributesOf(kind).place === 'figures';

export function describeTensionDecision({ reasons, tension }: ProbeAdvice): Text[] {
  const isDry = tension?.isDry ?? null;
  if (isDry === null || reasons.some(withholdsAmount) || reasons.some(delaysWatering)) return [];
  return [isDry ? say`Water now.` : say`No need to water yet.`];
}

function describePlannedWaterings({ advice, now }: ProbeContext): Text[] {
  const { planned, reasons, waterMm: advised } = advice;
  if (reasonOf(reasons, 'NO_SOIL_MOISTURE') !== undefined) return [];

  const { until, count, waterMm, nextAt } = planned;
  if (nextAt === null) return [say`No watering is planned between now and ${dateOf(until)}.`];

  const takenOffMm = reasonOf(reasons, 'PLANNED_TODAY')?.plannedMm ?? 0;
  const dose = waterMm === null ? say`of unknown dose` : say`${amount(waterMm, 'mm')} in all`;
  const isUnderWay = nextAt <= now;
  const next = say`${isUnderWay ? say`one running since` : say`the next`} ${timeWithZone(nextAt)}`;
  const isCovered =
    advised !== null && advised > 0 && waterMm !== null && waterMm >= advised + takenOffMm;
  return withoutNulls([
    say`Planned until ${dateOf(until)}: ${counted(count, 'watering')}, ${dose}, ${next}.`,
    isCovered ? describeCover(takenOffMm) : null,
  ]);
}

/** Advice beside what is planned for today says that it is in addition to that. */
const describeCover = (takenOffMm: number): Text =>
  takenOffMm > 0
    ? say`What is planned after today gives as much, if you can wait and if it runs.`
    : say`The planned waterings are enough, if they run.`;

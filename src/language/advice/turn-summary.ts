import type { TurnDecision } from '../../domain/advice/turn-decision.ts';
import type { WateringDecision } from '../../domain/advice/watering-decision.ts';
import { withoutNulls } from '../../domain/items.ts';
import { daysUntil, estimate } from '../../domain/text/figures.ts';
import { capitalized, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf, timeOf } from '../../domain/text/times.ts';

/** Whether to take the next turn, when to order it, and what holds of all of them. */
export function describeTurn(
  turn: TurnDecision | undefined,
  decision: WateringDecision | null,
): Text[] {
  if (turn === undefined) return [];
  const { verdict, isLate, orderBy, missedAt, drainedMm, fullLastsDays } = turn;
  return withoutNulls([
    isLate ? describeLate(turn, decision) : say`${describeVerdict(turn)}.`,
    isLate && drainedMm !== null ? say`${drained(drainedMm)} then.` : null,
    orderBy === null || verdict === 'skip' ? null : say`Order it by ${timeOf(orderBy)}.`,
    missedAt === null ? null : say`${capitalized(ifOrdered(missedAt))}, and ask again.`,
    fullLastsDays === null
      ? null
      : say`Full soil lasts ${daysUntil(fullLastsDays)}, less than from one turn to the next.`,
  ]);
}

/** Null where the decision has said it. */
const describeLate = ({ nextAt }: TurnDecision, decision: WateringDecision | null): Text | null =>
  decision === 'water' || decision === 'wait' ? null : say`The next turn is ${timeOf(nextAt)}.`;

/** Who orders at an office has perhaps not planned it here. */
export const ifOrdered = (missedAt: number): Text =>
  say`if the turn of ${timeOf(missedAt)} was ordered, log it as planned`;

/** "stress from 11 Jun, next water 13 Jun 06:00" */
export const stressBeforeWater = ({
  nextAt,
  stressAt,
}: Pick<TurnDecision, 'nextAt' | 'stressAt'>): Text =>
  stressAt === null
    ? say`next water ${timeOf(nextAt)}`
    : say`stress from ${dateOf(stressAt)}, next water ${timeOf(nextAt)}`;

/** Without a full stop. */
export function describeVerdict(turn: TurnDecision): Text {
  const { verdict, nextAt, followingAt, drainedMm } = turn;
  const next = say`${timeOf(nextAt)}`;
  if (verdict === 'skip' && followingAt !== null)
    return say`The turn of ${next} can be skipped: the water in the soil lasts until ${timeOf(followingAt)}`;
  if (verdict === 'open' && drainedMm !== null)
    return say`${drained(drainedMm)} at the turn of ${next}; without it, ${consequence(turn)}`;
  if (verdict === 'take') return say`Take the turn of ${next}: without it, ${consequence(turn)}`;
  return followingAt === null
    ? say`The next turn is ${next}`
    : say`The next turn is ${next}, then ${timeOf(followingAt)}`;
}

const drained = (drainedMm: number): Text =>
  say`Of the least dose some ${estimate(drainedMm, 'mm')} would drain`;

function consequence({ stressAt, followingAt }: TurnDecision): Text {
  const stress = stressAt === null ? null : say`stress is expected on ${dateOf(stressAt)}`;
  if (followingAt === null)
    return say`${stress ?? say`the crop may suffer`}, and no more water comes this season`;
  return stress === null
    ? say`the crop may suffer before the next water comes, ${timeOf(followingAt)}`
    : say`${stress}, and the next water comes ${timeOf(followingAt)}`;
}

import { comesRarely, type TurnDecision } from '../../domain/advice/turn-decision.ts';
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
  now: number,
): Text[] {
  if (turn === undefined) return [];
  const { verdict, isLate, orderBy, missedAt, drainedMm, fullLastsDays } = turn;
  return withoutNulls([
    isLate ? describeLate(turn, decision) : null,
    // Water that comes each day is given when it is due.
    isLate || !comesRarely(turn) ? null : say`${describeVerdict(turn, now)}.`,
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
export function describeVerdict(turn: TurnDecision, now: number): Text {
  const { verdict, nextAt, followingAt, drainedMm } = turn;
  const time = timeOf(nextAt);
  const named = nextAt <= now ? say`the turn that began ${time}` : say`the turn of ${time}`;
  if (verdict === 'skip' && followingAt !== null)
    return say`${capitalized(named)} can be skipped: the water in the soil lasts until ${timeOf(followingAt)}`;
  if (verdict === 'open')
    return drainedMm === null
      ? say`The soil has no room for water at ${named}; without it, ${consequence(turn)}`
      : say`${drained(drainedMm)} at ${named}; without it, ${consequence(turn)}`;
  if (verdict === 'take') return say`Take ${named}: without it, ${consequence(turn)}`;
  const next = nextAt <= now ? say`A turn began ${time}` : say`The next turn is ${time}`;
  if (followingAt === null) return next;
  return nextAt <= now
    ? say`${next}, the next one is ${timeOf(followingAt)}`
    : say`${next}, then ${timeOf(followingAt)}`;
}

const drained = (drainedMm: number): Text =>
  say`Of the least dose some ${estimate(drainedMm, 'mm')} would drain`;

function consequence({ stressAt, followingAt }: TurnDecision): Text {
  const stress = stressAt === null ? null : say`stress is expected from ${dateOf(stressAt)} on`;
  if (followingAt === null)
    return say`${stress ?? say`the crop may suffer`}, and no more water comes this season`;
  return stress === null
    ? say`the crop may suffer before the next water comes, ${timeOf(followingAt)}`
    : say`${stress}, and the next water comes ${timeOf(followingAt)}`;
}

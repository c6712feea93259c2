import type { z } from 'zod/v3';
import type { TurnDecision } from '../../domain/advice/turn-decision.ts';
import { roundAmountOrNull, roundTo } from '../../domain/decimal.ts';
import { parseInstantOrNull, toIso, toIsoOrNull } from '../wire-format.ts';
import type { turn } from './advice.ts';

export type TurnBody = z.output<typeof turn>;

export const toTurnBody = (decision: TurnDecision): TurnBody => ({
  ...decision,
  nextAt: toIso(decision.nextAt),
  followingAt: toIsoOrNull(decision.followingAt),
  orderBy: toIsoOrNull(decision.orderBy),
  missedAt: toIsoOrNull(decision.missedAt),
  stressAt: toIsoOrNull(decision.stressAt),
  drainedMm: roundAmountOrNull(decision.drainedMm),
  fullLastsDays: decision.fullLastsDays === null ? null : roundTo(decision.fullLastsDays, 1),
});

export const turnOfBody = (body: TurnBody): TurnDecision => ({
  ...body,
  nextAt: Date.parse(body.nextAt),
  followingAt: parseInstantOrNull(body.followingAt),
  orderBy: parseInstantOrNull(body.orderBy),
  missedAt: parseInstantOrNull(body.missedAt),
  stressAt: parseInstantOrNull(body.stressAt),
});

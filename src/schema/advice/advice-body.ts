import type { ProbeAdvice } from '../../domain/advice/advice.ts';
import type { Advisory } from '../advisory.ts';
import { toIso, toIsoOrNull } from '../wire-format.ts';
import type { AdviceBody } from './advice.ts';
import { reasonsOf, toBody } from './reasons-of-body.ts';
import { toTurnBody, turnOfBody } from './turn-body.ts';

// The advice for a probe as facts, and as the body of an answer.

export function toAdviceBody({
  at,
  planned,
  reasons,
  meanwhile,
  tension,
  turn,
  ...advice
}: ProbeAdvice): AdviceBody {
  const { tension: inDoubt, ...facts } = toBody(reasons).body;
  return {
    ...advice,
    time: toIsoOrNull(at),
    planned: {
      ...planned,
      until: toIso(planned.until),
      nextAt: toIsoOrNull(planned.nextAt),
    },
    rest: null,
    doubts: [],
    ...facts,
    meanwhile: meanwhile ?? undefined,
    turn: turn && toTurnBody(turn),
    tension: tension && { ...tension, ...inDoubt },
  };
}

/** The advisories of the answer hold facts of some reasons. */
export function adviceOfBody(body: AdviceBody, advisories: readonly Advisory[] = []): ProbeAdvice {
  const { time, planned, meanwhile = null, turn } = body;
  return {
    ...body,
    at: time === null ? null : Date.parse(time),
    planned: {
      ...planned,
      until: Date.parse(planned.until),
      nextAt: planned.nextAt === null ? null : Date.parse(planned.nextAt),
    },
    meanwhile,
    turn: turn ? turnOfBody(turn) : undefined,
    reasons: reasonsOf(body, advisories),
  };
}

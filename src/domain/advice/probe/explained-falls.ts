import type { ProbeFacts, TensionFacts } from '../../facts/probe-facts.ts';
import { isWettedNear, type SuspectTension } from '../../facts/suspect-tension.ts';

export const hasFallen = ({ state: { tension } }: ProbeFacts): boolean =>
  (tension?.suspect ?? []).some(isFall);

const isFall = ({ reason }: SuspectTension): boolean => reason === 'TENSION_FELL';

/** Without the falls at whose time water arrived at one of the other probes of the parcel. */
export function withoutExplainedFalls(
  facts: ProbeFacts,
  ofParcel: readonly Pick<ProbeFacts, 'wettedAt'>[],
): ProbeFacts {
  const { state } = facts;
  if (state.tension === undefined) return facts;

  const wettedAt = ofParcel.flatMap((other) => other.wettedAt);
  const suspect = (state.tension.suspect ?? []).filter(
    (doubt) => !isFall(doubt) || !isWettedNear(doubt.since, wettedAt),
  );
  return { ...facts, state: { ...state, tension: withSuspect(state.tension, suspect) } };
}

export const withSuspect = (
  { suspect: _, ...tension }: TensionFacts,
  suspect: readonly SuspectTension[],
): TensionFacts => (suspect.length === 0 ? tension : { ...tension, suspect });

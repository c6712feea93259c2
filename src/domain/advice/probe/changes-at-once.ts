import type { ProbeFacts, TensionFacts } from '../../facts/probe-facts.ts';
import { isWettedNear, type SuspectTension } from '../../facts/suspect-tension.ts';

/** True if its readings changed at once, as by water, which other probes may confirm. */
export const hasChangedAtOnce = ({ state: { tension }, jump }: ProbeFacts): boolean =>
  jump !== null || (tension?.suspect ?? []).some(isFall);

const isFall = ({ reason }: SuspectTension): boolean => reason === 'TENSION_FELL';

/** Leaves out the changes at whose time water arrived at another probe of the parcel. */
export function withoutExplainedChanges(
  facts: ProbeFacts,
  wettedAt: readonly number[],
): ProbeFacts {
  const { state, jump } = facts;
  const isExplained = (at: number): boolean => isWettedNear(at, wettedAt);
  const unexplained = { ...facts, jump: jump !== null && isExplained(jump.at) ? null : jump };
  if (state.tension === undefined) return unexplained;

  const suspect = (state.tension.suspect ?? []).filter(
    (doubt) => !isFall(doubt) || !isExplained(doubt.since),
  );
  return { ...unexplained, state: { ...state, tension: withSuspect(state.tension, suspect) } };
}

export const withSuspect = (
  { suspect: _, ...tension }: TensionFacts,
  suspect: readonly SuspectTension[],
): TensionFacts => (suspect.length === 0 ? tension : { ...tension, suspect });

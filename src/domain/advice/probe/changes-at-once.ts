import type { ProbeFacts, TensionFacts } from '../../facts/probe-facts.ts';
import { isWettedNear, type SuspectTension } from '../../facts/suspect-tension.ts';

/** Whether its readings changed as water does at once, which other probes may confirm. */
export const hasChangedAtOnce = ({ state: { tension }, jump }: ProbeFacts): boolean =>
  jump !== null || (tension?.suspect ?? []).some(isFall);

const isFall = ({ reason }: SuspectTension): boolean => reason === 'TENSION_FELL';

/** Without the changes at whose time water arrived at one of the other probes of the parcel. */
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

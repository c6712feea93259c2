import { DAY_MS } from '../periods.ts';
import type { Reason } from './reason.ts';
import {
  attributesOf,
  CHECK_REASONS,
  isAlwaysChecked,
  isOutOfSeason,
  type KindWith,
  type ReasonKind,
} from './reason-kinds.ts';

/** A doubt that lasts this long is reported. */
export const REPORTED_AFTER_MS = 2 * DAY_MS;
/** A doubt that has been gone for this long is a new one when it comes back. */
export const FORGOTTEN_AFTER_MS = DAY_MS;

export type DoubtReason = Exclude<KindWith<{ check: 'always' }>, KindWith<{ passes: true }>>;

const isDoubt = (reason: ReasonKind): reason is DoubtReason =>
  isAlwaysChecked(reason) && attributesOf(reason).passes !== true;

export const DOUBT_REASONS: readonly DoubtReason[] = CHECK_REASONS.filter(isDoubt);

/** None out of season. */
export const doubtsOf = ({ reasons }: { readonly reasons: readonly Reason[] }): DoubtReason[] =>
  reasons.some(isOutOfSeason) ? [] : reasons.flatMap(({ kind }) => (isDoubt(kind) ? kind : []));

/** One reason of one probe. Instants in ms. */
export interface LastingDoubt {
  readonly reason: DoubtReason;
  readonly since: number;
  /** Since when the advice no longer gives the reason. */
  readonly goneSince: number | null;
  /** When it was reported. */
  readonly messagedAt: number | null;
}

interface FollowedDoubts {
  /** To be recorded instead of the earlier ones. */
  readonly doubts: readonly LastingDoubt[];
  /** The doubts that are to be reported now. */
  readonly reported: readonly LastingDoubt[];
}

/** Compares the doubts of a probe as they were recorded with what the advice says now. */
export function followDoubts(
  recorded: readonly LastingDoubt[],
  current: readonly DoubtReason[],
  now: number,
): FollowedDoubts {
  const doubts: LastingDoubt[] = [];
  const reported: LastingDoubt[] = [];

  for (const reason of DOUBT_REASONS) {
    const before = recorded.find((doubt) => doubt.reason === reason);
    const after = current.includes(reason)
      ? presentDoubt(reason, before, now)
      : before && absentDoubt(before, now);
    if (after === undefined) continue;

    doubts.push(after);
    if (after.messagedAt !== null && (before?.messagedAt ?? null) === null) reported.push(after);
  }

  return { doubts, reported };
}

/** An instant in the future was recorded while a clock was wrong. */
const notAfter = (at: number, now: number): number => Math.min(at, now);

function presentDoubt(
  reason: DoubtReason,
  before: LastingDoubt | undefined,
  now: number,
): LastingDoubt {
  const isSame =
    before !== undefined &&
    (before.goneSince === null || now - notAfter(before.goneSince, now) < FORGOTTEN_AFTER_MS);
  if (!isSame) return { reason, since: now, goneSince: null, messagedAt: null };

  const since = notAfter(before.since, now);
  const isDue = now - since >= REPORTED_AFTER_MS;
  return { reason, since, goneSince: null, messagedAt: before.messagedAt ?? (isDue ? now : null) };
}

function absentDoubt(before: LastingDoubt, now: number): LastingDoubt | undefined {
  const goneSince = notAfter(before.goneSince ?? now, now);
  return now - goneSince >= FORGOTTEN_AFTER_MS ? undefined : { ...before, goneSince };
}

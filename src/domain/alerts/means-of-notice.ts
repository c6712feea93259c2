import { MINUTE_MS } from '../periods.ts';
import type { JobRound } from './job-rounds.ts';

/** Rounds follow each other by a minute; a process whose last one is older than this has ended. */
const ROUND_HOLDS_MS = 15 * MINUTE_MS;

/**
 * `rejected`: mail leaves, but the server has not accepted the last one to a recipient. `fails`: no
 * server can be used. `in_chats`: only assistants, while a chat is open, have a server. `stopped`:
 * what had a server no longer runs.
 */
export const MAIL_MEANS = [
  'leaves',
  'rejected',
  'fails',
  'in_chats',
  'stopped',
  'no_server',
] as const;
export type MailMeans = (typeof MAIL_MEANS)[number];

export interface MeansOfNotice {
  readonly mail: Exclude<MailMeans, 'rejected'>;
  /** False if alerts are checked only while a chat is open. */
  readonly areAlertsChecked: boolean;
  /** Since when mail fails, or no longer leaves; null otherwise. */
  readonly since: number | null;
}

/** What a promise of a message may rest on. `now` is real time. */
export function meansOfNotice(rounds: readonly JobRound[], now: number): MeansOfNotice {
  const unattended = rounds.filter(({ runner }) => runner !== 'stdio');
  // A round of the future ran while a clock was ahead.
  const running = unattended.filter(({ ranAt }) => Math.abs(now - ranAt) <= ROUND_HOLDS_MS);
  const areAlertsChecked = running.length > 0;

  const senders = running.filter(({ hasMailServer }) => hasMailServer);
  if (senders.some(isDelivering)) return { mail: 'leaves', areAlertsChecked, since: null };

  const failing = newestOf(senders);
  if (failing) return { mail: 'fails', areAlertsChecked, since: failing.failedAt };

  const inChats = newestOf(rounds.filter(({ runner }) => runner === 'stdio'));
  if (inChats?.hasMailServer)
    return isDelivering(inChats)
      ? { mail: 'in_chats', areAlertsChecked, since: null }
      : { mail: 'fails', areAlertsChecked, since: inChats.failedAt };

  const last = newestOf(unattended);
  if (last?.hasMailServer) return { mail: 'stopped', areAlertsChecked, since: last.ranAt };
  return { mail: 'no_server', areAlertsChecked, since: null };
}

const isDelivering = ({ deliveredAt, failedAt }: JobRound): boolean =>
  failedAt === null || (deliveredAt !== null && deliveredAt > failedAt);

const newestOf = (rounds: readonly JobRound[]): JobRound | null =>
  rounds.toSorted((a, b) => b.ranAt - a.ranAt)[0] ?? null;

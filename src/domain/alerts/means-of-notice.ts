import { MINUTE_MS } from '../periods.ts';
import type { JobRound } from './job-rounds.ts';

/** Rounds follow each other by a minute; a process whose last one is older than this has ended. */
const ROUND_HOLDS_MS = 15 * MINUTE_MS;

/**
 * How a command finds the store of a service, whose path or address is not shown to its clients.
 */
export const STORE_KINDS = ['default', 'file', 'server'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/**
 * `rejected`: mail leaves, but the server has not accepted the last one to a recipient. `untried`: no
 * answer of the server has come yet. `fails`: no server can be used. `in_chats`: only assistants,
 * while a chat is open, have a server. `stopped`: what had a server no longer runs.
 */
export const MAIL_MEANS = [
  'leaves',
  'rejected',
  'untried',
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
  /** The process that has a mail server and runs at all hours; null if none does. */
  readonly sender: 'serve' | 'tick' | null;
  /** The last round of the sender; since when mail fails, or no longer leaves; null otherwise. */
  readonly since: number | null;
}

/** The facts on which a promise of a message may rest. `now` is real time. */
export function meansOfNotice(rounds: readonly JobRound[], now: number): MeansOfNotice {
  const unattended = rounds.filter(({ runner }) => runner !== 'stdio');
  const running = unattended.filter((round) => isRunning(round, now));
  const areAlertsChecked = running.length > 0;
  const facts = { areAlertsChecked, sender: null, since: null };

  const senders = running.filter(({ hasMailServer }) => hasMailServer);
  const sender = newestOf(senders.filter(isUsable));
  if (sender) {
    return { mail: 'leaves', areAlertsChecked, sender: senderOf(sender), since: sender.ranAt };
  }

  const newest = newestOf(senders);
  if (newest) return { ...facts, sender: senderOf(newest), ...unusable(newest) };

  const inChats = newestOf(rounds.filter(({ runner }) => runner === 'stdio'));
  if (inChats?.hasMailServer)
    return isUsable(inChats) ? { ...facts, mail: 'in_chats' } : { ...facts, ...unusable(inChats) };

  const last = newestOf(unattended);
  if (last?.hasMailServer) return { ...facts, mail: 'stopped', since: endOf(last) };
  return { ...facts, mail: 'no_server' };
}

const senderOf = ({ runner }: JobRound) => (runner === 'tick' ? 'tick' : 'serve');

/** A round of the future ran while a clock was ahead. */
const isRunning = (round: JobRound, now: number): boolean =>
  Math.abs(now - round.ranAt) <= ROUND_HOLDS_MS && endOf(round) === round.ranAt;

const endOf = ({ ranAt, stoppedAt }: JobRound): number => Math.max(ranAt, stoppedAt ?? ranAt);

/** The server has accepted a login or a message since it last could not be used. */
const isUsable = (round: JobRound): boolean => usedAt(round) > (round.failedAt ?? 0);

const usedAt = ({ triedAt, deliveredAt }: JobRound): number =>
  Math.max(triedAt ?? 0, deliveredAt ?? 0);

const unusable = ({ failedAt }: JobRound) =>
  ({ mail: failedAt === null ? 'untried' : 'fails', since: failedAt }) as const;

/** True if the server is to be tried although no message waits. */
export const isTrialDue = (round: JobRound | undefined, now: number): boolean =>
  round === undefined || now - Math.max(usedAt(round), round.failedAt ?? 0) >= ROUND_HOLDS_MS;

const newestOf = (rounds: readonly JobRound[]): JobRound | null =>
  rounds.toSorted((a, b) => b.ranAt - a.ranAt)[0] ?? null;

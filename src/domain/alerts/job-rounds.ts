/** The kinds of processes that run the background jobs; the first only while a chat is open. */
export const JOB_RUNNERS = ['stdio', 'serve', 'tick'] as const;
export type JobRunner = (typeof JOB_RUNNERS)[number];

/**
 * The last round of the background jobs in processes of one kind, with or without a mail server. Its
 * instants are real time in ms, even if the processes use a simulated clock.
 */
export interface JobRound {
  readonly runner: JobRunner;
  readonly hasMailServer: boolean;
  readonly ranAt: number;
  /** When such a process last ended in an orderly way. */
  readonly stoppedAt: number | null;
  /** When a mail server last let such a process log in, without a message. */
  readonly triedAt: number | null;
  /** When a mail server last accepted a message from such a process. */
  readonly deliveredAt: number | null;
  /** When a mail server last could not be reached, or refused the login or the sender. */
  readonly failedAt: number | null;
}

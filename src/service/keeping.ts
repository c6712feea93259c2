import { randomUUID } from 'node:crypto';
import type { Lang } from '../domain/lang.ts';
import type { Store } from '../store/store.ts';
import { tick } from './housekeeping.ts';
import type { MailTransport } from './outbox.ts';
import { postmanOf } from './postman.ts';

/** What a process that serves does for its store between calls. */
export interface Keeping {
  /** Housekeeping, once, after which mail that is due is sent beside all else; both end early when `signal` does. */
  keep(signal: AbortSignal): Promise<void>;
  /** Resolves when no mail is being sent. */
  ended(): Promise<unknown>;
}

export interface KeepingOptions {
  readonly store: Store;
  readonly clock: () => number;
  /** Language of mail where one was chosen; else each company's own. */
  readonly lang?: Lang | undefined;
  /** The way to the mail server, asked for when there is something to send; mail waits without it. */
  readonly openTransport?: (() => Promise<MailTransport>) | undefined;
  readonly report: (error: unknown) => Promise<unknown>;
}

export function keepingOf({ store, clock, lang, openTransport, report }: KeepingOptions): Keeping {
  const holder = randomUUID();
  const postman = openTransport && postmanOf({ store, openTransport, holder }, report);
  return {
    async keep(signal) {
      await tick(store, { now: clock(), holder, signal, lang });
      postman?.start(signal);
    },
    ended: async () => postman?.ended(),
  };
}

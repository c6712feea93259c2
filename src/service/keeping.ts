import { randomUUID } from 'node:crypto';
import type { Lang } from '../domain/lang.ts';
import { type Observer, UNHEARD } from '../observe/observer.ts';
import type { Company } from '../store/companies.ts';
import type { Store } from '../store/store.ts';
import { doChore } from './chore.ts';
import { housekeepingChore } from './housekeeping.ts';
import { lookoutOf } from './lookout.ts';
import type { MailTransport } from './outbox.ts';
import { postmanOf } from './postman.ts';

/** What a process that serves does for its store between calls. */
export interface Keeping {
  /** Housekeeping, once, after which mail that is due is sent beside all else; both end early when `signal` does. */
  keep(signal: AbortSignal): Promise<void>;
  /** Looks at the alerts of a company that readings have come for, beside all else; then sends the mail that this calls for. */
  look(company: Company): void;
  /** Looks no more; resolves when no mail is being sent. */
  ended(): Promise<unknown>;
}

export interface KeepingOptions {
  readonly store: Store;
  readonly clock: () => number;
  /** Language of mail where one was chosen; else each company's own. */
  readonly lang?: Lang | undefined;
  /** The way to the mail server, asked for when there is something to send; mail waits without it. */
  readonly openTransport?: (() => Promise<MailTransport>) | undefined;
  readonly report: (error: unknown, requestId?: string) => Promise<unknown>;
  readonly observer?: Observer | undefined;
}

export function keepingOf(options: KeepingOptions): Keeping {
  const { store, clock, lang, openTransport, report, observer = UNHEARD } = options;
  const holder = randomUUID();
  const postman = openTransport && postmanOf({ store, openTransport, holder }, report, observer);
  const lookout = lookoutOf({ store, clock, lang, report, onLooked: (signal) => postman?.start(signal) });
  return {
    async keep(signal) {
      const chore = housekeepingChore(store, { now: clock(), holder, signal, lang });
      const isKept = await doChore({ ...chore, observer, report }).then(
        () => true,
        () => false,
      );
      if (isKept) postman?.start(signal);
    },
    look: lookout.look,
    async ended() {
      await lookout.end();
      await postman?.ended();
    },
  };
}

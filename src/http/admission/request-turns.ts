import type { IncomingMessage } from 'node:http';
import { nextTurnWithoutConnections } from '../../domain/event-loop.ts';
import { BOUNDED_THINGS } from '../../domain/shares/bounded-things.ts';
import { Shares, type Taker } from '../../domain/shares/shares.ts';
import type { AcequiaError } from '../../schema/error.ts';
import type { KnownCallers } from './known-callers.ts';

/** Monitors ask for these without a key; they must not wait for other requests without one. */
const MONITORED_PATHS: ReadonlySet<string> = new Set(['/health', '/ready']);

/**
 * Begins a few requests in each turn of the event loop, in turn by company and key. Thousands of
 * requests may arrive at once; each costs little, but all of them together would hold the loop.
 * Node accepts one connection in each turn, so while connections arrive, further requests wait.
 */
export class RequestTurns {
  readonly #shares: Shares;
  readonly #callers: KnownCallers;

  constructor(callers: KnownCallers, refusal: () => AcequiaError) {
    this.#shares = new Shares(BOUNDED_THINGS.begunRequests, refusal);
    this.#callers = callers;
  }

  /** Resolves when the request may begin. Throws 429 if too many wait. */
  async wait(incoming: IncomingMessage): Promise<void> {
    const share = await this.#shares.take(this.#takerOf(incoming));
    void nextTurnWithoutConnections().then(() => share.release());
  }

  /** No key is verified yet: one that was valid lately counts for its company. */
  #takerOf(incoming: IncomingMessage): Taker {
    const { url = '' } = incoming;
    if (MONITORED_PATHS.has(url)) return { company: url, key: '' };
    const { company, key } = this.#callers.takerOf(incoming);
    return { company, key: typeof company === 'number' ? key : '' };
  }
}

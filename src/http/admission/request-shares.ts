import type { IncomingMessage } from 'node:http';
import { nextLoopTurn } from '../../domain/shares/loop-turns.ts';
import type { Share, Taker } from '../../domain/shares/shares.ts';
import type { Store } from '../../store/store.ts';
import { wrappedStore } from '../../store/store-interface.ts';
import type { BodyMemory } from '../body/request-bodies.ts';
import { addressOf, addressTaker } from './addresses.ts';
import type { ServiceShares } from './service-shares.ts';

const sharesByRequest = new WeakMap<IncomingMessage, RequestShares>();

/** The shares of a request that the router handles. */
export function sharesOf(incoming: IncomingMessage): RequestShares {
  const shares = sharesByRequest.get(incoming);
  if (!shares) throw new Error('The request was not begun by the router');
  return shares;
}

/** The response of a request. */
interface Closable {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * The scarce things that one request holds. They are released once the request has been handled and
 * the connection is done with its answer, also if the client left earlier.
 */
export class RequestShares {
  readonly #service: ServiceShares;
  readonly #incoming: IncomingMessage;
  readonly #held: Share[] = [];
  readonly #isSent: Promise<void>;
  #body: BodyMemory | null = null;
  #taker: Taker;

  constructor(service: ServiceShares, incoming: IncomingMessage, outgoing: Closable | undefined) {
    this.#service = service;
    this.#incoming = incoming;
    this.#taker = addressTaker(addressOf(incoming));
    this.#isSent = new Promise((resolve) => {
      if (!outgoing || outgoing.closed) resolve();
      else outgoing.once('close', () => resolve());
    });
    sharesByRequest.set(incoming, this);
  }

  /** An address until the caller is known. */
  get taker(): Taker {
    return this.#taker;
  }

  /** Throws 429 if the company of a known caller has too many connections. */
  set taker(taker: Taker) {
    this.#taker = taker;
    if (typeof taker.company === 'number')
      this.#service.connections.identify(this.#incoming.socket, taker);
  }

  /** Throws 429 if its company or key has too many requests in progress. */
  admit(): void {
    const { requests, unknownRequests } = this.#service;
    const isKnown = typeof this.#taker.company === 'number';
    this.#held.push((isKnown ? requests : unknownRequests).takeNow(this.#taker));
  }

  /**
   * The same store. Each transaction uses the turns of the taker at that moment: an address, until
   * the caller is known.
   */
  storeInTurn(store: Store): Store {
    return wrappedStore(store, (_, run) => run({ taker: this.#taker }));
  }

  /** For its body; released with the request. */
  bodyMemory(): BodyMemory {
    this.#body ??= this.#service.bodies.open(this.#taker);
    return this.#body;
  }

  /** Reading a body of more than 64 kB holds the event loop, so it waits for a place of batches. */
  get hasLargeBody(): boolean {
    return this.#body !== null && !this.#body.isSmall;
  }

  /** Runs a call when it is the turn of its company and key, and in a turn of the event loop. */
  runCall<T>(body: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { batches, calls } = this.#service;
    const run = async (): Promise<T> => {
      await this.nextLoopTurn();
      return body();
    };
    return (this.hasLargeBody ? batches : calls).run(this.#taker, run, signal);
  }

  nextLoopTurn(): Promise<void> {
    return nextLoopTurn(this.#taker);
  }

  /** Runs a batch that may inflate to more than 64 kB. */
  runBatch<T>(body: () => Promise<T>): Promise<T> {
    return this.#service.batches.run(this.#taker, body);
  }

  /** A place for a call that is not over when its answer begins. */
  async takeCall(): Promise<Share> {
    const { batches, calls } = this.#service;
    return (this.hasLargeBody ? batches : calls).take(this.#taker);
  }

  tryTakeCall(): Share | null {
    return this.#service.calls.tryTake(this.#taker);
  }

  /** False if too many answers to its company or key are still unread. */
  holdAnswer(bytes: number): boolean {
    const share = this.#service.answers.tryTake(this.#taker, bytes);
    if (share) this.#held.push(share);
    return share !== null;
  }

  /**
   * Call it when the reply is known. It may still have to be sent, and the call may go on until
   * `finished`.
   */
  async end(finished?: Promise<void>): Promise<void> {
    await finished;
    this.#body?.release();
    await this.#isSent;
    for (const share of this.#held) share.release();
  }
}

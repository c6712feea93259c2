import type { Socket } from 'node:net';
import { BOUNDED_THINGS } from '../../domain/shares/bounded-things.ts';
import { type Share, Shares, type Taker } from '../../domain/shares/shares.ts';
import { type AcequiaError, plainError, tryAgainIn } from '../../schema/error.ts';
import { addressTaker, SharedAddresses } from './addresses.ts';

const RETRY_S = 5;

interface CountedConnection {
  readonly taker: Taker;
  readonly share: Share;
}

/**
 * Open connections: those of an address until a request on them has a valid key, then those of its
 * company. Connections of loopback and of proxies, which many clients share, are not counted.
 */
export class Connections {
  readonly #shares = new Shares(BOUNDED_THINGS.connections, tooManyConnectionsError);
  readonly #counted = new WeakMap<Socket, CountedConnection>();
  readonly #sharedAddresses: SharedAddresses;

  constructor(trustedProxies: readonly string[] = []) {
    this.#sharedAddresses = new SharedAddresses(trustedProxies);
  }

  /** False if the connection has to be closed, because its address has too many. */
  accept(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    if (this.#sharedAddresses.has(remoteAddress)) return true;

    const taker = addressTaker(remoteAddress);
    const share = this.#shares.tryTake(taker);
    if (!share) return false;
    this.#counted.set(socket, { taker, share });
    socket.once('close', () => this.#counted.get(socket)?.share.release());
    return true;
  }

  /** Counts the connection for the company from now on. Throws 429 if that has too many. */
  identify(socket: Socket, { company, key }: Taker): void {
    const counted = this.#counted.get(socket);
    if (!counted || counted.taker.company === company) return;

    const taker = { company, key };
    const share = this.#shares.takeNow(taker);
    counted.share.release();
    this.#counted.set(socket, { taker, share });
  }
}

const tooManyConnectionsError = (): AcequiaError =>
  plainError({
    code: 'rate_limited',
    status: 429,
    message: 'This company has too many connections open.',
    hint: `${tryAgainIn(RETRY_S)} Keep connections open and use them again.`,
    retryAfterS: RETRY_S,
  });

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Node emits all requests that arrive together on a connection in one turn of the event loop. Few
 * clients send a second request before the first is answered.
 */
const MAX_UNANSWERED = 8;

/** Begins each request of a connection once the answer to the one before it was sent. */
export class PipelinedRequests {
  /** In the order of arrival: the first request of each connection has begun, the others wait. */
  readonly #unanswered = new WeakMap<Socket, (() => void)[]>();

  /** Returns false if too many requests of the connection wait for an answer. */
  add(socket: Socket, response: ServerResponse, begin: () => void): boolean {
    const unanswered = this.#unanswered.get(socket) ?? [];
    if (unanswered.length >= MAX_UNANSWERED) return false;

    this.#unanswered.set(socket, unanswered);
    unanswered.push(begin);
    response.once('close', () => {
      unanswered.shift();
      unanswered[0]?.();
    });
    if (unanswered.length === 1) begin();
    return true;
  }
}

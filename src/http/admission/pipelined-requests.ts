import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Node hands over all requests that arrive at once on a connection in one turn of the event loop. Few
 * clients send a second one before the answer to the first.
 */
const MAX_UNANSWERED = 8;

/** Begins the requests of a connection one after another, each once the earlier answer is sent. */
export class PipelinedRequests {
  /** The first one of each connection has begun. */
  readonly #unanswered = new WeakMap<Socket, (() => void)[]>();

  /** False if the connection has too many requests without an answer. */
  add(socket: Socket, outgoing: ServerResponse, begin: () => void): boolean {
    const unanswered = this.#unanswered.get(socket) ?? [];
    if (unanswered.length >= MAX_UNANSWERED) return false;

    this.#unanswered.set(socket, unanswered);
    unanswered.push(begin);
    outgoing.once('close', () => {
      unanswered.shift();
      unanswered[0]?.();
    });
    if (unanswered.length === 1) begin();
    return true;
  }
}

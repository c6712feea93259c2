import type { IncomingMessage } from 'node:http';

/**
 * Node destroys a request once its connection closes, with a body that has arrived and is not read
 * yet. Loggers hang up as soon as they have sent theirs, so a complete one stays until it is read.
 */
export function keepArrivedBody(incoming: IncomingMessage): void {
  const destroy = incoming.destroy.bind(incoming);
  incoming.destroy = (error) => {
    const waitsToBeRead = incoming.complete && !incoming.readableEnded;
    return waitsToBeRead ? incoming : destroy(error);
  };
}

/** After that the connection is closed: its client may then see nothing of the answer. */
const DISCARDS_FOR_MS = 500;

/**
 * Reads and drops the rest of a body after its answer, so that the next request can follow on the
 * connection.
 */
export function discardUnread(incoming: IncomingMessage): void {
  if (incoming.readableEnded) return;
  // Not destroySoon, which a repaired connection lacks.
  const timer = setTimeout(() => incoming.socket.destroy(), DISCARDS_FOR_MS).unref();
  incoming.once('end', () => clearTimeout(timer));
  incoming.resume();
}

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

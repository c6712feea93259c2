import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type AcequiaError, plainInputError } from '../../schema/error.ts';

/** Refused if it has more parts than this, and they are smaller than the following on average. */
const MAX_SMALL_PARTS = 1_024;
const LEAST_PART_BYTES = 16;
/** Closing resets a connection with unread bytes, and its client may then lose the answer. */
const CLOSES_AFTER_MS = 1_000;

/** Requests and their connections. */
const refused = new WeakSet<object>();

export const hasSmallParts = (requestOrConnection: object): boolean =>
  refused.has(requestOrConnection);

/**
 * Each part of a body costs the same to receive, whatever its size, and thousands may arrive at
 * once. They are counted as they arrive, whether or not anybody reads the body. Beyond the limit
 * nothing more is read from the connection, and it is closed after the answer.
 */
export function refuseSmallParts(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const push = incoming.push.bind(incoming);
  let count = 0;
  let bytes = 0;
  incoming.push = (part: Buffer | null) => {
    if (hasSmallParts(incoming)) return false;
    count++;
    bytes += part?.length ?? 0;
    if (count <= MAX_SMALL_PARTS || bytes >= count * LEAST_PART_BYTES) return push(part);

    refused.add(incoming);
    // Else Node would destroy the connection with the request, before its answer.
    incoming.complete = true;
    dropParts(incoming.socket);
    endConnection(incoming.socket, outgoing);
    return push(null);
  };
  // Marks the body as read. Node would drop the rest of an unread one uncounted after the answer.
  incoming.read(0);
}

/** The parser of Node, which hands over each part to the function at `kOnBody`. */
interface ParserOfNode {
  readonly constructor: { readonly kOnBody?: number };
  [callback: number]: unknown;
}

/**
 * Up to 64 kB have arrived with these parts, and are parsed in the same turn of the event loop.
 * Without the function of Node that takes each part they cost a tenth.
 */
function dropParts(socket: Duplex & { readonly parser?: ParserOfNode | null }): void {
  const { parser } = socket;
  const kOnBody = parser?.constructor.kOnBody;
  if (!parser || kOnBody === undefined) return;

  const onBody = parser[kOnBody];
  parser[kOnBody] = undefined;
  // Node uses a parser for other connections later.
  setImmediate(() => {
    parser[kOnBody] = onBody;
  });
}

function endConnection(socket: Duplex & { destroySoon?(): void }, outgoing: ServerResponse): void {
  refused.add(socket);
  socket.pause();
  // Node resumes it for the next request.
  socket.on('resume', () => socket.pause());

  const close = (): void => {
    socket.end();
    setTimeout(() => socket.destroy(), CLOSES_AFTER_MS).unref();
  };
  if (outgoing.headersSent) close();
  outgoing.shouldKeepAlive = false;
  // Node calls it once the answer has left.
  socket.destroySoon = close;
}

export const smallPartsError = (): AcequiaError =>
  plainInputError(
    'invalid_body',
    `The body arrives in parts of less than ${LEAST_PART_BYTES} bytes on average.`,
    { hint: 'Send it whole, or in larger chunks.' },
  );

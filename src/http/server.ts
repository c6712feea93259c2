import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { AcequiaError } from '../schema/error.ts';
import type { App } from './app.ts';
import type { HttpLimits } from './limits.ts';
import { listen, serverUrl } from './listen-address.ts';
import { SECURITY_HEADERS } from './response-headers.ts';
import {
  headersTooLarge,
  malformedRequest,
  PROBLEM_TYPE,
  problemText,
  requestTimeout,
  uriTooLong,
} from './transport-errors.ts';

/** Headers of a refusal after which the connection is closed: what else comes over it is not read. */
const CLOSING_HEADERS = { ...SECURITY_HEADERS, 'Content-Type': PROBLEM_TYPE, Connection: 'close' };

/** Refuses a request of which the first line and the headers alone were looked at. */
export function refuseEarly(outgoing: ServerResponse, error: AcequiaError): void {
  outgoing.writeHead(error.status, CLOSING_HEADERS).end(problemText(error));
}

/** Refuses what never became a request; `begun` is the answer that is under way on that connection. */
export function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  response: ServerResponse | undefined,
  limits: HttpLimits,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  const problem = parserErrorOf(error.code, limits);
  const text = problemText(problem);
  const headers = { ...CLOSING_HEADERS, 'Content-Length': Buffer.byteLength(text) };
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function parserErrorOf(code: string | undefined, limits: HttpLimits): AcequiaError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge(limits.headerBytes);
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimeout() : malformedRequest();
}

/** How often requests that take too long are looked for, in ms. */
const TIMEOUT_CHECK_MS = 500;
/** What was sent before the stop may still be on its way this long, in ms. */
const DRAIN_GRACE_MS = 100;
/** How often connections that have nothing left to answer are then closed, in ms. */
const CLOSE_INTERVAL_MS = 20;
/** How many connections the system takes ahead of us at most: Node's usual backlog. */
const ACCEPT_BACKLOG = 511;

export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly limits: HttpLimits;
}

export interface HttpServer {
  /** Scheme, host and port. */
  readonly url: string;
  /** Takes no more connections, answers what was asked, and resolves when all are closed. */
  stop(): Promise<void>;
  /** Cuts every connection that is still open. */
  cut(): void;
}

/** Serves an app on an address; refuses one that cannot be had. */
export async function serveApp(app: App, { host, port, limits }: ListenOptions): Promise<HttpServer> {
  const open = new Set<Socket>();
  const answers = new WeakMap<object, ServerResponse>();
  /** Requests that came while the last connections are taken; null at any other time. */
  let heldRequests: (() => void)[] | null = null;
  let isStopping = false;
  const answer = getRequestListener(app.fetch, { errorHandler: () => malformedResponse() });
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headerSeconds * 1000,
      requestTimeout: Math.max(limits.requestSeconds, limits.headerSeconds) * 1000,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Refused in our own words, as any other request without a readable address.
      requireHostHeader: false,
    },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      answers.set(incoming.socket, outgoing);
      if (isStopping) outgoing.shouldKeepAlive = false;
      if ((incoming.url ?? '').length > limits.urlBytes) refuseEarly(outgoing, uriTooLong(limits.urlBytes));
      else if (heldRequests) heldRequests.push(() => void answer(incoming, outgoing));
      else void answer(incoming, outgoing);
    },
  );
  let acceptedCount = 0;
  server.on('connection', (socket) => {
    acceptedCount++;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('clientError', (error, socket) => refuseMalformed(error, socket, answers.get(socket), limits));
  await listen(server, { host, port, options: '--host and --port' });

  /**
   * The system has taken connections that are not ours yet, and gives one a turn of the event loop: closing would reset
   * them. What is asked meanwhile is held, for who has an answer comes back with the next connection.
   */
  async function acceptPending(): Promise<void> {
    await nextTurn();
    for (let turns = 0, before = -1; before < acceptedCount && turns < ACCEPT_BACKLOG; turns++) {
      before = acceptedCount;
      await nextTurn();
    }
  }

  return {
    url: serverUrl(server),
    async stop() {
      isStopping = true;
      const waiting: (() => void)[] = [];
      heldRequests = waiting;
      let isClosed = false;
      await acceptPending();
      // The server's own close would cut connections that are idle for it, though a request is on its way over them.
      NetServer.prototype.close.call(server, () => {
        isClosed = true;
      });
      heldRequests = null;
      for (const answerHeld of waiting) answerHeld();
      await pauseThenRead(DRAIN_GRACE_MS);
      while (!isClosed) {
        server.closeIdleConnections();
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
        await pauseThenRead(CLOSE_INTERVAL_MS);
      }
    },
    cut: () => server.closeAllConnections(),
  };
}

/** Waits, and then until what had come by the end was read: writes to disk may have held the event loop all the while. */
async function pauseThenRead(ms: number): Promise<void> {
  await pause(ms);
  await nextTurn();
}

/** A request whose address or Host cannot be read. */
function malformedResponse(): Response {
  const error = malformedRequest();
  return new Response(problemText(error), {
    status: error.status,
    headers: { ...SECURITY_HEADERS, 'Content-Type': PROBLEM_TYPE },
  });
}

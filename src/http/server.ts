import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { urlHost } from '../domain/loopback.ts';
import { SECOND_MS } from '../domain/periods.ts';
import { AcequiaError } from '../schema/error.ts';
import type { HttpLimits } from './limits.ts';
import { SECURITY_HEADERS } from './reply.ts';
import type { HttpApp } from './router.ts';
import {
  headersTooLargeError,
  malformedRequestError,
  PROBLEM_TYPE,
  problemText,
  requestTimeoutError,
  uriTooLongError,
} from './transport-errors.ts';

const CLOSING_HEADERS = { ...SECURITY_HEADERS, 'Content-Type': PROBLEM_TYPE, Connection: 'close' };

function refuseEarly(outgoing: ServerResponse, error: AcequiaError): void {
  outgoing.writeHead(error.status, CLOSING_HEADERS).end(problemText(error));
}

function refuseMalformed(
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
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLargeError(limits.headerBytes);
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimeoutError() : malformedRequestError();
}

const TIMEOUT_CHECK_MS = 500;
/**
 * Closing resets connections that the system has accepted and we have not. After this time without
 * a new one, none are left.
 */
const ACCEPT_QUIET_MS = 100;
const MAX_ACCEPT_ROUNDS = 20;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  readonly admissionSeconds?: number;
}

export interface HttpServer {
  readonly url: string;
  stop(): Promise<void>;
  closeAllConnections(): void;
}

/**
 * In which a key is identified before the body is read. A body that is read has `requestSeconds`
 * from then on.
 */
const ADMISSION_SECONDS = 60;

export async function serveApp(
  app: HttpApp,
  { host, port, limits, admissionSeconds = ADMISSION_SECONDS }: ListenOptions,
): Promise<HttpServer> {
  const open = new Set<Socket>();
  const responses = new WeakMap<object, ServerResponse>();
  let acceptedCount = 0;
  /**
   * Requests that arrive while the last connections are accepted. They wait, so that their clients
   * open no further ones.
   */
  let deferredRequests: (() => void)[] | null = null;
  let isStopping = false;
  const handle = getRequestListener(app.fetch, { errorHandler: () => malformedResponse() });
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headerSeconds * SECOND_MS,
      requestTimeout: (limits.headerSeconds + admissionSeconds + limits.requestSeconds) * SECOND_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      responses.set(incoming.socket, outgoing);
      if (isStopping) outgoing.shouldKeepAlive = false;
      outgoing.once('close', () => {
        if (!server.listening) server.closeIdleConnections();
      });

      // With two Host headers, a proxy and this service may each trust a different one.
      if ((incoming.headersDistinct.host?.length ?? 0) > 1)
        refuseEarly(outgoing, malformedRequestError());
      else if ((incoming.url ?? '').length > limits.urlBytes)
        refuseEarly(outgoing, uriTooLongError(limits.urlBytes));
      else if (deferredRequests) deferredRequests.push(() => void handle(incoming, outgoing));
      else void handle(incoming, outgoing);
    },
  );

  server.on('connection', (socket) => {
    acceptedCount += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('clientError', (error, socket) =>
    refuseMalformed(error, socket, responses.get(socket), limits),
  );
  await listen(server, { host, port, options: '--host and --port' });

  return {
    url: serverUrl(server),
    async stop() {
      isStopping = true;
      const waiting: (() => void)[] = [];
      deferredRequests = waiting;

      for (
        let round = 0, before = -1;
        before < acceptedCount && round < MAX_ACCEPT_ROUNDS;
        round += 1
      ) {
        before = acceptedCount;
        await pause(ACCEPT_QUIET_MS);
        // Writes to disk may have blocked the event loop for all that time.
        await nextTurn();
      }

      const closed = once(server, 'close');
      server.close();
      deferredRequests = null;
      for (const handleRequest of waiting) handleRequest();
      // Node counts a connection without a request as active.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      await closed;
    },
    closeAllConnections: () => server.closeAllConnections(),
  };
}

function malformedResponse(): Response {
  const error = malformedRequestError();
  return new Response(problemText(error), {
    status: error.status,
    headers: { ...SECURITY_HEADERS, 'Content-Type': PROBLEM_TYPE },
  });
}

interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly options: string;
}

export function listen(server: Server, address: ListenAddress): Promise<void> {
  const { host, port } = address;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, address)));
    server.listen({ host, port }, resolve);
  });
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'this user may not use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host is unknown',
};

const listenError = (
  { code = '' }: NodeJS.ErrnoException,
  { host, port, options }: ListenAddress,
): AcequiaError =>
  new AcequiaError({
    code: 'address_unavailable',
    status: 503,
    message: `Cannot listen on ${host}, port ${port}: ${LISTEN_FAILURES[code] ?? code}.`,
    hint: `Choose another with ${options}; port 0 takes any free port.`,
  });

export function serverUrl(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${urlHost(address)}:${port}`;
}

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

export async function serveApp(app: HttpApp, options: ListenOptions): Promise<HttpServer> {
  const server = new AppServer(app, options);
  const url = await server.listen();
  return {
    url,
    stop: () => server.stop(),
    closeAllConnections: () => server.closeAllConnections(),
  };
}

class AppServer {
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #handle: ReturnType<typeof getRequestListener>;
  readonly #open = new Set<Socket>();
  readonly #responses = new WeakMap<object, ServerResponse>();
  #acceptedCount = 0;
  /**
   * Requests that arrive while the last connections are accepted. They wait, so that their clients
   * open no further ones.
   */
  #deferredRequests: (() => void)[] | null = null;
  #isStopping = false;

  constructor(app: HttpApp, options: ListenOptions) {
    this.#options = options;
    this.#handle = getRequestListener(app.fetch, { errorHandler: () => malformedResponse() });
    this.#server = createServer(serverSettings(options), (incoming, outgoing) =>
      this.#receive(incoming, outgoing),
    );
    this.#server.on('connection', (socket) => this.#accept(socket));
    this.#server.on('clientError', (error, socket) =>
      refuseMalformed(error, socket, this.#responses.get(socket), options.limits),
    );
  }

  /** Returns the address of the server. */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    await listen(this.#server, { host, port, options: '--host and --port' });
    return serverUrl(this.#server);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const waiting: (() => void)[] = [];
    this.#deferredRequests = waiting;
    await this.#acceptLastConnections();

    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#deferredRequests = null;
    for (const handleRequest of waiting) handleRequest();
    // Node counts a connection without a request as active.
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  closeAllConnections(): void {
    this.#server.closeAllConnections();
  }

  #accept(socket: Socket): void {
    this.#acceptedCount += 1;
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  #receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#responses.set(incoming.socket, outgoing);
    if (this.#isStopping) outgoing.shouldKeepAlive = false;
    outgoing.once('close', () => {
      if (!this.#server.listening) this.#server.closeIdleConnections();
    });

    const refusal = refusalOf(incoming, this.#options.limits);
    if (refusal) refuseEarly(outgoing, refusal);
    else if (this.#deferredRequests)
      this.#deferredRequests.push(() => void this.#handle(incoming, outgoing));
    else void this.#handle(incoming, outgoing);
  }

  /** Waits until a round passes without a new connection. */
  async #acceptLastConnections(): Promise<void> {
    let before = -1;
    for (let round = 0; before < this.#acceptedCount && round < MAX_ACCEPT_ROUNDS; round += 1) {
      before = this.#acceptedCount;
      await pause(ACCEPT_QUIET_MS);
      // Writes to disk may have blocked the event loop for all that time.
      await nextTurn();
    }
  }
}

const serverSettings = ({ limits, admissionSeconds = ADMISSION_SECONDS }: ListenOptions) => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: limits.headerSeconds * SECOND_MS,
  requestTimeout: (limits.headerSeconds + admissionSeconds + limits.requestSeconds) * SECOND_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  requireHostHeader: false,
});

function refusalOf(incoming: IncomingMessage, limits: HttpLimits): AcequiaError | null {
  // With two Host headers, a proxy and this service may each trust a different one.
  if ((incoming.headersDistinct.host?.length ?? 0) > 1) return malformedRequestError();
  if ((incoming.url ?? '').length > limits.urlBytes) return uriTooLongError(limits.urlBytes);
  return null;
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

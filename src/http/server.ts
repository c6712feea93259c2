import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { noteAcceptedConnection } from '../domain/event-loop.ts';
import { SECOND_MS } from '../domain/periods.ts';
import type { AcequiaError } from '../schema/error.ts';
import { PipelinedRequests } from './admission/pipelined-requests.ts';
import { ServiceShares } from './admission/service-shares.ts';
import { discardUnread, keepArrivedBody } from './body/arrived-body.ts';
import { hasBody } from './body/request-body.ts';
import { hasSmallParts, refuseSmallParts } from './body/small-parts.ts';
import type { HttpLimits } from './http-limits.ts';
import { listen, serverUrl } from './listen.ts';
import { RepairedConnection } from './repaired-connection.ts';
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

const TIMEOUT_CHECK_MS = 500;
/**
 * Time in which a key is identified before the body is read. A body that is read has
 * `requestSeconds` from then on.
 */
const ADMISSION_SECONDS = 60;
/**
 * Closing resets connections that the system has accepted and Node has not. After this time without
 * a new one, none are left.
 */
const ACCEPT_QUIET_MS = 100;
/** However many connections still arrive, the server stops after these rounds. */
const MAX_ACCEPT_ROUNDS = 20;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  readonly admissionSeconds?: number;
  /** The shares of the application; default: those of the limits. */
  readonly shares?: ServiceShares;
}

export interface HttpServer {
  readonly url: string;
  stop(): Promise<void>;
  closeAllConnections(): void;
}

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
  readonly #sockets = new Set<Socket>();
  /** The latest response on each socket. */
  readonly #responses = new WeakMap<object, ServerResponse>();
  readonly #repaired = new WeakMap<object, RepairedConnection>();
  readonly #pipelined = new PipelinedRequests();
  readonly #shares: ServiceShares;
  #acceptedCount = 0;
  /**
   * Requests that arrive while the last connections are accepted; null at other times. They wait,
   * so that their clients open no further connections.
   */
  #deferredRequests: (() => void)[] | null = null;
  #isStopping = false;

  constructor(app: HttpApp, options: ListenOptions) {
    this.#options = options;
    this.#shares = options.shares ?? new ServiceShares(options.limits);
    this.#handle = getRequestListener(app.fetch, {
      errorHandler: () => malformedResponse(),
      // It would empty a body that is not read yet once its client has hung up.
      autoCleanupIncoming: false,
    });
    this.#server = createServer(serverSettings(options), (incoming, outgoing) =>
      this.#receive(incoming, outgoing),
    );
    this.#server.on('connection', (socket) => this.#accept(socket));
    // Node answers an unknown Expect with 417 too, but goes on reading the body.
    this.#server.on('checkExpectation', (_, outgoing: ServerResponse) =>
      outgoing.writeHead(417, { ...SECURITY_HEADERS, Connection: 'close' }).end(),
    );
    this.#server.on('clientError', (error: ParserError, socket) => {
      if (!this.#repair(error, socket))
        refuseMalformed(error, socket, this.#responses.get(socket), options.limits);
    });
  }

  /** Returns the address of the server. */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    await listen(this.#server, { host, port, options: '--host and --port' });
    return serverUrl(this.#server);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const deferredRequests: (() => void)[] = [];
    this.#deferredRequests = deferredRequests;
    await this.#acceptLastConnections();

    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#deferredRequests = null;
    for (const handleRequest of deferredRequests) handleRequest();
    // Node counts a connection without a request as active.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
    await closed;
  }

  closeAllConnections(): void {
    this.#server.closeAllConnections();
  }

  #accept(socket: Socket): void {
    noteAcceptedConnection();
    this.#acceptedCount += 1;
    // A repaired connection is counted as the one that it repairs.
    if (socket instanceof Socket && !this.#shares.connections.accept(socket)) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** False for a connection that is not, and cannot be, repaired. */
  #repair({ code, rawPacket }: ParserError, socket: Duplex): boolean {
    const repaired = this.#repaired.get(socket);
    if (repaired !== undefined) {
      // The parser of the socket refuses all that follows as well.
      if (rawPacket !== undefined) repaired.receive(rawPacket);
      else if (code === 'ECONNRESET') repaired.destroy();
      return true;
    }

    const isFirst = code === 'HPE_INVALID_URL' && rawPacket !== undefined;
    if (!isFirst || !(socket instanceof Socket)) return false;
    const connection = RepairedConnection.of(socket, rawPacket, this.#options.limits.headerBytes);
    if (connection === null) return false;

    this.#repaired.set(socket, connection);
    this.#server.emit('connection', connection);
    return true;
  }

  #receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    if (socket.destroyed || hasSmallParts(socket)) return;
    this.#responses.set(socket, outgoing);
    const isRepaired = socket instanceof RepairedConnection;
    if (this.#isStopping || isRepaired) outgoing.shouldKeepAlive = false;
    incoming.url = incoming.url?.replace(DOUBLED_SLASH, '/');
    outgoing.once('close', () => {
      if (!this.#server.listening) this.#server.closeIdleConnections();
    });

    if (hasBody(incoming)) {
      refuseSmallParts(incoming, outgoing);
      keepArrivedBody(incoming);
      outgoing.once('finish', () => discardUnread(incoming));
    }
    const begin = (): void => {
      if (this.#deferredRequests) this.#deferredRequests.push(begin);
      else void this.#begin(incoming, outgoing);
    };
    if (!this.#pipelined.add(socket, outgoing, begin)) socket.destroy();
  }

  async #begin(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      assertAcceptable(incoming, this.#options.limits);
      await this.#shares.turns.wait(incoming);
    } catch (error) {
      return refuseEarly(outgoing, error as AcequiaError);
    }

    const isGone = incoming.socket.destroyed;
    // A logger may hang up once it has sent its readings: they are stored all the same.
    if (!isGone || !READ_METHODS.has(incoming.method ?? '')) void this.#handle(incoming, outgoing);
    // Node has emitted it for the first response alone, before that was handled.
    if (isGone) outgoing.emit('close');
  }

  /** Waits until a round passes without a new connection. */
  async #acceptLastConnections(): Promise<void> {
    for (let round = 0; round < MAX_ACCEPT_ROUNDS; round += 1) {
      const countBefore = this.#acceptedCount;
      await pause(ACCEPT_QUIET_MS);
      // Writes to disk may have blocked the event loop for all that time.
      await nextTurn();
      if (this.#acceptedCount === countBefore) return;
    }
  }
}

/** The path typed into a console whose firmware drops one slash, where another one does not. */
const DOUBLED_SLASH = /^\/\/(?=v1\/ingest\/)/;

const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** `rawPacket` is what could not be parsed. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

const serverSettings = ({ limits, admissionSeconds = ADMISSION_SECONDS }: ListenOptions) => ({
  maxHeaderSize: limits.headerBytes,
  headersTimeout: limits.headerSeconds * SECOND_MS,
  requestTimeout: (limits.headerSeconds + admissionSeconds + limits.requestSeconds) * SECOND_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  requireHostHeader: false,
});

function assertAcceptable(incoming: IncomingMessage, limits: HttpLimits): void {
  // With two Host headers, a proxy and this service may each trust a different one.
  if ((incoming.headersDistinct.host?.length ?? 0) > 1) throw malformedRequestError();
  if ((incoming.url ?? '').length > limits.urlBytes) throw uriTooLongError(limits.urlBytes);
}

function malformedResponse(): Response {
  const error = malformedRequestError();
  return new Response(problemText(error), {
    status: error.status,
    headers: { ...SECURITY_HEADERS, 'Content-Type': PROBLEM_TYPE },
  });
}

const CLOSING_HEADERS = { ...SECURITY_HEADERS, 'Content-Type': PROBLEM_TYPE, Connection: 'close' };

/** Refuses a request before the application sees it. */
function refuseEarly(outgoing: ServerResponse, error: AcequiaError): void {
  outgoing.writeHead(error.status, CLOSING_HEADERS).end(problemText(error));
}

/** Writes the response by hand: without a valid request, Node has no response object. */
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

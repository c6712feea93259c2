import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  type ProtocolEra,
  type Server,
} from '@modelcontextprotocol/server';
import { toolsByName } from '../../../tools/index.ts';
import { isRecord } from '../../domain/records.ts';
import { BoundedStream } from '../../domain/shares/bounded-stream.ts';
import type { IncomingCorrelation, Observer } from '../../observe/observer.ts';
import { type Caller, type Identity, takerOf } from '../../operation/authorization.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { isWrite } from '../../operation/operation-kind.ts';
import { passesToolFilter } from '../../operation/tool-filter.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { type Catalog, filterCatalog, subscribableUri } from '../catalog.ts';
import { ListenStreams } from '../listening/listen-streams.ts';
import { isListenRequest, LISTEN_METHOD, listenRequestFor } from '../listening/subscriptions.ts';
import {
  envelopeRevision,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  malformedEnvelopeError,
  NEWER_REVISION,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  setAsideMalformedArguments,
  unsupportedRevisionError,
} from '../protocol.ts';
import type { RequestHandlers } from '../request-handlers.ts';
import { findResource } from '../resources.ts';
import { createMcpServer } from '../server.ts';
import { firingAlertsOf, handlersForCaller, type StoreHandlerOptions } from '../store-handlers.ts';
import { type CallInProgress, CallsInProgress } from './calls-in-progress.ts';
import { checkEarlierRequest, isInitialize } from './earlier-request.ts';
import {
  type AcceptedContent,
  errorResponse,
  exchangeOverHttp,
  jsonResponse,
  type McpHttpReply,
} from './http-exchange.ts';
import { NO_SESSION, sessionIdFor } from './session-id.ts';

interface PostedMessage {
  readonly identity: Identity;
  readonly body: unknown;
  readonly headers: Headers;
  readonly traceHeaders: IncomingCorrelation;
  readonly accepts: AcceptedContent;
  readonly signal: AbortSignal;
  /** Aborted when the client cancels the call. */
  readonly cancelled: AbortSignal;
}

interface McpHttpOptions extends StoreHandlerOptions {
  readonly observer: Observer;
  readonly catalog: Catalog;
}

/**
 * Serves both eras of the protocol, each request on its own. In the earlier era, the server cannot
 * ask the client anything, nor send it anything unsolicited.
 */
export class McpOverHttp {
  readonly #options: McpHttpOptions;
  readonly #calls = new CallsInProgress();
  readonly #watchedUri: string | null;
  readonly #streams: ListenStreams;

  constructor(options: McpHttpOptions) {
    this.#options = options;
    this.#watchedUri = subscribableUri(filterCatalog(options.catalog, options.toolFilter));
    this.#streams = new ListenStreams(this.#watchedUri);
  }

  async handle(posted: PostedMessage): Promise<McpHttpReply> {
    const { body, headers, signal } = posted;
    const unknownRevision = unknownNewerRevision(headers, body);
    if (unknownRevision !== null) {
      const { code, message, data } = unsupportedRevisionError(unknownRevision);
      return errorResponse(body, code, message, data);
    }

    const envelopeError = isJSONRPCRequest(body) ? malformedEnvelopeError(body) : null;
    if (envelopeError !== null)
      return errorResponse(body, envelopeError.code, envelopeError.message);

    const request = new Request('http://localhost/mcp', { method: 'POST', headers, signal });
    const isEarlier = await isLegacyRequest(request, body);
    return isEarlier ? this.#handleEarlier(posted) : this.#handleNewer(posted, request);
  }

  /**
   * Throws 429 for what would be refused whatever the body says. A client whose stream is refused
   * may try again at once and without end.
   */
  assertMayBegin(caller: Caller, method: string | undefined): void {
    if (method === LISTEN_METHOD) this.#streams.assertFree(takerOf(caller));
  }

  /** A notification and a stream of changes wait for no turn. */
  isCall(body: unknown): boolean {
    return isRecord(body) && body.id !== undefined && !isListenRequest(body);
  }

  beginCall(caller: Caller, body: unknown): CallInProgress {
    return this.#calls.begin(caller.id, isRecord(body) ? body.id : undefined);
  }

  /**
   * The operation of the tool that a message calls, or of the resource that it reads or watches.
   */
  operationOf(body: unknown): AnyOperation | undefined {
    if (!isRecord(body) || !isRecord(body.params)) return undefined;

    const { method, params } = body;
    const operation =
      method === 'tools/call'
        ? toolsByName.get(String(params.name))
        : findResource(this.#watchedUriIn(body) ?? String(params.uri))?.operation;

    return operation && passesToolFilter(this.#options.toolFilter, operation)
      ? operation
      : undefined;
  }

  invalidJson({ message, hint }: AcequiaError): McpHttpReply {
    const text = `${message} ${hint ?? ''}`.trim();
    return errorResponse(null, ProtocolErrorCode.ParseError, text);
  }

  /** Ends the streams, which would keep the server from stopping. */
  close(): Promise<void> {
    return this.#streams.close();
  }

  /** Revision 2026-07-28. */
  async #handleNewer(posted: PostedMessage, request: Request): Promise<McpHttpReply> {
    const { body, accepts } = posted;
    const serverFactory = () => this.#serverFor('modern', posted);
    if (isListenRequest(body)) return this.#listen(body, request, posted, serverFactory);

    const handler = createMcpHandler(serverFactory, {
      legacy: 'reject',
      responseMode: accepts.json ? 'auto' : 'sse',
    });
    const parsedBody = isJSONRPCRequest(body) ? setAsideMalformedArguments(body) : body;
    return replyFrom(await handler.fetch(request, { parsedBody }));
  }

  /** A stream of changes is not queued with other requests of its key, because it stays open. */
  async #listen(
    message: JSONRPCRequest,
    request: Request,
    { identity, accepts, signal }: PostedMessage,
    serverFactory: McpServerFactory,
  ): Promise<McpHttpReply> {
    const { caller, confirm = async () => identity } = identity;
    const watch = firingAlertsOf(this.#options.store, confirm, identity);
    try {
      if (!accepts.events) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, STREAM_ONLY);

      const { response, release } = await this.#streams.open(message, request, {
        taker: takerOf(caller),
        watch,
        serverFactory,
      });
      const reply = await replyFrom(response);

      signal.addEventListener('abort', release, { once: true });
      void Promise.resolve(reply.finished).then(release);
      return reply;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const { code, message: reason, data } = error;
      return jsonResponse(200, {
        jsonrpc: '2.0',
        id: message.id,
        error: { code, message: reason, data },
      });
    }
  }

  /** Revisions 2024-11-05 to 2025-11-25. */
  async #handleEarlier(posted: PostedMessage): Promise<McpHttpReply> {
    const checked = checkEarlierRequest(posted.body, posted.headers);
    if (!checked.ok) return checked.failure;

    const { message, session } = checked.value;
    if (!isJSONRPCRequest(message)) {
      this.#cancelCall(posted.identity, message);
      return { status: 202, type: null, content: null };
    }

    const { accepts, signal, cancelled } = posted;
    const server = this.#serverFor('legacy', posted, session);
    const operation = this.operationOf(message);
    const finishesWithoutClient = operation !== undefined && isWrite(operation);
    const exchange = { accepts, signal, cancelled, finishesWithoutClient };
    const reply = await exchangeOverHttp(server, message, exchange);
    const sessionId = isInitialize(message) ? sessionIdFor(message.params) : undefined;
    return sessionId === undefined ? reply : { ...reply, sessionId };
  }

  /** Other notifications, and responses, only make sense on a lasting connection. */
  #cancelCall({ caller }: Identity, message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const requestId = isRecord(message.params) ? message.params.requestId : undefined;
    if (requestId !== undefined) this.#calls.cancel(caller.id, requestId as RequestId);
  }

  #serverFor(
    era: ProtocolEra,
    { identity, traceHeaders, signal }: PostedMessage,
    session = NO_SESSION,
  ): Server {
    const { catalog, toolFilter } = this.#options;
    let handlers: RequestHandlers | undefined;
    return createMcpServer(
      catalog,
      async () => (handlers ??= handlersForCaller(identity, traceHeaders, this.#options)),
      {
        era,
        isRemote: false,
        isRestricted: true,
        toolFilter,
        isLongLived: false,
        inputEnded: signal,
        subscriptions: null,
        session,
      },
    );
  }

  /** Null for messages that ask for no changes of the resource. */
  #watchedUriIn(body: unknown): string | null {
    return isListenRequest(body) ? listenRequestFor(this.#watchedUri, body).watchedUri : null;
  }
}

/**
 * The revision in the header of a request without an envelope, if it is later than all that are
 * known. The SDK would only say that the envelope is missing. A request with an envelope is left to
 * it: it compares the header, and lists the revisions of `server/discover`.
 */
function unknownNewerRevision(headers: Headers, body: unknown): string | null {
  const version = headers.get('mcp-protocol-version');
  if (version === null || version <= NEWER_REVISION || !isJSONRPCRequest(body)) return null;
  return envelopeRevision(body) === undefined ? version : null;
}

const STREAM_ONLY =
  'The answer is a stream of events. Send text/event-stream in the Accept header.';

async function replyFrom(response: Response): Promise<McpHttpReply> {
  const { status, body, headers } = response;
  const type = headers.get('content-type');
  if (body === null || !type?.startsWith('text/event-stream'))
    return { status, type, content: (await response.text()) || null };

  const stream = new BoundedStream();
  void pipe(body, stream);
  return { status, type, content: stream.content, finished: stream.ended };
}

/** Reads as fast as it is written, so that what its client leaves unread is noticed. */
async function pipe(body: ReadableStream<Uint8Array>, stream: BoundedStream): Promise<void> {
  const reader = body.getReader();
  void stream.ended.then(() => reader.cancel()).catch(() => undefined);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      stream.send(value);
    }
  } catch {
    // The call failed; its client sees the end of the stream.
  }
  stream.end();
}

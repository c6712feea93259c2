import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CancelledNotificationSchema,
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { toolsByName } from '../../tools/index.ts';
import type { Lang } from '../domain/lang.ts';
import type { IncomingCorrelation, Observer } from '../observe/observer.ts';
import type { Identity } from '../operation/authorization.ts';
import { localPerformer } from '../operation/local-performer.ts';
import { type ToolFilter, withToolFilter } from '../operation/tool-filter.ts';
import type { AcequiaError, ErrorReporter } from '../schema/error.ts';
import type { CompanyRecord } from '../store/company/companies.ts';
import type { Store } from '../store/store.ts';
import { callsInProgress } from './calls-in-progress.ts';
import type { Catalog } from './catalog.ts';
import { type AcceptedContent, exchangeOverHttp, jsonResponse, type McpHttpReply } from './http-exchange.ts';
import { observedHandlers } from './observed-handlers.ts';
import { unsupportedVersionError } from './protocol-version.ts';
import { isRecord } from './raw-arguments.ts';
import { handlersFor, type RequestHandlers } from './request-handlers.ts';
import { createMcpServer } from './server.ts';

export interface PostedMessage {
  readonly identity: Identity;
  readonly body: unknown;
  readonly protocolVersion: string | undefined;
  readonly traceHeaders: IncomingCorrelation;
  readonly accepts: AcceptedContent;
  readonly signal: AbortSignal;
  readonly inTurn: (exchange: () => Promise<McpHttpReply>) => Promise<McpHttpReply>;
}

export interface McpHttpOptions {
  readonly catalog: Catalog;
  readonly store: Store;
  readonly clock: () => number;
  readonly lang: Lang | undefined;
  readonly toolFilter: ToolFilter;
  readonly report: ErrorReporter;
  readonly onReadings?: ((company: CompanyRecord) => void) | undefined;
  readonly observer: Observer;
}

/** Stateless, so it never asks the client anything and sends nothing unsolicited. */
export function createHttpHandler(options: McpHttpOptions) {
  const { catalog, toolFilter } = options;
  const calls = callsInProgress();

  async function handle({
    identity,
    body,
    protocolVersion,
    traceHeaders,
    accepts,
    signal,
    inTurn,
  }: PostedMessage): Promise<McpHttpReply> {
    const read = JSONRPCMessageSchema.safeParse(body);
    if (!read.success) return errorResponse(body, ErrorCode.InvalidRequest, invalidMessageReason(body));
    const message = read.data;
    const versionError = unsupportedVersionError(message, protocolVersion);
    if (versionError !== null) return errorResponse(body, versionError.code, versionError.message);
    if (!isJSONRPCRequest(message)) {
      cancelCall(identity, message);
      return { status: 202, type: null, content: null };
    }
    const call = calls.begin(identity.caller.id, message.id);
    const reply = await inTurn(() =>
      exchangeOverHttp(serverFor(identity, traceHeaders, signal), message, { accepts, signal, cancelled: call.signal }),
    ).catch((error) => {
      call.end();
      throw error;
    });
    void Promise.resolve(reply.finished).then(call.end);
    return reply;
  }

  /** Other notifications, and responses, only make sense on a lasting connection. */
  function cancelCall({ caller }: Identity, message: JSONRPCMessage): void {
    const requestId = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    if (requestId !== undefined) calls.cancel(caller.id, requestId);
  }

  function serverFor(identity: Identity, traceHeaders: IncomingCorrelation, signal: AbortSignal): Server {
    let handlers: RequestHandlers | undefined;
    return createMcpServer(catalog, async () => (handlers ??= handlersForCaller(identity, traceHeaders, options)), {
      isRemote: false,
      isRestricted: true,
      toolFilter,
      isLongLived: false,
      inputEnded: signal,
      hasStore: () => true,
    });
  }

  return {
    handle,
    invalidJson: ({ message, hint }: AcequiaError) =>
      errorResponse(null, ErrorCode.ParseError, `${message} ${hint ?? ''}`.trim()),
  };
}

function handlersForCaller(
  identity: Identity,
  traceHeaders: IncomingCorrelation,
  { store, clock, lang, toolFilter, report, onReadings, observer }: McpHttpOptions,
): RequestHandlers {
  const performer = localPerformer({
    ...{ store, clock, lang, report, onReadings, operations: toolsByName },
    ...{ source: 'mcp', knownIdentity: identity },
  });
  const correlatedObserver: Observer = {
    begin(begun) {
      const traceparent = traceHeaders.traceparent ?? begun.incoming?.traceparent;
      return observer.begin({ ...begun, incoming: { ...traceHeaders, traceparent } });
    },
  };
  return observedHandlers(handlersFor(withToolFilter(performer, toolFilter), report), correlatedObserver, 'mcp');
}

const invalidMessageReason = (body: unknown): string =>
  Array.isArray(body)
    ? 'The body is an array of messages. Send each message in its own request.'
    : 'The body is not a JSON-RPC message. Send one with jsonrpc "2.0", a method, and an id for a request.';

function errorResponse(body: unknown, code: number, message: string): McpHttpReply {
  const rawId = isRecord(body) ? body.id : null;
  const id = typeof rawId === 'string' || typeof rawId === 'number' ? rawId : null;
  return jsonResponse(400, { jsonrpc: '2.0', id, error: { code, message } });
}

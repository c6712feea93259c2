import type { IncomingMessage } from 'node:http';
import { type CallTrace, type IncomingCorrelation, observedStore } from '../observe/observer.ts';
import { type Identity, scopeRefusal } from '../operation/authorization.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Admit } from './admission/admission.ts';
import type { RunQueued } from './admission/key-queue.ts';
import { readJson } from './body/request-body.ts';
import type { HttpReply, ResponseHeaders } from './reply.ts';
import type { RestOptions } from './rest/rest-endpoint.ts';
import { notAcceptableError } from './transport-errors.ts';

interface McpPost {
  readonly identity: Identity;
  readonly body: unknown;
  readonly headers: Headers;
  readonly traceHeaders: IncomingCorrelation;
  readonly accepts: { readonly json: boolean; readonly events: boolean };
  readonly signal: AbortSignal;
  /** Starts an exchange once the queue of the key lets this request run. */
  readonly enqueue: <R extends { readonly finished?: Promise<void> }>(
    exchange: () => Promise<R>,
  ) => Promise<R>;
}

export interface McpHandler {
  handle(post: McpPost): Promise<HttpReply & { readonly sessionId?: string }>;
  invalidJson(error: AcequiaError): HttpReply;
  /** The operation that a request calls, reads or watches; undefined for other requests. */
  operationOf(body: unknown): AnyOperation | undefined;
}

interface McpRequest {
  readonly incoming: IncomingMessage;
  readonly trace: CallTrace;
  readonly traceHeaders: IncomingCorrelation;
  readonly signal: AbortSignal;
}

export function mcpEndpoint(
  { store, limits }: Pick<RestOptions, 'store' | 'limits'>,
  admit: Admit,
  queue: RunQueued,
  handler: McpHandler,
): (request: McpRequest, headers: ResponseHeaders) => Promise<HttpReply> {
  return async ({ incoming, trace, traceHeaders, signal }, headers) => {
    const { identify, queueKey, challengeScope } = await admit(
      { incoming, acceptsBearerKeys: true },
      headers,
    );
    const identity = await observedStore(store, trace).readAll(identify);
    const accepts = acceptedTypes(incoming);
    let body: unknown;
    try {
      body = await readJson(incoming, limits);
    } catch (error) {
      if (error instanceof AcequiaError && error.code === 'invalid_body')
        return handler.invalidJson(error);
      throw error;
    }

    // OAuth clients expect a status; other refusals are answers of the protocol, which assistants
    // read.
    const refusal = scopeRefusal(identity.caller, handler.operationOf(body));
    if (refusal && (await challengeScope(refusal))) throw refusal;

    const enqueue: McpPost['enqueue'] = (exchange) =>
      new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          const reply = await exchange();
          resolve(reply);
          await reply.finished;
        };
        queue(queueKey, trace.measureWait(run)).catch(reject);
      });

    const reply = await handler.handle({
      identity,
      body,
      headers: headersOf(incoming),
      traceHeaders,
      accepts,
      signal,
      enqueue,
    });
    // Proxies must not buffer an event stream.
    if (reply.finished) headers['X-Accel-Buffering'] = 'no';
    if (reply.sessionId) headers['Mcp-Session-Id'] = reply.sessionId;

    return reply;
  };
}

const headersOf = ({ headersDistinct }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((each) => [name, each]),
    ) as [string, string][],
  );

/** A request without an Accept header accepts JSON. */
function acceptedTypes({ headers }: IncomingMessage): McpPost['accepts'] {
  const ranges = (headers.accept ?? '*/*')
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter(([, ...parameters]) => !parameters.some((each) => /^q=0(\.0*)?$/.test(each)))
    .map(([type]) => type);
  const json = ranges.some(
    (type) => type === 'application/json' || type === 'application/*' || type === '*/*',
  );

  const events = ranges.includes('text/event-stream');
  if (!json && !events) throw notAcceptableError();

  return { json, events };
}

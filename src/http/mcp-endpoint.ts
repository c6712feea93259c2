import type { IncomingMessage } from 'node:http';
import { type CallTrace, type IncomingCorrelation, observedStore } from '../observe/observer.ts';
import { type Identity, scopeRefusal } from '../operation/authorization.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { AcequiaError } from '../schema/error.ts';
import type { Admit } from './admission/admission.ts';
import type { KeyQueue } from './admission/key-queue.ts';
import { readJson } from './body/json-body.ts';
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

export class McpEndpoint {
  readonly #options: Pick<RestOptions, 'store' | 'limits'>;
  readonly #admit: Admit;
  readonly #queue: KeyQueue;
  readonly #handler: McpHandler;

  constructor(
    options: Pick<RestOptions, 'store' | 'limits'>,
    admit: Admit,
    queue: KeyQueue,
    handler: McpHandler,
  ) {
    this.#options = options;
    this.#admit = admit;
    this.#queue = queue;
    this.#handler = handler;
  }

  async answer(
    { incoming, trace, traceHeaders, signal }: McpRequest,
    headers: ResponseHeaders,
  ): Promise<HttpReply> {
    const { store, limits } = this.#options;
    const { identify, queueKey, challengeScope } = await this.#admit(
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
        return this.#handler.invalidJson(error);
      throw error;
    }

    // OAuth clients expect a status; other refusals are answers of the protocol, which assistants
    // read.
    const refusal = scopeRefusal(identity.caller, this.#handler.operationOf(body));
    if (refusal && (await challengeScope(refusal))) throw refusal;

    const reply = await this.#handler.handle({
      identity,
      body,
      headers: headersOf(incoming),
      traceHeaders,
      accepts,
      signal,
      enqueue: this.#enqueuer(queueKey, trace),
    });
    // Proxies must not buffer an event stream.
    if (reply.finished) headers['X-Accel-Buffering'] = 'no';
    if (reply.sessionId) headers['Mcp-Session-Id'] = reply.sessionId;

    return reply;
  }

  /** A reply is returned as soon as it begins, and keeps its turn in the queue until it ends. */
  #enqueuer(queueKey: string, trace: CallTrace): McpPost['enqueue'] {
    return (exchange) =>
      new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          const reply = await exchange();
          resolve(reply);
          await reply.finished;
        };
        this.#queue.run(queueKey, trace.measureWait(run)).catch(reject);
      });
  }
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*']);

/** A request without an Accept header accepts JSON. */
function acceptedTypes({ headers }: IncomingMessage): McpPost['accepts'] {
  const types = (headers.accept ?? '*/*').split(',').map(acceptedType);
  const json = types.some((type) => type !== null && JSON_RANGES.has(type));
  const events = types.includes('text/event-stream');
  if (!json && !events) throw notAcceptableError();

  return { json, events };
}

const ZERO_WEIGHT = /^q=0(\.0*)?$/;

/** Null for a type with the weight 0, which the client refuses. */
function acceptedType(range: string): string | null {
  const [type = '', ...parameters] = range
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return parameters.some((each) => ZERO_WEIGHT.test(each)) ? null : type;
}

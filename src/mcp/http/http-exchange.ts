import type { Server } from '@modelcontextprotocol/server';
import { isRecord } from '../../domain/records.ts';
import { BoundedStream } from '../../domain/shares/bounded-stream.ts';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  setAsideMalformedArguments,
  type Transport,
  withoutValidatorDump,
} from '../protocol.ts';

export interface AcceptedContent {
  readonly json: boolean;
  readonly events: boolean;
}

export interface McpHttpReply {
  readonly status: number;
  readonly type: string | null;
  readonly content: string | ReadableStream<Uint8Array> | null;
  readonly finished?: Promise<void>;
  /** For the header of the same name. */
  readonly sessionId?: string;
}

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';

/** The client has disconnected; nginx logs this status. */
const CLIENT_GONE: McpHttpReply = { status: 499, type: null, content: null };

/** The SDK's code for a call that ended without an answer. */
const CONNECTION_CLOSED = -32000;

/** The answer for a client that does not accept an event stream. */
const cancelledError = ({ id }: JSONRPCRequest) => ({
  jsonrpc: '2.0',
  id,
  error: { code: CONNECTION_CLOSED, message: 'The request was cancelled.' },
});

const encoder = new TextEncoder();
const encodeEvent = (message: JSONRPCMessage): Uint8Array =>
  encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`);

export const jsonResponse = (status: number, message: unknown): McpHttpReply => ({
  status,
  type: JSON_TYPE,
  content: JSON.stringify(message),
});

/** Names the request only if its id is valid. */
export function errorResponse(
  body: unknown,
  code: number,
  message: string,
  data?: unknown,
  status = 400,
): McpHttpReply {
  const rawId = isRecord(body) ? body.id : null;
  const id = typeof rawId === 'string' || typeof rawId === 'number' ? rawId : null;
  return jsonResponse(status, { jsonrpc: '2.0', id, error: { code, message, data } });
}

interface ExchangeOptions {
  readonly accepts: AcceptedContent;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Aborted when the client cancels the call. */
  readonly cancelled: AbortSignal;
  /** For a write: in this era, a client that disconnects does not cancel its call. */
  readonly finishesWithoutClient: boolean;
}

/**
 * If the client accepts an event stream, messages before the answer turn the response into one. A
 * cancelled request has no answer: its event stream just ends.
 */
export const exchangeOverHttp = (
  server: Server,
  request: JSONRPCRequest,
  options: ExchangeOptions,
): Promise<McpHttpReply> =>
  new Promise((resolve, reject) => {
    new HttpExchange(server, request, options, resolve).begin().catch(reject);
  });

/** The transport of a server that answers one request. */
class HttpExchange implements Transport {
  onclose?: () => void;
  onmessage?: NonNullable<Transport['onmessage']>;

  readonly #server: Server;
  readonly #request: JSONRPCRequest;
  readonly #options: ExchangeOptions;
  readonly #reply: (reply: McpHttpReply) => void;
  /** Undefined until the response is an event stream. */
  #events: BoundedStream | undefined;
  #finish = (): void => undefined;
  /** The reply of a call that still runs keeps its turn in the queue until then. */
  readonly #finished = new Promise<void>((resolve) => {
    this.#finish = resolve;
  });

  constructor(
    server: Server,
    request: JSONRPCRequest,
    options: ExchangeOptions,
    reply: (reply: McpHttpReply) => void,
  ) {
    this.#server = server;
    this.#request = request;
    this.#options = options;
    this.#reply = reply;
  }

  async begin(): Promise<void> {
    const { signal, cancelled, finishesWithoutClient } = this.#options;
    if (signal.aborted && !finishesWithoutClient) return this.#reply(CLIENT_GONE);
    if (cancelled.aborted) return this.#cancel();

    if (signal.aborted) this.#abandon();
    else signal.addEventListener('abort', this.#abandon, { once: true });
    cancelled.addEventListener('abort', this.#cancel, { once: true });
    await this.#server.connect(this);
    this.onmessage?.(setAsideMalformedArguments(this.#request));
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { signal, cancelled, accepts } = this.#options;
    if (cancelled.aborted) return;

    if (signal.aborted) {
      if (!('method' in message)) this.#end();
    } else if (!('method' in message)) this.#answer(withoutValidatorDump(message));
    else if (accepts.events) this.#sendEvent(message);
  }

  #answer(message: JSONRPCMessage): void {
    const isStream = this.#events !== undefined;
    if (!isStream && this.#options.accepts.json) this.#reply(jsonResponse(200, message));
    else {
      this.#sendEvent(message);
      this.#events?.end();
    }
    this.#end();
  }

  readonly #cancel = (): void => {
    const { signal, accepts } = this.#options;
    if (signal.aborted) this.#reply(CLIENT_GONE);
    else if (accepts.events) {
      this.#openStream();
      this.#events?.end();
    } else this.#reply(jsonResponse(200, cancelledError(this.#request)));
    this.#end();
  };

  readonly #abandon = (): void => {
    if (this.#options.finishesWithoutClient) {
      this.#reply({ ...CLIENT_GONE, finished: this.#finished });
      return;
    }
    this.#reply(CLIENT_GONE);
    this.#end();
  };

  #sendEvent(message: JSONRPCMessage): void {
    this.#openStream();
    this.#events?.send(encodeEvent(message));
  }

  /** Turns the response into an event stream, unless it is one already. */
  #openStream(): void {
    if (this.#events) return;

    this.#events = new BoundedStream();
    const { content } = this.#events;
    this.#reply({ status: 200, type: EVENTS_TYPE, content, finished: this.#finished });
  }

  #end(): void {
    this.#events?.end();
    this.#finish();
    this.#options.signal.removeEventListener('abort', this.#abandon);
    void this.#server.close();
  }
}

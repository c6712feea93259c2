import type { Server } from '@modelcontextprotocol/server';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  setAsideMalformedArguments,
  type Transport,
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

/** For a client that does not accept an event stream. */
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

/**
 * If the client accepts an event stream, messages before the answer turn the response into one. A
 * cancelled request has no answer: its event stream just ends.
 */
export function exchangeOverHttp(
  server: Server,
  request: JSONRPCRequest,
  {
    accepts,
    signal,
    cancelled,
  }: { accepts: AcceptedContent; signal: AbortSignal; cancelled: AbortSignal },
): Promise<McpHttpReply> {
  return new Promise((resolve, reject) => {
    let events: ReadableStreamDefaultController<Uint8Array> | undefined;
    let end = (): void => undefined;

    function beginStream(): ReadableStreamDefaultController<Uint8Array> {
      const content = new ReadableStream<Uint8Array>({
        start(controller) {
          events = controller;
        },
      });

      const finished = new Promise<void>((done) => {
        end = done;
      });
      resolve({ status: 200, type: EVENTS_TYPE, content, finished });

      return events!;
    }

    function answer(message: JSONRPCMessage): void {
      if (!events && accepts.json) resolve(jsonResponse(200, message));
      else {
        (events ?? beginStream()).enqueue(encodeEvent(message));
        events?.close();
        end();
      }
      signal.removeEventListener('abort', abandon);
      void server.close();
    }

    function cancel(): void {
      if (signal.aborted) return;
      if (accepts.events) (events ?? beginStream()).close();
      else resolve(jsonResponse(200, cancelledError(request)));
      end();
      signal.removeEventListener('abort', abandon);
      void server.close();
    }

    function abandon(): void {
      resolve(CLIENT_GONE);
      end();
      void server.close();
    }

    const transport: Transport = {
      start: async () => undefined,
      close: async () => transport.onclose?.(),
      async send(message) {
        if (signal.aborted || cancelled.aborted) return;
        if (!('method' in message)) answer(message);
        else if (accepts.events) (events ?? beginStream()).enqueue(encodeEvent(message));
      },
    };
    if (signal.aborted) {
      resolve(CLIENT_GONE);
      return;
    }

    if (cancelled.aborted) {
      cancel();
      return;
    }

    signal.addEventListener('abort', abandon, { once: true });
    cancelled.addEventListener('abort', cancel, { once: true });
    server
      .connect(transport)
      .then(() => transport.onmessage?.(setAsideMalformedArguments(request)), reject);
  });
}

interface CallInProgress {
  readonly signal: AbortSignal;
  end(): void;
}

interface CallsInProgress {
  begin(callerId: string, requestId: RequestId): CallInProgress;
  cancel(callerId: string, requestId: RequestId): void;
}

/**
 * Over HTTP a cancellation is a separate request, which is matched to the call by key and request
 * id alone.
 */
export function callsInProgress(): CallsInProgress {
  const calls = new Map<string, Set<AbortController>>();
  const callKey = (callerId: string, requestId: RequestId): string =>
    JSON.stringify([callerId, requestId]);

  return {
    begin(callerId, requestId) {
      const key = callKey(callerId, requestId);
      const controllers = calls.get(key) ?? new Set();
      const controller = new AbortController();
      calls.set(key, controllers.add(controller));

      return {
        signal: controller.signal,
        end() {
          controllers.delete(controller);
          if (controllers.size === 0 && calls.get(key) === controllers) calls.delete(key);
        },
      };
    },
    cancel(callerId, requestId) {
      const [call, another] = calls.get(callKey(callerId, requestId)) ?? [];
      // Two clients that share a key may use the same id; then nobody knows which call to cancel.
      if (another === undefined) call?.abort();
    },
  };
}

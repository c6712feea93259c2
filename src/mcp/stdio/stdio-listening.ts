import { isRecord } from '../../domain/records.ts';
import {
  isListenRequest,
  listenRequestFor,
  type Subscriptions,
} from '../listening/subscriptions.ts';
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '../protocol.ts';

/**
 * The SDK answers `subscriptions/listen` on standard input without asking the server. This checks
 * the caller and starts the watch before the SDK answers, and ends the subscriptions of a caller
 * who loses access.
 */
export class CheckedListeningTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #stdio: Transport;
  readonly #subscriptions: Subscriptions;
  /** Ids of the open `subscriptions/listen` requests for the resource. */
  readonly #openIds = new Set<RequestId>();

  constructor(stdio: Transport, subscriptions: Subscriptions) {
    this.#stdio = stdio;
    this.#subscriptions = subscriptions;
    subscriptions.onRefused = () => this.#endAll();
  }

  async start(): Promise<void> {
    this.#stdio.onclose = () => this.onclose?.();
    this.#stdio.onerror = (error) => this.onerror?.(error);
    this.#stdio.onmessage = (message) => this.#receive(message);
    await this.#stdio.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    // An answer to a listen request ends it.
    if (!('method' in message) && message.id !== undefined) this.#stopListening(message.id);
    await this.#stdio.send(message);
  }

  close(): Promise<void> {
    return this.#stdio.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (isListenRequest(message)) {
      void this.#listen(message);
      return;
    }

    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#stopListening(cancelled);
    this.onmessage?.(message);
  }

  async #listen(request: JSONRPCRequest): Promise<void> {
    const { message, watchedUri } = listenRequestFor(this.#subscriptions.uri, request);
    if (watchedUri === null) {
      this.onmessage?.(message);
      return;
    }

    this.#openIds.add(message.id);
    try {
      await this.#subscriptions.subscribe(watchedUri);
    } catch (error) {
      this.#openIds.delete(message.id);
      await this.#stdio.send({ jsonrpc: '2.0', id: message.id, error: toError(error) });
      return;
    }

    // The request may have been cancelled meanwhile.
    if (this.#openIds.has(message.id)) this.onmessage?.(message);
  }

  #stopListening(id: RequestId): void {
    const isLast = this.#openIds.delete(id) && this.#openIds.size === 0;
    if (isLast) this.#subscriptions.unsubscribe(this.#subscriptions.uri);
  }

  /** The SDK is told that the client cancelled each request, and the client that it is complete. */
  #endAll(): void {
    for (const requestId of this.#openIds) {
      this.onmessage?.({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId },
      });
      void this.#stdio.send(completionOf(requestId));
    }
    this.#openIds.clear();
  }
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  return isRecord(message.params) ? (message.params.requestId as RequestId) : undefined;
}

const completionOf = (id: RequestId): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', _meta: { [SUBSCRIPTION_ID_META_KEY]: id } },
});

const toError = (error: unknown) => {
  const { code, message, data } =
    error instanceof ProtocolError
      ? error
      : new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  return { code, message, data };
};

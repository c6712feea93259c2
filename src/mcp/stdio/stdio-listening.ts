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
export function withCheckedListening(stdio: Transport, subscriptions: Subscriptions): Transport {
  const listening = new Set<RequestId>();

  function stopListening(id: RequestId): void {
    if (listening.delete(id) && listening.size === 0) subscriptions.unsubscribe(subscriptions.uri);
  }

  async function listen(request: JSONRPCRequest): Promise<void> {
    const { message, isForResource } = listenRequestFor(subscriptions.uri, request);
    if (isForResource) {
      listening.add(message.id);
      try {
        await subscriptions.subscribe(subscriptions.uri);
      } catch (error) {
        listening.delete(message.id);
        await stdio.send({ jsonrpc: '2.0', id: message.id, error: toError(error) });
        return;
      }

      // The request was cancelled meanwhile.
      if (!listening.has(message.id)) return;
    }

    checkedTransport.onmessage?.(message);
  }

  subscriptions.onRefused = () => {
    for (const id of listening) {
      checkedTransport.onmessage?.({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: id },
      });
      void stdio.send(endOf(id));
    }
    listening.clear();
  };

  const checkedTransport: Transport = {
    async start() {
      stdio.onclose = () => checkedTransport.onclose?.();
      stdio.onerror = (error) => checkedTransport.onerror?.(error);
      stdio.onmessage = (message) => {
        if (isListenRequest(message)) void listen(message);
        else {
          const cancelled = cancelledId(message);
          if (cancelled !== undefined) stopListening(cancelled);
          checkedTransport.onmessage?.(message);
        }
      };
      await stdio.start();
    },
    async send(message) {
      if (!('method' in message) && message.id !== undefined) stopListening(message.id);
      await stdio.send(message);
    },
    close: () => stdio.close(),
  };

  return checkedTransport;
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  return isRecord(message.params) ? (message.params.requestId as RequestId) : undefined;
}

const endOf = (id: RequestId): JSONRPCMessage => ({
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

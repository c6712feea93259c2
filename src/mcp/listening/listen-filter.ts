import type { JSONRPCRequest } from '../protocol.ts';
import { isRecord } from '../raw-arguments.ts';

export interface ListenRequest {
  readonly message: JSONRPCRequest;
  readonly isForResource: boolean;
}

export const isListenRequest = (message: unknown): message is JSONRPCRequest =>
  isRecord(message) && message.method === 'subscriptions/listen' && message.id !== undefined;

/** The SDK would acknowledge every resource that a client names. */
export function listenRequestFor(uri: string | null, message: JSONRPCRequest): ListenRequest {
  const { params } = message;
  const notifications = params?.notifications;
  if (!isRecord(notifications) || !Array.isArray(notifications.resourceSubscriptions))
    return { message, isForResource: false };
  const isForResource = uri !== null && notifications.resourceSubscriptions.includes(uri);
  const resourceSubscriptions = isForResource ? [uri] : [];
  return {
    message: { ...message, params: { ...params, notifications: { ...notifications, resourceSubscriptions } } },
    isForResource,
  };
}

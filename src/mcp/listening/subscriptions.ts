import { isRecord, type JSONRPCRequest, ProtocolError, ProtocolErrorCode } from '../protocol.ts';

const RETRY_MS = 2_000;

export interface ResourceWatcher {
  onChange(): void;
  /** The watch has ended: the caller may no longer read the resource. */
  onRefused(): void;
}

/**
 * Reports changes once its promise has resolved; the value is a function that stops the watch.
 * Throws ProtocolError with status 401 or 403 for callers who may not read the resource, and other
 * errors while it cannot be watched.
 */
export type WatchResource = (watcher: ResourceWatcher) => Promise<() => void>;

interface SubscribableResource {
  readonly uri: string;
  readonly watch: WatchResource;
}

/** The subscriptions of one connection. */
export interface Subscriptions {
  readonly uri: string;
  onChange?: (() => void) | undefined;
  onRefused?: (() => void) | undefined;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): void;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError &&
  [401, 403].includes((error.data as { status?: number } | undefined)?.status ?? 0);

/** Retries a resource that cannot be watched yet, such as before a store exists. */
export function createSubscriptions({ uri, watch }: SubscribableResource): Subscriptions {
  let current: { readonly ending: AbortController; readonly started: Promise<void> } | null = null;

  function end(): void {
    current?.ending.abort();
    current = null;
  }

  async function begin(signal: AbortSignal): Promise<void> {
    try {
      if (!(await attach(signal))) attachLater(signal);
    } catch (error) {
      if (!signal.aborted) end();
      throw error;
    }
  }

  async function attach(signal: AbortSignal): Promise<boolean> {
    const watcher: ResourceWatcher = {
      onChange: () => {
        if (!signal.aborted) subscriptions.onChange?.();
      },
      onRefused: () => refuse(signal),
    };
    const stop = await watch(watcher).catch((error) => {
      if (isRefusal(error)) throw error;
      return null;
    });
    if (stop === null) return false;

    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return true;
  }

  function attachLater(signal: AbortSignal): void {
    const attempt = async (): Promise<void> => {
      if (signal.aborted) return;
      if (!(await attach(signal))) attachLater(signal);
      else if (!signal.aborted) subscriptions.onChange?.();
    };
    setTimeout(() => void attempt().catch(() => refuse(signal)), RETRY_MS).unref();
  }

  function refuse(signal: AbortSignal): void {
    if (signal.aborted) return;
    end();
    subscriptions.onRefused?.();
  }

  function assertOwnUri(requestedUri: string): void {
    if (requestedUri === uri) return;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${JSON.stringify(requestedUri)} cannot be subscribed to: only ${uri} can. Read the others again when needed.`,
    );
  }

  const subscriptions: Subscriptions = {
    uri,
    async subscribe(requestedUri) {
      assertOwnUri(requestedUri);
      if (current === null) {
        const ending = new AbortController();
        current = { ending, started: begin(ending.signal) };
      }
      await current.started;
    },
    unsubscribe(requestedUri) {
      assertOwnUri(requestedUri);
      end();
    },
  };

  return subscriptions;
}

interface ListenRequest {
  readonly message: JSONRPCRequest;
  readonly isForResource: boolean;
}

export const isListenRequest = (message: unknown): message is JSONRPCRequest =>
  isRecord(message) && message.method === 'subscriptions/listen' && message.id !== undefined;

/** Drops other resources, because the SDK would acknowledge every one that a client names. */
export function listenRequestFor(uri: string | null, message: JSONRPCRequest): ListenRequest {
  const { params } = message;
  const notifications = params?.notifications;
  if (!isRecord(notifications) || !Array.isArray(notifications.resourceSubscriptions))
    return { message, isForResource: false };

  const isForResource = uri !== null && notifications.resourceSubscriptions.includes(uri);
  const resourceSubscriptions = isForResource ? [uri] : [];
  return {
    message: {
      ...message,
      params: { ...params, notifications: { ...notifications, resourceSubscriptions } },
    },
    isForResource,
  };
}

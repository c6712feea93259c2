import { isRecord } from '../../domain/records.ts';
import { type JSONRPCRequest, ProtocolError, ProtocolErrorCode, type Server } from '../protocol.ts';

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

const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError &&
  [401, 403].includes((error.data as { status?: number } | undefined)?.status ?? 0);

interface Watch {
  /** Aborted when nobody subscribes any more, or when the caller is refused. */
  readonly end: AbortController;
  readonly started: Promise<void>;
}

/**
 * The subscriptions of one connection, all to one resource. Tries again while the resource cannot
 * be watched yet, such as before a store exists.
 */
export class Subscriptions {
  onChange?: (() => void) | undefined;
  onRefused?: (() => void) | undefined;

  readonly #resource: SubscribableResource;
  #current: Watch | null = null;

  constructor(resource: SubscribableResource) {
    this.#resource = resource;
  }

  get uri(): string {
    return this.#resource.uri;
  }

  async subscribe(requestedUri: string): Promise<void> {
    this.#assertSubscribable(requestedUri);
    if (this.#current === null) {
      const end = new AbortController();
      this.#current = { end, started: this.#begin(end.signal) };
    }
    await this.#current.started;
  }

  unsubscribe(requestedUri: string): void {
    this.#assertSubscribable(requestedUri);
    this.#end();
  }

  async #begin(signal: AbortSignal): Promise<void> {
    try {
      if (!(await this.#tryWatch(signal))) this.#watchLater(signal);
    } catch (error) {
      // Once this watch is aborted, the current one may be that of a later subscription.
      if (!signal.aborted) this.#end();
      throw error;
    }
  }

  /** False if the resource cannot be watched yet. */
  async #tryWatch(signal: AbortSignal): Promise<boolean> {
    const watcher: ResourceWatcher = {
      onChange: () => this.#reportChange(signal),
      onRefused: () => this.#refuse(signal),
    };
    const stop = await this.#resource.watch(watcher).catch((error) => {
      if (isRefusal(error)) throw error;
      return null;
    });
    if (stop === null) return false;

    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return true;
  }

  #watchLater(signal: AbortSignal): void {
    const attempt = async (): Promise<void> => {
      if (signal.aborted) return;
      // The resource may have changed before it could be watched.
      if (await this.#tryWatch(signal)) this.#reportChange(signal);
      else this.#watchLater(signal);
    };
    setTimeout(() => void attempt().catch(() => this.#refuse(signal)), RETRY_MS).unref();
  }

  #reportChange(signal: AbortSignal): void {
    if (!signal.aborted) this.onChange?.();
  }

  #refuse(signal: AbortSignal): void {
    // As in #begin: a later subscription goes on.
    if (signal.aborted) return;
    this.#end();
    this.onRefused?.();
  }

  #end(): void {
    this.#current?.end.abort();
    this.#current = null;
  }

  #assertSubscribable(requestedUri: string): void {
    const { uri } = this.#resource;
    if (requestedUri === uri) return;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${JSON.stringify(requestedUri)} cannot be subscribed to: only ${uri} can. Read the others again when needed.`,
    );
  }
}

interface ListenRequest {
  readonly message: JSONRPCRequest;
  /** Null if the request is for other things than the resource. */
  readonly watchedUri: string | null;
}

export const LISTEN_METHOD = 'subscriptions/listen';

export const isListenRequest = (message: unknown): message is JSONRPCRequest =>
  isRecord(message) && message.method === LISTEN_METHOD && message.id !== undefined;

/**
 * Drops resources other than `uri`, because the SDK would acknowledge every one that a client
 * names.
 */
export function listenRequestFor(uri: string | null, message: JSONRPCRequest): ListenRequest {
  const { params } = message;
  const notifications = params?.notifications;
  if (!isRecord(notifications) || !Array.isArray(notifications.resourceSubscriptions))
    return { message, watchedUri: null };

  const isForResource = uri !== null && notifications.resourceSubscriptions.includes(uri);
  const watchedUri = isForResource ? uri : null;
  const resourceSubscriptions = isForResource ? [uri] : [];
  return {
    message: {
      ...message,
      params: { ...params, notifications: { ...notifications, resourceSubscriptions } },
    },
    watchedUri,
  };
}

export function acceptSubscriptions(server: Server, subscriptions: Subscriptions): void {
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    await subscriptions.subscribe(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscriptions.unsubscribe(params.uri);
    return {};
  });
}

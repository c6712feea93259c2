import {
  createMcpHandler,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
} from '../protocol.ts';
import { listenRequestFor, type WatchResource } from './subscriptions.ts';

const MAX_STREAMS = 256;
const MAX_STREAMS_OF_KEY = 16;

interface ListenerAccess {
  readonly callerId: string;
  readonly watch: WatchResource;
  readonly serverFactory: McpServerFactory;
}

export interface ListenStream {
  readonly response: Response;
  /** To be called when the response is complete or its client has gone. */
  readonly release: () => void;
}

/**
 * The streams of `subscriptions/listen` over HTTP. Each has a handler of the SDK of its own, so that
 * it gets no changes of other companies.
 */
export class ListenStreams {
  readonly #uri: string | null;
  /** The caller of each open stream, by the handler of the stream. */
  readonly #callerIds = new Map<McpHttpHandler, string>();
  #isClosed = false;

  /** `uri` is null if the tool filter hides the resource. */
  constructor(uri: string | null) {
    this.#uri = uri;
  }

  /** Throws ProtocolError if the caller may not listen, or too many do. */
  async open(
    message: JSONRPCRequest,
    request: Request,
    { callerId, watch, serverFactory }: ListenerAccess,
  ): Promise<ListenStream> {
    const { message: parsedBody, watchedUri } = listenRequestFor(this.#uri, message);
    const handler = createMcpHandler(serverFactory, { legacy: 'reject' });
    if (watchedUri === null)
      return { response: await handler.fetch(request, { parsedBody }), release: () => undefined };

    this.#assertOpen();
    this.#assertNotTooMany(callerId);
    this.#callerIds.set(handler, callerId);

    let stopWatch: (() => void) | undefined;
    const release = (): void => {
      stopWatch?.();
      this.#callerIds.delete(handler);
    };

    try {
      stopWatch = await watch({
        onChange: () => handler.notify.resourceUpdated(watchedUri),
        onRefused: () => void handler.close(),
      });
      // The service may have begun to stop meanwhile.
      this.#assertOpen();
      return { response: await handler.fetch(request, { parsedBody }), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#callerIds.keys()].map((handler) => handler.close()));
  }

  #assertOpen(): void {
    if (this.#isClosed)
      throw refusal('unavailable', 'The service is stopping.', 'Listen again in a while.');
  }

  #assertNotTooMany(callerId: string): void {
    const streamsOfKey = [...this.#callerIds.values()].filter((id) => id === callerId).length;
    if (streamsOfKey >= MAX_STREAMS_OF_KEY)
      throw refusal(
        'rate_limited',
        `You listen on ${streamsOfKey} streams already.`,
        'Close one of them first.',
      );

    const streams = this.#callerIds.size;
    if (streams >= MAX_STREAMS)
      throw refusal(
        'rate_limited',
        `${streams} streams are open already.`,
        'Read the resource now and then instead.',
      );
  }
}

const STATUSES = { rate_limited: 429, unavailable: 503 } as const;

const refusal = (code: keyof typeof STATUSES, message: string, hint: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message} ${hint}`, {
    code,
    status: STATUSES[code],
    hint,
  });

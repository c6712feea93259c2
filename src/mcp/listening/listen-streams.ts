import { BOUNDED_THINGS } from '../../domain/shares/bounded-things.ts';
import { nextLoopTurn } from '../../domain/shares/loop-turns.ts';
import { Shares, type Taker } from '../../domain/shares/shares.ts';
import { say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { AcequiaError, tryAgainAfter } from '../../schema/error.ts';
import {
  createMcpHandler,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServerFactory,
} from '../protocol.ts';
import { listenRequestFor, type WatchResource } from './subscriptions.ts';

interface ListenerAccess {
  readonly taker: Taker;
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
  readonly #shares = new Shares(BOUNDED_THINGS.listenStreams, tooManyStreamsError);
  readonly #handlers = new Set<McpHttpHandler>();
  #isClosed = false;

  /** `uri` is null if the tool filter hides the resource. */
  constructor(uri: string | null) {
    this.#uri = uri;
  }

  /** Throws 429 if another stream of the taker would be refused. */
  assertFree(taker: Taker): void {
    if (!this.#shares.isFree(taker)) throw tooManyStreamsError();
  }

  /**
   * Throws ProtocolError if the caller may not listen, 429 if it has too many streams, and 503 while
   * the service stops.
   */
  async open(
    message: JSONRPCRequest,
    request: Request,
    { taker, watch, serverFactory }: ListenerAccess,
  ): Promise<ListenStream> {
    this.#assertOpen();
    const share = this.#shares.takeNow(taker);
    const { message: parsedBody, watchedUri } = listenRequestFor(this.#uri, message);
    const handler = createMcpHandler(serverFactory, { legacy: 'reject' });
    this.#handlers.add(handler);

    let stopWatch: (() => void) | undefined;
    const release = (): void => {
      stopWatch?.();
      if (this.#handlers.delete(handler)) share.release();
    };

    try {
      if (watchedUri !== null)
        stopWatch = await watch({
          onChange: () => handler.notify.resourceUpdated(watchedUri),
          onRefused: () => void handler.close(),
        });
      // The watches of all streams of a company begin at once.
      await nextLoopTurn(taker);
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
    await Promise.all([...this.#handlers].map((handler) => handler.close()));
  }

  #assertOpen(): void {
    if (this.#isClosed) throw stoppingError();
  }
}

const RETRY_S = 5;

const refusal = (code: string, status: number, message: Text, hint: Text): AcequiaError =>
  new AcequiaError({
    code,
    status,
    message,
    hint: say`${tryAgainAfter(RETRY_S)} ${hint}`,
    retryAfterS: RETRY_S,
  });

const tooManyStreamsError = (): AcequiaError =>
  refusal(
    'rate_limited',
    429,
    say`This key or company listens on too many streams already.`,
    say`Close one of them first, or read the resource now and then.`,
  );

const stoppingError = (): AcequiaError =>
  refusal('unavailable', 503, say`The service is stopping.`, say`Another process may take over.`);

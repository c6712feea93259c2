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

interface ListenStreams {
  /** Throws ProtocolError. */
  open(message: JSONRPCRequest, request: Request, options: ListenerAccess): Promise<ListenStream>;
  close(): Promise<void>;
}

export interface ListenStream {
  readonly response: Response;
  /** To be called when the response is complete or its client has gone. */
  readonly release: () => void;
}

/**
 * The streams of `subscriptions/listen` over HTTP. Each has its own handler of the SDK, which sends
 * only its changes. `uri` is null if the tool filter hides the resource.
 */
export function createListenStreams(uri: string | null): ListenStreams {
  const open = new Map<McpHttpHandler, string>();
  let isClosed = false;

  function assertNotTooMany(callerId: string): void {
    if (isClosed)
      throw refusal('unavailable', 'The service is stopping.', 'Listen again in a while.');

    const ofKey = [...open.values()].filter((id) => id === callerId).length;
    if (ofKey >= MAX_STREAMS_OF_KEY)
      throw refusal(
        'rate_limited',
        `You listen on ${ofKey} streams already.`,
        'Close one of them first.',
      );

    if (open.size >= MAX_STREAMS)
      throw refusal(
        'rate_limited',
        `${open.size} streams are open already.`,
        'Read the resource now and then instead.',
      );
  }

  return {
    async open(message, request, { callerId, watch, serverFactory }) {
      const { message: parsedBody, isForResource } = listenRequestFor(uri, message);
      const handler = createMcpHandler(serverFactory, { legacy: 'reject' });
      if (!isForResource)
        return { response: await handler.fetch(request, { parsedBody }), release: () => undefined };

      assertNotTooMany(callerId);
      open.set(handler, callerId);
      let stop = (): void => undefined;
      const release = (): void => {
        stop();
        open.delete(handler);
      };

      try {
        stop = await watch({
          onChange: () => handler.notify.resourceUpdated(uri!),
          onRefused: () => void handler.close(),
        });
        if (isClosed) assertNotTooMany(callerId);
        return { response: await handler.fetch(request, { parsedBody }), release };
      } catch (error) {
        release();
        throw error;
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...open.keys()].map((handler) => handler.close()));
    },
  };
}

const STATUSES = { rate_limited: 429, unavailable: 503 } as const;

const refusal = (code: keyof typeof STATUSES, message: string, hint: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message} ${hint}`, {
    code,
    status: STATUSES[code],
    hint,
  });

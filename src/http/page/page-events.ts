import { SECOND_MS } from '../../domain/periods.ts';
import type { Identity, OperationAccess } from '../../operation/authorization.ts';
import { AcequiaError } from '../../schema/error.ts';
import { watchFarm } from '../../service/company-watch.ts';
import type { ChangedModules } from '../../store/changes/collected-changes.ts';
import type { Store } from '../../store/store.ts';
import type { HttpReply } from '../reply.ts';

const MAX_STREAMS = 256;
/** A person may have the page open on several devices and in several tabs. */
const MAX_STREAMS_OF_MEMBER = 16;
/** Shorter than proxies wait for a silent connection. */
const HEARTBEAT_MS = 20 * SECOND_MS;

const ACCESS: OperationAccess = { name: 'page_events', scope: 'readings:read', effect: 'read' };

export const EVENT_STREAM = 'text/event-stream';

const HEARTBEAT = ': \n\n';

export type PageEvents = ReturnType<typeof createPageEvents>;

/**
 * Event streams that tell open pages which modules changed, by their ids, or that the farm did
 * (null).
 */
export function createPageEvents(store: Store) {
  const open = new Map<() => void, string>();
  let isClosed = false;

  function assertNotTooMany(callerId: string): void {
    if (isClosed) throw refusal(503, 'unavailable', 'The service is stopping.');
    const ofMember = [...open.values()].filter((id) => id === callerId).length;
    if (ofMember >= MAX_STREAMS_OF_MEMBER || open.size >= MAX_STREAMS)
      throw refusal(429, 'rate_limited', 'Too many pages are open already.');
  }

  return {
    async open({ caller, confirm }: Identity, signal: AbortSignal): Promise<HttpReply> {
      assertNotTooMany(caller.id);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const send = (text: string): void =>
        void writer.write(Buffer.from(text)).catch(() => undefined);

      const ending = new AbortController();
      const end = (): void => ending.abort();

      open.set(end, caller.id);
      const finished = new Promise<void>((resolve) =>
        ending.signal.addEventListener('abort', () => resolve()),
      );
      const watcher = {
        identify: confirm!,
        access: ACCESS,
        onChange: (modules: ChangedModules) => send(`data: ${JSON.stringify({ modules })}\n\n`),
        onRefused: end,
      };

      const stop = await watchFarm(store, watcher).catch((error) => {
        open.delete(end);
        throw error;
      });
      const heartbeat = setInterval(() => send(HEARTBEAT), HEARTBEAT_MS).unref();
      void finished.then(() => {
        open.delete(end);
        stop();
        clearInterval(heartbeat);
        void writer.close().catch(() => undefined);
      });
      signal.addEventListener('abort', end, { once: true });
      void writer.closed.catch(end);
      if (isClosed || signal.aborted) end();
      send(HEARTBEAT);

      return { status: 200, type: EVENT_STREAM, content: readable, finished };
    },
    /** Open streams would keep the server from stopping. */
    close(): void {
      isClosed = true;
      for (const end of [...open.keys()]) end();
    },
  };
}

const refusal = (status: number, code: string, message: string): AcequiaError =>
  new AcequiaError({ code, status, message, hint: 'Load the page again in a while.' });

import { SECOND_MS } from '../../domain/periods.ts';
import type { Identify, Identity, OperationAccess } from '../../operation/authorization.ts';
import { AcequiaError } from '../../schema/error.ts';
import { watchFarm } from '../../service/watches.ts';
import type { Store } from '../../store/store.ts';
import type { HttpReply } from '../reply.ts';

const MAX_STREAMS = 256;
/** A person may have the page open on several devices and in several tabs. */
const MAX_STREAMS_OF_MEMBER = 16;
/** Shorter than proxies wait for a silent connection. */
const HEARTBEAT_MS = 20 * SECOND_MS;

const ACCESS: OperationAccess = { name: 'page_events', scope: 'readings:read', effect: 'read' };

export const EVENT_STREAM = 'text/event-stream';

/** A comment, which browsers ignore. */
const HEARTBEAT = ': \n\n';

/** A person whose session is looked up again for as long as the page is open. */
interface Viewer extends Pick<Identity, 'caller'> {
  readonly confirm: Identify;
}

/** Event streams that tell open pages what has changed. */
export class PageEvents {
  readonly #store: Store;
  readonly #openStreams = new Set<EventStream>();
  #isClosed = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** An event has the ids of the modules that changed, or null if the farm itself did. */
  async open({ caller, confirm }: Viewer, signal: AbortSignal): Promise<HttpReply> {
    this.#assertNotTooMany(caller.id);
    const stream = new EventStream(caller.id);
    this.#openStreams.add(stream);
    void stream.ended.then(() => this.#openStreams.delete(stream));

    const stopWatching = await watchFarm(this.#store, {
      identify: confirm,
      access: ACCESS,
      onChange: (modules) => stream.send(`data: ${JSON.stringify({ modules })}\n\n`),
      onRefused: stream.end,
    }).catch((error) => {
      stream.end();
      throw error;
    });
    void stream.ended.then(stopWatching);

    stream.send(HEARTBEAT);
    signal.addEventListener('abort', stream.end, { once: true });
    if (this.#isClosed || signal.aborted) stream.end();

    return { status: 200, type: EVENT_STREAM, content: stream.content, finished: stream.ended };
  }

  /** Open streams would keep the server from stopping. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#openStreams) stream.end();
  }

  #assertNotTooMany(callerId: string): void {
    if (this.#isClosed) throw refusal(503, 'unavailable', 'The service is stopping.');

    const ofMember = [...this.#openStreams].filter((stream) => stream.callerId === callerId);
    if (ofMember.length >= MAX_STREAMS_OF_MEMBER || this.#openStreams.size >= MAX_STREAMS)
      throw refusal(429, 'rate_limited', 'Too many pages are open already.');
  }
}

/** Ends itself when the reader goes. */
class EventStream {
  readonly callerId: string;
  readonly content: ReadableStream<Uint8Array>;
  readonly ended: Promise<void>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #ending = new AbortController();

  constructor(callerId: string) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.callerId = callerId;
    this.content = readable;
    this.#writer = writable.getWriter();
    this.ended = new Promise((resolve) =>
      this.#ending.signal.addEventListener('abort', () => resolve()),
    );

    const heartbeat = setInterval(() => this.send(HEARTBEAT), HEARTBEAT_MS).unref();
    void this.ended.then(() => {
      clearInterval(heartbeat);
      return this.#writer.close().catch(() => undefined);
    });
    void this.#writer.closed.catch(this.end);
  }

  send(text: string): void {
    void this.#writer.write(Buffer.from(text)).catch(() => undefined);
  }

  readonly end = (): void => this.#ending.abort();
}

const refusal = (status: number, code: string, message: string): AcequiaError =>
  new AcequiaError({ code, status, message, hint: 'Load the page again in a while.' });

import { SECOND_MS } from '../../domain/periods.ts';
import { BoundedStream } from '../../domain/shares/bounded-stream.ts';
import { BOUNDED_THINGS } from '../../domain/shares/bounded-things.ts';
import { nextLoopTurn } from '../../domain/shares/loop-turns.ts';
import { Shares } from '../../domain/shares/shares.ts';
import {
  type Identify,
  type Identity,
  type OperationAccess,
  takerOf,
} from '../../operation/authorization.ts';
import { type AcequiaError, plainError } from '../../schema/error.ts';
import { watchFarm } from '../../service/watches.ts';
import type { Store } from '../../store/store.ts';
import type { HttpReply } from '../reply.ts';

/** Shorter than proxies wait for a silent connection. */
const HEARTBEAT_MS = 20 * SECOND_MS;

const ACCESS: OperationAccess = { name: 'page_events', scope: 'readings:read', effect: 'read' };

export const EVENT_STREAM = 'text/event-stream';

/** A comment, which browsers ignore. */
const HEARTBEAT = ': \n\n';

/** A person whose session is looked up again for as long as the page is open. */
interface Viewer extends Pick<Identity, 'caller' | 'credentialId'> {
  readonly confirm: Identify;
}

/** Event streams that tell open pages what has changed. */
export class PageEvents {
  readonly #store: Store;
  readonly #shares = new Shares(BOUNDED_THINGS.pageStreams, tooManyPagesError);
  readonly #openStreams = new Set<EventStream>();
  #isClosed = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** An event has the ids of the modules that changed, or null if the farm itself did. */
  async open(viewer: Viewer, signal: AbortSignal): Promise<HttpReply> {
    const { caller, confirm } = viewer;
    if (this.#isClosed) throw refusal(503, 'unavailable', 'The service is stopping.');
    const share = this.#shares.takeNow(takerOf(caller));
    const stream = new EventStream();
    this.#openStreams.add(stream);
    void stream.ended.then(() => {
      this.#openStreams.delete(stream);
      share.release();
    });

    const stopWatching = await watchFarm(this.#store, {
      identify: confirm,
      knownIdentity: viewer,
      access: ACCESS,
      onChange: (modules) => stream.sendText(`data: ${JSON.stringify({ modules })}\n\n`),
      onRefused: stream.end,
    }).catch((error) => {
      stream.end();
      throw error;
    });
    void stream.ended.then(stopWatching);
    // The watches of all pages of a company begin at once.
    await nextLoopTurn(takerOf(caller));

    stream.sendText(HEARTBEAT);
    signal.addEventListener('abort', stream.end, { once: true });
    if (this.#isClosed || signal.aborted) stream.end();

    return { status: 200, type: EVENT_STREAM, content: stream.content, finished: stream.ended };
  }

  /** Open streams would keep the server from stopping. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#openStreams) stream.end();
  }
}

/** Keeps proxies from closing the connection while nothing changes. */
class EventStream extends BoundedStream {
  constructor() {
    super();
    const heartbeat = setInterval(() => this.sendText(HEARTBEAT), HEARTBEAT_MS).unref();
    void this.ended.then(() => clearInterval(heartbeat));
  }

  sendText(text: string): void {
    this.send(Buffer.from(text));
  }
}

const refusal = (status: number, code: string, message: string): AcequiaError =>
  plainError({ code, status, message, hint: 'Load the page again in a while.' });

const tooManyPagesError = (): AcequiaError =>
  refusal(429, 'rate_limited', 'Too many pages of this member or company are open already.');

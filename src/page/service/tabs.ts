import type { StreamHandlers } from './event-stream.ts';
import type { FarmListener, FarmRead, Modules } from './page-service.ts';

/** How long a tab waits for an answer: one that is busy drawing answers late. */
const ANSWER_MS = 1_000;
/** After this long without a message from the tab that follows, the others ask for it. */
const ASK_AGAIN_MS = 10_000;
/** The tab that follows reads first, and the others wait this long for its answer. */
const LET_READ_MS = 700;

interface TabMessage {
  /**
   * "who" asks which tab follows the farm, and "me" answers that this one does; the others report a
   * change, the end of the session, and a read.
   */
  readonly says: 'who' | 'me' | 'changed' | 'refused' | 'read';
  /** With "me": since when there has been no connection, in ms. */
  readonly lostAt?: number | null;
  /** When the tab was opened, in ms with a random fraction; the oldest tab follows. */
  readonly since: number;
  readonly modules?: Modules;
  readonly read?: FarmRead;
}

interface TabsOptions {
  /** Calls `notify` with each listener of this tab. */
  tell(notify: (listener: FarmListener) => void): void;
  /** Connects to the service. */
  follow(handlers: StreamHandlers): { stop(): void };
}

/**
 * A browser opens six connections to a host, and a stream takes one as long as it lasts: so the
 * oldest tab follows the farm and tells the others. (Web Locks would be simpler; browsers have them
 * for https alone.)
 */
export class Tabs {
  readonly #options: TabsOptions;
  readonly #since = Date.now() + Math.random();
  readonly #channel = new BroadcastChannel(`acequia farm ${location.pathname}`);
  /** Null while another tab follows. */
  #stream: { stop(): void } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lostAt: number | null = null;
  #isOpen = true;

  constructor(options: TabsOptions) {
    this.#options = options;
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data);
    this.#startFollowing();
  }

  stop(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#stream?.stop();
    this.#channel.close();
  }

  share(read: FarmRead): void {
    this.#send({ says: 'read', read });
  }

  #send(message: Omit<TabMessage, 'since'>): void {
    if (this.#isOpen) this.#channel.postMessage({ ...message, since: this.#since });
  }

  #startFollowing(): void {
    this.#stream = this.#options.follow({
      onChange: (modules) => this.#reportChange(modules),
      onConnection: (lostAt) => {
        if (this.#showConnection(lostAt)) this.#sayMe();
      },
      onRefused: () => this.#endRefused(),
    });
    this.#sayMe();
  }

  #sayMe(): void {
    this.#send({ says: 'me', lostAt: this.#lostAt });
  }

  /** Returns whether it changed. */
  #showConnection(lostAt: number | null): boolean {
    if (lostAt === this.#lostAt) return false;
    this.#lostAt = lostAt;
    this.#options.tell((listener) => listener.onConnection?.(lostAt));
    return true;
  }

  #reportChange(modules: Modules): void {
    this.#send({ says: 'changed', modules });
    this.#options.tell((listener) => listener.onChange(modules, 0));
  }

  /** The person is no longer signed in. */
  #endRefused(): void {
    this.#send({ says: 'refused' });
    this.stop();
    this.#options.tell((listener) => listener.onRefused?.());
  }

  #askForFollower(): void {
    this.#send({ says: 'who' });
    this.#wait(ANSWER_MS, () => {
      this.#startFollowing();
      // Changes may have been missed since the other tab was closed.
      this.#reportChange(null);
    });
  }

  #receive({ says, since, modules = null, lostAt = null, read }: TabMessage): void {
    if (read) this.#options.tell((listener) => listener.onRead?.(read));
    else if (this.#stream && (says === 'who' || since > this.#since)) this.#sayMe();
    else if (says !== 'who') {
      if (says === 'me') this.#showConnection(lostAt);
      this.#heed(says, modules);
    }
  }

  /** Leaves following to another tab, and passes on what it reports. */
  #heed(says: TabMessage['says'], modules: Modules): void {
    this.#stream?.stop();
    this.#stream = null;
    if (says === 'changed') {
      const waitMs = LET_READ_MS * (1 + Math.random());
      this.#options.tell((listener) => listener.onChange(modules, waitMs));
    }
    if (says === 'refused') this.#options.tell((listener) => listener.onRefused?.());
    this.#wait(ASK_AGAIN_MS, () => this.#askForFollower());
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }
}

import type { Modules } from './page-service.ts';

/** The service sends a comment every 20 s, so a longer silence means a lost connection. */
const SILENCE_MS = 50_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** After this long without a message from the service, the page says so: within a minute in all. */
const LOST_MS = 45_000;
/** Changes within this time are reported together. */
const COLLECT_MS = 400;

export interface StreamHandlers {
  onChange(modules: Modules): void;
  /** Since when, in ms, there has been no connection; null once there is one again. */
  onConnection(lostAt: number | null): void;
  /** The person is no longer signed in. */
  onRefused(): void;
}

/** Calls back after each change of the farm, and after a time without connection. */
export class EventStream {
  readonly #fetcher: typeof fetch;
  readonly #onChange: (modules: Modules) => void;
  readonly #stopping = new AbortController();
  #modules: Modules = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onConnection: (lostAt: number | null) => void;
  #lostTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(fetcher: typeof fetch, { onChange, onConnection, onRefused }: StreamHandlers) {
    this.#fetcher = fetcher;
    this.#onChange = onChange;
    this.#onConnection = onConnection;
    this.#heard();
    void this.#follow().then((isRefused) => {
      if (isRefused) onRefused();
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#lostTimer);
    this.#stopping.abort();
  }

  /** To be called at each sign of the service. */
  readonly #heard = (): void => {
    const at = Date.now();
    clearTimeout(this.#lostTimer);
    this.#lostTimer = setTimeout(() => this.#onConnection(at), LOST_MS);
  };

  #collect(modules: Modules): void {
    const collected = this.#modules;
    this.#modules = modules === null || collected === null ? null : [...collected, ...modules];
    this.#timer ??= setTimeout(() => {
      const changed = this.#modules;
      this.#timer = undefined;
      this.#modules = [];
      this.#onChange(changed);
    }, COLLECT_MS);
  }

  /** Returns whether the service refused it. */
  async #follow(): Promise<boolean> {
    const { signal } = this.#stopping;
    let retryMs = FIRST_RETRY_MS;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const isRefused = await readStream(this.#fetcher, signal, {
        onOpen: () => {
          retryMs = FIRST_RETRY_MS;
          this.#onConnection(null);
          // Changes may have been missed while there was no connection.
          if (!isFirst) this.#collect(null);
        },
        onHeard: this.#heard,
        onChange: (modules) => this.#collect(modules),
      });
      if (isRefused) return true;

      // Random, so that all pages do not come back at once after a restart of the service.
      await pauseOrVisible(retryMs * (0.5 + Math.random()), signal);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }

    return false;
  }
}

interface StreamEvents {
  onOpen(): void;
  onHeard(): void;
  onChange(modules: Modules): void;
}

/** Reads until the connection is lost. Returns whether the service refused it. */
async function readStream(
  fetcher: typeof fetch,
  stopping: AbortSignal,
  { onOpen, onHeard, onChange }: StreamEvents,
): Promise<boolean> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restartTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };

  const stop = (): void => silence.abort();

  stopping.addEventListener('abort', stop, { once: true });
  try {
    restartTimer();
    const response = await fetcher('page/events', {
      headers: { 'Acequia-Page': '1' },
      signal: silence.signal,
    });
    if (response.status === 401 || response.status === 403) return true;

    const reader = response.ok ? response.body?.getReader() : undefined;
    if (!reader) return false;

    onHeard();
    onOpen();
    const decoder = new TextDecoder();
    let text = '';
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      restartTimer();
      onHeard();
      text += decoder.decode(chunk.value, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events)
        if (event.startsWith('data:')) onChange(JSON.parse(event.slice(5)).modules);
    }
  } catch {
    // The connection was lost, or is no longer wanted.
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }

  return false;
}

/**
 * Ends early when the page becomes visible: phones cut its connection in the background, and the
 * person should not wait.
 */
function pauseOrVisible(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      stopping.removeEventListener('abort', done);
      resolve();
    };

    const onVisible = (): void => {
      if (document.visibilityState === 'visible') done();
    };

    const timer = setTimeout(done, ms);
    document.addEventListener('visibilitychange', onVisible);
    stopping.addEventListener('abort', done);
  });
}

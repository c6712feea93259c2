/** The service sends a comment every 20 s, so a longer silence means a lost connection. */
const SILENCE_MS = 50_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Several readings that come together are one change. */
const QUIET_MS = 400;

/**
 * Calls `onChange` after each change of the farm, and after a time without connection. Returns how
 * to stop.
 */
export const followChanges = (onChange: () => void, fetcher: typeof fetch): (() => void) =>
  followInOneTab(onChange, (changed, refused) => followHere(changed, refused, fetcher));

function followHere(
  onChange: () => void,
  onRefused: () => void,
  fetcher: typeof fetch,
): () => void {
  const stopping = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET_MS);
  };

  // The person is no longer signed in, which the next answer says.
  void follow(changed, fetcher, stopping.signal).then((isRefused) => {
    if (!isRefused) return;
    onChange();
    onRefused();
  });

  return () => {
    clearTimeout(timer);
    stopping.abort();
  };
}

/** Returns whether the service refused it. */
async function follow(
  changed: () => void,
  fetcher: typeof fetch,
  stopping: AbortSignal,
): Promise<boolean> {
  let retryMs = FIRST_RETRY_MS;
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    const isRefused = await readStream(fetcher, stopping, {
      onOpen: () => {
        retryMs = FIRST_RETRY_MS;
        if (!isFirst) changed();
      },
      onChange: changed,
    });
    if (isRefused) return true;

    await pauseOrVisible(retryMs * (0.5 + Math.random()), stopping);
    retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
  }

  return false;
}

/** Reads until the connection is lost. Returns whether the service refused it. */
async function readStream(
  fetcher: typeof fetch,
  stopping: AbortSignal,
  { onOpen, onChange }: { onOpen: () => void; onChange: () => void },
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

    onOpen();
    const decoder = new TextDecoder();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      restartTimer();
      if (decoder.decode(chunk.value, { stream: true }).includes('data:')) onChange();
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

/** How long a tab waits for an answer: one that is busy drawing answers late. */
const ANSWER_MS = 1_000;
const ASK_AGAIN_MS = 10_000;

interface TabMessage {
  /** Asks which tab follows the farm, answers that this one does, or reports a change. */
  readonly says: 'who' | 'me' | 'changed';
  /** When the tab was opened, in ms; the oldest tab follows. */
  readonly since: number;
}

type Follow = (onChange: () => void, onRefused: () => void) => () => void;

/**
 * A browser opens six connections to a host, and a stream takes one as long as it lasts: so the
 * oldest tab follows the farm and tells the others. (Web Locks would be simpler; browsers have them
 * for https alone.) Returns how to stop.
 */
export function followInOneTab(onChange: () => void, follow: Follow): () => void {
  const since = Date.now() + Math.random();
  const tabs = new BroadcastChannel(`acequia ${location.pathname}`);
  let stopFollowing: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (says: TabMessage['says']): void =>
    tabs.postMessage({ says, since } satisfies TabMessage);
  const wait = (ms: number, then: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
  };

  const stop = (): void => {
    clearTimeout(timer);
    stopFollowing?.();
    tabs.close();
  };

  const changed = (): void => {
    send('changed');
    onChange();
  };

  const startFollowing = (): void => {
    stopFollowing = follow(changed, stop);
    send('me');
  };

  const askForFollower = (): void => {
    send('who');
    wait(ANSWER_MS, () => {
      startFollowing();
      // Changes may have been missed since the other tab was closed.
      changed();
    });
  };

  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (stopFollowing && (data.says === 'who' || data.since > since)) return send('me');
    if (data.says === 'who') return;
    stopFollowing?.();
    stopFollowing = null;
    if (data.says === 'changed') onChange();
    wait(ASK_AGAIN_MS, askForFollower);
  };
  startFollowing();

  return stop;
}

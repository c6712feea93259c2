import { followInOneTab } from './one-tab.ts';

/** The service sends a sign of life every 20 s. */
const SILENCE_MS = 50_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Several readings that come together are one change. */
const QUIET_MS = 400;

/** Calls `onChange` after each change of the farm, and after a time without connection. Returns how to stop. */
export const followChanges = (onChange: () => void, fetcher: typeof fetch): (() => void) =>
  followInOneTab(onChange, (changed, refused) => followHere(changed, refused, fetcher));

function followHere(onChange: () => void, onRefused: () => void, fetcher: typeof fetch): () => void {
  const stopping = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET_MS);
  };
  // Nobody is signed in any longer: the next answer says so.
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
async function follow(changed: () => void, fetcher: typeof fetch, stopping: AbortSignal): Promise<boolean> {
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
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  const stop = (): void => silence.abort();
  stopping.addEventListener('abort', stop, { once: true });
  try {
    alive();
    const response = await fetcher('page/events', { headers: { 'Acequia-Page': '1' }, signal: silence.signal });
    if (response.status === 401 || response.status === 403) return true;
    const reader = response.ok ? response.body?.getReader() : undefined;
    if (!reader) return false;
    onOpen();
    const decoder = new TextDecoder();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      alive();
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

/** A phone cuts the connection of a page in the background, and the person who returns does not wait. */
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

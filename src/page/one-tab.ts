/** In ms. A tab that is busy drawing answers late. */
const ANSWER_MS = 1_000;
const ASK_AGAIN_MS = 10_000;

interface TabMessage {
  readonly says: 'who' | 'me' | 'changed';
  /** When the tab began. */
  readonly since: number;
}

type Follow = (onChange: () => void, onRefused: () => void) => () => void;

/**
 * A browser opens six connections to a host, and a stream takes one as long as it lasts: so the oldest tab follows the farm
 * and tells the others. (Web Locks would be simpler; browsers have them for https alone.) Returns how to stop.
 */
export function followInOneTab(onChange: () => void, follow: Follow): () => void {
  const since = Date.now() + Math.random();
  const tabs = new BroadcastChannel(`acequia ${location.pathname}`);
  let stopFollowing: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (says: TabMessage['says']): void => tabs.postMessage({ says, since } satisfies TabMessage);
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
    say('changed');
    onChange();
  };
  const lead = (): void => {
    stopFollowing = follow(changed, stop);
    say('me');
  };
  const ask = (): void => {
    say('who');
    wait(ANSWER_MS, () => {
      lead();
      // Nobody knows since when the other tab is gone.
      changed();
    });
  };
  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (stopFollowing && (data.says === 'who' || data.since > since)) return say('me');
    if (data.says === 'who') return;
    stopFollowing?.();
    stopFollowing = null;
    if (data.says === 'changed') onChange();
    wait(ASK_AGAIN_MS, ask);
  };
  lead();
  return stop;
}

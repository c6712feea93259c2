import { MINUTE_MS } from '../../domain/periods.ts';
import { isMissingFile } from '../../store/store-location.ts';

/** The first run comes after the first calls have been answered. */
const FIRST_DELAY_MS = 2_000;
const INTERVAL_MS = MINUTE_MS;

/** Runs the background jobs a minute after their last run has ended. A missing store has none. */
export function startJobTimer(
  db: string,
  runJobs: (signal: AbortSignal) => Promise<unknown>,
  report: (error: unknown) => Promise<unknown>,
) {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(start, FIRST_DELAY_MS);

  function start(): void {
    running = runOnce();
  }

  async function runOnce(): Promise<void> {
    if (!isMissingFile(db)) await runJobs(stopping.signal).catch(report);
    if (!stopping.signal.aborted) timer = setTimeout(start, INTERVAL_MS);
  }

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

import { isMissingFile } from '../../store/store-location.ts';

/** Shortly after start, when the first calls have had their answers; then each minute. In ms. */
const FIRST_MS = 2_000;
const EVERY_MS = 60_000;

export interface JobTimer {
  /** Starts no more; resolves when what runs has ended its step. */
  stop(): Promise<void>;
}

/** Does the housekeeping of a store again and again, beside whatever else the process does. A store that is not there yet is not made. */
export function startJobTimer(
  db: string,
  runJobs: (signal: AbortSignal) => Promise<void>,
  report: (error: unknown) => Promise<unknown>,
): JobTimer {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let timer = setTimeout(run, FIRST_MS);

  function run(): void {
    running = (isMissingFile(db) ? Promise.resolve() : runJobs(stopping.signal).catch(report)).then(() => {
      if (!stopping.signal.aborted) timer = setTimeout(run, EVERY_MS);
    });
  }

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

import { isMissingFile } from '../../store/store-location.ts';

/** After the first calls have been answered, then every minute. */
const FIRST_MS = 2_000;
const EVERY_MS = 60_000;

export function startJobTimer(
  db: string,
  runJobs: (signal: AbortSignal) => Promise<unknown>,
  report: (error: unknown) => Promise<unknown>,
) {
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

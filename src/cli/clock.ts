/** The process's clock in ms since 1970 UTC: real time, or one that started at `startsAt` and runs on. */
export function runningClock(startsAt: number | null): () => number {
  if (startsAt === null) return Date.now;
  const begun = performance.now();
  return () => startsAt + Math.floor(performance.now() - begun);
}

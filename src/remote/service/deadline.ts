/**
 * In ms since the process started. Deadlines are on this clock, because changes of the system clock
 * do not affect it.
 */
export const monotonicMs = (): number => performance.now();

/** Rejects with `timeoutError` at the deadline; the work that `promise` stands for goes on. */
export async function withDeadline<T>(
  deadline: number,
  promise: Promise<T>,
  timeoutError: (waitedMs: number) => Error,
): Promise<T> {
  const remainingMs = Math.max(0, deadline - monotonicMs());
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError(remainingMs)), remainingMs);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/** Null if the promise rejects or takes longer than `ms`. */
export async function withTimeout<T>(awaited: Promise<T>, withinMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  return Promise.race([awaited.catch(() => null), late]).finally(() => clearTimeout(timer));
}

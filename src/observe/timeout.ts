/** What something comes to; null where it failed, or took longer than so many ms. */
export async function withTimeout<T>(awaited: Promise<T>, withinMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  return Promise.race([awaited.catch(() => null), late]).finally(() => clearTimeout(timer));
}

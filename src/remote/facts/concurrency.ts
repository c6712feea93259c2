/** A service may be far away, so a few requests run at once. */
const REQUESTS_AT_ONCE = 4;

/** Before it throws, it waits for what runs, so that nothing continues after the call. */
export async function mapConcurrently<T, Result>(
  items: readonly T[],
  load: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const pending = entriesOf(items);
  const workers = Array.from({ length: REQUESTS_AT_ONCE }, async () => {
    for (const [index, item] of pending) results[index] = await load(item);
  });

  for (const outcome of await Promise.allSettled(workers))
    if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}

/** Unlike the iterator of a list, a generator ends for all workers once the loop of one throws. */
function* entriesOf<T>(items: readonly T[]): Generator<[number, T], void> {
  yield* items.entries();
}

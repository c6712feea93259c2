// For lists and maps that are known to hold an item. A missing one is an error of the program,
// which ends the call, where `!` would let an undefined value pass on.

export function itemAt<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`Item ${index} of ${items.length} is missing`);
  return item;
}

export const firstOf = <T>(items: ArrayLike<T>): T => itemAt(items, 0);

export const lastOf = <T>(items: ArrayLike<T>): T => itemAt(items, items.length - 1);

/** The first of the items for which the number is least. */
export const leastBy = <T>(items: readonly T[], number: (item: T) => number): T =>
  items.reduce((least, item) => (number(item) < number(least) ? item : least), firstOf(items));

export function entryOf<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`The entry of ${String(key)} is missing`);
  return value;
}

export const nonEmpty = <T>(items: readonly T[]): [T, ...T[]] => [
  firstOf(items),
  ...items.slice(1),
];

export const withoutNulls = <T>(items: readonly (T | null)[]): T[] =>
  items.filter((item) => item !== null);

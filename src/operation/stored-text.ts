/** What of a text a store keeps: no U+0000, at which SQLite and PostgreSQL end or refuse it, and no half surrogate pairs. */

/** The value with every text in it well-formed: half a surrogate pair becomes U+FFFD, as it would on the way to a file. */
export function withWellFormedTexts<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(withWellFormedTexts) as T;
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withWellFormedTexts(each)])) as T;
  return value;
}

/** Where a text of the value holds a NUL, as the path to it; null where none does. */
export function findNulPath(value: unknown): readonly (string | number)[] | null {
  if (typeof value === 'string') return value.includes('\u0000') ? [] : null;
  if (value === null || typeof value !== 'object') return null;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const path = findNulPath(value[index]);
      if (path) return [index, ...path];
    }
    return null;
  }
  for (const [name, each] of Object.entries(value)) {
    const path = findNulPath(each);
    if (path) return [name, ...path];
  }
  return null;
}

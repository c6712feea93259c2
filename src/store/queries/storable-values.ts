/**
 * Throws for a value that SQLite and PostgreSQL would not store identically. SQLite's binding
 * treats a date or an object as named parameters, and both databases misinterpret undefined, NaN
 * and booleans.
 */
export function assertStorable(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'bigint') continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    if (value instanceof Uint8Array) continue;
    // The message omits the value, which must not appear in a log.
    throw new TypeError(`A query parameter is a ${typeof value}, which the store cannot hold`);
  }
}

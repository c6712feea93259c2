/**
 * Only what SQLite and PostgreSQL store alike. SQLite's binding would take a date or an object for named parameters, and
 * either database undefined, NaN and booleans for something else than was meant.
 */
export function checkParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (value === null || typeof value === 'string' || typeof value === 'bigint') continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    if (value instanceof Uint8Array) continue;
    // Without the value: what is logged of it is nobody's words.
    throw new TypeError(`A query parameter is a ${typeof value}, which the store does not hold`);
  }
}

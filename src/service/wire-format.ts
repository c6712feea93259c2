// Answers give instants as ISO 8601 in UTC with milliseconds.

export const toIso = (at: number): string => new Date(at).toISOString();

export const toIsoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at));

/** Removes floating-point rounding errors: 3 x 0.1 is 0.3, not 0.30000000000000004. */
export const roundRate = (rate: number | null): number | null =>
  rate === null ? null : Number(rate.toPrecision(12));

/** How values leave the house: instants as ISO 8601 UTC with milliseconds, amounts with at most 3 decimals. */

export const isoOf = (at: number): string => new Date(at).toISOString();

export const isoOrNull = (at: number | null): string | null => (at === null ? null : isoOf(at));

export const rounded = (value: number): number => Math.round(value * 1000) / 1000;

export const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value));

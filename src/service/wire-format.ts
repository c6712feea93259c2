/** Instants travel as ISO 8601 UTC with milliseconds, amounts with at most 3 decimals. */

export const toIso = (at: number): string => new Date(at).toISOString();

export const toIsoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at));

export const roundAmount = (value: number): number => Math.round(value * 1000) / 1000;

export const roundAmountOrNull = (value: number | null): number | null => (value === null ? null : roundAmount(value));

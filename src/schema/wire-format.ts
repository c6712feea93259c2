// Answers give instants as ISO 8601 in UTC with milliseconds.

export const toIso = (at: number): string => new Date(at).toISOString();

export const parseInstantOrNull = (text: string | null): number | null =>
  text === null ? null : Date.parse(text);

export const toIsoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at));

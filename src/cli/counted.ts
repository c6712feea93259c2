import { nounFor } from '../domain/english.ts';

/** A noun after its number, for a terminal: the thousands stand apart. */
export const counted = (count: number, one: string, several?: string): string =>
  `${count.toLocaleString('en-US')} ${nounFor(count, one, several)}`;

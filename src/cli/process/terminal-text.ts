import { englishNoun } from '../../language/en/grammar.ts';

/** A noun after its number, for a terminal: the thousands stand apart. */
export const formatTerminalCount = (count: number, one: string, several?: string): string =>
  `${count.toLocaleString('en-US')} ${englishNoun(count, one, several)}`;

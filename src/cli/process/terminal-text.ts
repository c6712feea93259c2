import { englishNoun } from '../../language/en/grammar.ts';

/** With a thousands separator. */
export const formatTerminalCount = (count: number, one: string, several?: string): string =>
  `${count.toLocaleString('en-US')} ${englishNoun(count, one, several)}`;

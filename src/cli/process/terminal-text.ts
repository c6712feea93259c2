import { englishNoun } from '../../language/en/grammar.ts';

export const formatTerminalCount = (count: number, one: string, several?: string): string =>
  `${count.toLocaleString('en-US')} ${englishNoun(count, one, several)}`;

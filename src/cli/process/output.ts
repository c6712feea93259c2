import { englishNoun } from '../../language/en/grammar.ts';

// A closed reader ("| head") ends the output, not the work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

export const print = (text: string): boolean => process.stdout.write(text);

export const flushOutput = (): Promise<void> => new Promise((resolve) => process.stdout.write('', () => resolve()));

export const formatTerminalCount = (count: number, one: string, several?: string): string =>
  `${count.toLocaleString('en-US')} ${englishNoun(count, one, several)}`;

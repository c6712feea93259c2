// A reader that has seen enough ("| head") ends the output, not the work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** Writes to standard output: the one way for a command that does not speak MCP there. */
export const print = (text: string): boolean => process.stdout.write(text);

/** Resolves when all that was printed is on its way. */
export const flushOutput = (): Promise<void> => new Promise((resolve) => process.stdout.write('', () => resolve()));

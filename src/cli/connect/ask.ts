import { createInterface } from 'node:readline/promises';

/** Asks a question on the terminal; without an answer, or with any but yes, it is no. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^\s*(y|yes|o|oui)\s*$/i.test(answer);
  } finally {
    terminal.close();
  }
}

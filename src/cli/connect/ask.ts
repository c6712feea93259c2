import { createInterface } from 'node:readline/promises';

/** Asks a question on the terminal; without an answer, or with any but yes, it is no. */
export async function isAgreed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const unanswered = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), unanswered]);
    return /^\s*(y|yes|o|oui)\s*$/i.test(answer);
  } finally {
    terminal.close();
  }
}

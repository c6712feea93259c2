import { createInterface } from 'node:readline';
import { saysYes } from '../../language/words/yes.ts';
import { printError } from './output.ts';

export interface Terminal {
  /** False if the answers come from a file or another program, which cannot answer again. */
  readonly isInteractive: boolean;
  /** Null at the end of the input, and after Ctrl-C. */
  ask(question: string): Promise<string | null>;
  close(): void;
}

/** Questions go to standard error: standard output may be saved. */
export function openTerminal(): Terminal {
  const isInteractive = process.stdin.isTTY === true;
  const input = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: isInteractive,
  });

  const lines: string[] = [];
  let isOver = false;
  let onLine: (() => void) | null = null;
  const wake = (): void => onLine?.();

  input.on('line', (line) => {
    lines.push(line);
    wake();
  });
  input.on('SIGINT', () => input.close());
  input.on('close', () => {
    isOver = true;
    wake();
  });

  return {
    isInteractive,
    async ask(question) {
      input.setPrompt(question);
      if (isOver) process.stderr.write(question);
      else input.prompt();

      while (lines.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          onLine = resolve;
        });

      const answer = lines.shift() ?? null;
      // A terminal has already echoed the answer.
      if (!isInteractive || answer === null) printError(`${answer ?? ''}\n`);

      return answer;
    },
    close: () => input.close(),
  };
}

export async function confirm(
  terminal: Terminal,
  question: string,
  isDefaultYes = false,
  choice = isDefaultYes ? '[Y/n]' : '[y/N]',
): Promise<boolean> {
  const answer = (await terminal.ask(`${question} ${choice} `))?.trim();
  if (answer === '') return isDefaultYes;
  return answer !== undefined && saysYes(answer);
}

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
): Promise<boolean> {
  const answer = (await terminal.ask(`${question} ${isDefaultYes ? '[Y/n]' : '[y/N]'} `))?.trim();
  if (answer === '') return isDefaultYes;
  return answer !== undefined && saysYes(answer);
}

const LINE_EVERY_MS = 10_000;

export interface ProgressDisplay {
  advance(amount: number): void;
  update(detail: string): void;
  end(): void;
}

interface ProgressTotal {
  readonly name: string;
  /** Null if it is unknown. */
  readonly size: number | null;
  formatShare(completed: number, size: number): string;
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** A bar in a terminal, and elsewhere a line every ten seconds. */
export async function showProgress(out: Output, total: ProgressTotal): Promise<ProgressDisplay> {
  const { name, size, formatShare } = total;
  let completed = 0;

  const describe = (detail: string): string => {
    const share = size === null ? '' : formatShare(Math.min(completed, size), size);
    return [share, detail].filter((part) => part !== '').join(', ');
  };

  const display =
    out.isTTY && size !== null && size > 0 ? await showBar(out, name, size) : logLines(out, name);
  return {
    advance: (amount) => {
      completed += amount;
    },
    update: (detail) => display.update(completed, describe(detail)),
    end: display.end,
  };
}

interface Display {
  update(completed: number, text: string): void;
  end(): void;
}

async function showBar(out: Output, name: string, size: number): Promise<Display> {
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar({
    stream: out,
    format: '{name} [{bar}] {percentage} % | {text} | {eta_formatted} left',
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(size, 0, { name, text: '' });

  let isOver = false;
  return {
    update: (completed, text) => bar.update(Math.min(completed, size), { text }),
    end: () => {
      if (!isOver) bar.stop();
      isOver = true;
    },
  };
}

function logLines(out: Output, name: string): Display {
  let last = performance.now();
  return {
    update: (_, text) => {
      if (performance.now() - last < LINE_EVERY_MS) return;
      last = performance.now();
      out.write(`${name}: ${text}\n`);
    },
    end: () => undefined,
  };
}

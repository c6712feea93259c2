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
  let loggedAtMs = performance.now();
  return {
    update: (_, text) => {
      if (performance.now() - loggedAtMs < LINE_EVERY_MS) return;
      loggedAtMs = performance.now();
      out.write(`${name}: ${text}\n`);
    },
    end: () => undefined,
  };
}

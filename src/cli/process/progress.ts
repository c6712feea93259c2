const LINE_EVERY_MS = 10_000;

export interface ProgressDisplay<Figures extends { rows: number }> {
  advance(amount: number): void;
  update(figures: Figures): void;
  end(): void;
}

export async function showProgress<Figures extends { rows: number }>(
  out: NodeJS.WritableStream & { readonly isTTY?: boolean },
  { name, size }: { name: string; size: number | null },
  say: (figures: Figures) => string,
): Promise<ProgressDisplay<Figures>> {
  return out.isTTY && size !== null && size > 0 ? showBar(out, name, size) : logLines(out, name, say);
}

async function showBar(
  out: NodeJS.WritableStream,
  name: string,
  size: number,
): Promise<ProgressDisplay<{ rows: number }>> {
  const { default: progress } = await import('cli-progress');
  const shown = new progress.SingleBar({
    stream: out,
    format: '{name} [{bar}] {percentage} % | {rows} rows | {eta_formatted} left',
    clearOnComplete: true,
    hideCursor: true,
  });
  shown.start(size, 0, { name, rows: 0 });
  let completed = 0;
  let isOver = false;
  return {
    advance: (amount) => {
      completed += amount;
    },
    update: ({ rows }) => shown.update(Math.min(completed, size), { rows }),
    end: () => {
      if (!isOver) shown.stop();
      isOver = true;
    },
  };
}

function logLines<Figures extends { rows: number }>(
  out: NodeJS.WritableStream,
  name: string,
  say: (figures: Figures) => string,
): ProgressDisplay<Figures> {
  let last = performance.now();
  return {
    advance: () => undefined,
    update: (figures) => {
      if (performance.now() - last < LINE_EVERY_MS) return;
      last = performance.now();
      out.write(`${name}: ${say(figures)}\n`);
    },
    end: () => undefined,
  };
}

/** Pause between two lines of progress where no terminal shows a bar, in ms. */
const LINE_EVERY_MS = 10_000;

/** How far an import is, told while it runs. */
export interface ImportProgress {
  /** Bytes were read. */
  read(bytes: number): void;
  done(figures: { rows: number; readings: number }): void;
  /** Takes the bar away; once is enough, twice does no harm. */
  end(): void;
}

/** A bar on a terminal where the size (in bytes) is known, else a line now and then. */
export async function showProgress(
  out: NodeJS.WritableStream & { readonly isTTY?: boolean },
  name: string,
  size: number | null,
): Promise<ImportProgress> {
  return out.isTTY && size !== null && size > 0 ? bar(out, name, size) : lines(out, name);
}

async function bar(out: NodeJS.WritableStream, name: string, size: number): Promise<ImportProgress> {
  const { default: progress } = await import('cli-progress');
  const shown = new progress.SingleBar({
    stream: out,
    format: '{name} [{bar}] {percentage} % | {rows} rows | {eta_formatted} left',
    clearOnComplete: true,
    hideCursor: true,
  });
  shown.start(size, 0, { name, rows: 0 });
  let bytes = 0;
  let isOver = false;
  return {
    read: (count) => {
      bytes += count;
    },
    done: ({ rows }) => shown.update(bytes, { rows }),
    end: () => {
      if (!isOver) shown.stop();
      isOver = true;
    },
  };
}

function lines(out: NodeJS.WritableStream, name: string): ImportProgress {
  let last = performance.now();
  return {
    read: () => undefined,
    done: ({ rows, readings }) => {
      if (performance.now() - last < LINE_EVERY_MS) return;
      last = performance.now();
      out.write(`${name}: ${rows} rows read, ${readings} readings written\n`);
    },
    end: () => undefined,
  };
}

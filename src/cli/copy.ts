import { AcequiaError } from '../schema/error.ts';
import { shownPlace } from '../store/address.ts';
import { type CopyWatch, compareStores, copyStore, type Ends } from '../store/copy/copy.ts';
import { lazyLog } from './log.ts';
import { print } from './output.ts';
import { type Progress, showProgress } from './progress.ts';
import { sayCopy, sayDifferences } from './say-copy.ts';
import { sayRefusal } from './say-refusal.ts';
import type { Settings } from './settings.ts';

const DONE = 0;
const FAILED = 1;

const STEPS = { copy: 'copying', check: 'checking' } as const;

/**
 * Copies a store, or only compares two, and prints the figures of every table. Returns the exit code: 1 where it failed or
 * was stopped, and where the two differ.
 */
export async function runCopy(
  ends: Ends,
  { isCheck }: { isCheck: boolean },
  { logLevel }: Pick<Settings, 'logLevel'>,
): Promise<number> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const shown = new Shown();
  const watch = { ...shown.watch, signal: stopping.signal };
  try {
    const { figures, differing } = await (isCheck ? compareStores : copyStore)(ends, watch);
    await shown.end();
    const places = { from: shownPlace(ends.from), to: shownPlace(ends.to), isCheck };
    if (differing.length > 0) process.stderr.write(sayDifferences(differing, places));
    else print(sayCopy(figures, places));
    return differing.length > 0 ? FAILED : DONE;
  } catch (error) {
    await shown.end();
    const goesOn = shown.hasBegun && !isCheck;
    process.stderr.write(await sayFailure(error, { isStopped: stopping.signal.aborted, goesOn, logLevel }));
    return FAILED;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

interface Ended extends Pick<Settings, 'logLevel'> {
  readonly isStopped: boolean;
  /** Whether the same command would find a copy that was begun. */
  readonly goesOn: boolean;
}

async function sayFailure(error: unknown, { isStopped, goesOn, logLevel }: Ended): Promise<string> {
  const next = goesOn ? 'What was copied stays: run the same command again, and it goes on there.\n' : '';
  if (error instanceof AcequiaError) return `${sayRefusal(error)}${next}`;
  if (isStopped) return `Stopped before the end.\n${next}`;
  const reference = await lazyLog(logLevel).failure(error);
  return `The copy failed inside; the log has it under ${reference}.\n${next}`;
}

/** How far it is, on standard error: a step after the other. */
class Shown {
  #progress: Promise<Progress<{ rows: number }>> | undefined;
  #rows = 0;

  get hasBegun(): boolean {
    return this.#progress !== undefined;
  }

  readonly watch: Pick<CopyWatch, 'onStep' | 'onRows'> = {
    onStep: (step, rows) => {
      const before = this.end();
      this.#rows = 0;
      const named = { name: STEPS[step], size: rows };
      this.#progress = before.then(() => showProgress(process.stderr, named, (done) => `${done.rows} rows`));
    },
    onRows: (count) => {
      this.#rows += count;
      const rows = this.#rows;
      void this.#progress?.then((progress) => {
        progress.read(count);
        progress.done({ rows });
      });
    },
  };

  async end(): Promise<void> {
    (await this.#progress)?.end();
  }
}

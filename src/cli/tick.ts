import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { AcequiaError, refuse, storeUnavailable } from '../schema/error.ts';
import { tick } from '../service/housekeeping.ts';
import { openStore, type Store } from '../store/store.ts';
import { print } from './output.ts';
import type { Settings } from './settings.ts';

export interface TickOptions {
  /** Instant to step the clock to, in ms. */
  readonly until?: number | undefined;
  /** Width of a step, in ms. */
  readonly every?: number | undefined;
}

/** How often a lease that another holds is asked for again, in ms. */
const ASK_AGAIN_MS = 250;
const DEFAULT_STEP_MS = 3_600_000;

const count = (amount: number, what: string): string => `${amount} ${what}${amount === 1 ? '' : 's'}`;

/** Housekeeping once, or at every step up to an instant. Waits while another holds the lease. Returns the exit code. */
export async function runTick(options: TickOptions, settings: Settings): Promise<number> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let store: Store | undefined;
  try {
    if (!existsSync(settings.db))
      throw storeUnavailable(`There is no store ${settings.db}.`, 'Name the file with --db or ACEQUIA_DB.');
    const from = settings.clock();
    refuseUsage(options, from);
    store = await openStore({ file: settings.db });
    const total = { produced: 0, flipped: 0, forgotten: 0 };
    for (const now of steps(from, options)) {
      const done = await ticked(store, now, stopping.signal);
      total.produced += done.produced;
      total.flipped += done.flipped;
      total.forgotten += done.forgotten;
      if (stopping.signal.aborted) break;
    }
    print(
      `${count(total.produced, 'planned watering')} produced, ${count(total.flipped, 'past one')} counted as done, ${count(total.forgotten, 'expired idempotency record')} forgotten.\n`,
    );
    return stopping.signal.aborted ? 1 : 0;
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    process.stderr.write(`${error.message}\n${error.hint ? `${error.hint}\n` : ''}`);
    return error.code === 'invalid_parameter' ? 2 : 1;
  } finally {
    await store?.close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function refuseUsage({ until, every }: TickOptions, now: number): void {
  const usage = (message: string, hint: string) => refuse('invalid_parameter', message, { hint });
  if (until === undefined && every !== undefined)
    throw usage('--every steps towards an instant, and none is given.', 'Give --until too.');
  if (until !== undefined && until < now)
    throw usage('--until lies before the clock.', 'Give a later instant, or start the clock earlier with --clock.');
}

/** The instants to keep the books at: now alone, or from now by steps to `until`, which is the last. */
function* steps(now: number, { until, every = DEFAULT_STEP_MS }: TickOptions): Generator<number> {
  if (until === undefined) yield now;
  else {
    for (let at = now; at < until; at += every) yield at;
    yield Math.max(now, until);
  }
}

async function ticked(store: Store, now: number, signal: AbortSignal) {
  const holder = randomUUID();
  const total = { produced: 0, flipped: 0, forgotten: 0 };
  for (;;) {
    const done = await tick(store, { now, holder, signal });
    total.produced += done.produced;
    total.flipped += done.flipped;
    total.forgotten += done.forgotten;
    if (!done.isHeld || signal.aborted) return total;
    await pause(ASK_AGAIN_MS * (0.5 + Math.random()));
  }
}

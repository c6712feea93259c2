import type { PullProviderName } from '../../../domain/ingest/import-options.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/periods.ts';
import type { IngestResult } from '../../../schema/ingest/ingest-batch.ts';
import { movePullMark, pulledUntil } from '../../../store/ingest/pull-marks.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { IngestBatch } from '../batch-ingest.ts';
import { createReadingTimeParser } from '../reading-times.ts';
import { type Credentials, type PullProvider, pullProviders } from './providers.ts';

/**
 * Each pull begins this long before the end of the last one, because readings reach the cloud out
 * of order.
 */
const OVERLAP_MS = 3 * HOUR_MS;
/**
 * Readings that reach the cloud later than this are not pulled. Without a limit, the period to pull
 * for a silent logger would grow without end.
 */
const LATEST_ARRIVAL_MS = 7 * DAY_MS;

export interface PullContext {
  readonly provider: PullProviderName;
  readonly credentials: Credentials;
  readonly zone: string;
  readonly clock: () => number;
  /** The body of an answer; throws if there is none after some attempts. */
  fetch(path: string, headers: Readonly<Record<string, string>>): Promise<Uint8Array>;
  pause(ms: number): Promise<void>;
  read<T>(body: (db: CompanyDb) => Promise<T>): Promise<T>;
  write(batch: IngestBatch, alongside: (db: CompanyDb) => Promise<void>): Promise<IngestResult>;
  readonly signal: AbortSignal;
}

interface PullStart {
  /** Where to start for a device that was never pulled, in ms. */
  readonly since: number;
  /** True to start there even if the device was pulled before. */
  readonly isAgain: boolean;
}

export interface PullCounts {
  requests: number;
  written: number;
  changed: number;
  unchanged: number;
  refused: number;
  kept: number;
  missing: number;
  /** Day totals that are lower than an earlier total of the same day, and not stored. */
  lower: number;
  /** The instant of the newest reading; null without any. */
  newestAt: number | null;
}

/**
 * Pulls from where the last pull stopped until now. Readings stay stored even if a later request
 * fails.
 */
export async function pullDevice(
  context: PullContext,
  device: string,
  start: PullStart,
): Promise<PullCounts> {
  const { clock, signal } = context;
  const provider = pullProviders[context.provider];
  const pull = { provider: context.provider, device };
  const pulledUntilAt = start.isAgain ? null : await context.read((db) => pulledUntil(db, pull));
  const counts: PullCounts = {
    requests: 0,
    written: 0,
    changed: 0,
    unchanged: 0,
    refused: 0,
    kept: 0,
    missing: 0,
    lower: 0,
    newestAt: null,
  };

  let from = pulledUntilAt === null ? start.since : pulledUntilAt - OVERLAP_MS;
  const now = clock();
  while (from < now && !signal.aborted) {
    const to = Math.min(from + provider.windowMs, now);
    await pullWindow(context, provider, device, { from, to }, counts);
    from = to;
  }

  return counts;
}

async function pullWindow(
  context: PullContext,
  provider: PullProvider,
  device: string,
  { from, to }: { readonly from: number; readonly to: number },
  counts: PullCounts,
): Promise<void> {
  const pull = { provider: context.provider, device };
  for (let page = 1, hasNextPage = true; hasNextPage && !context.signal.aborted; page++) {
    if (counts.requests > 0) await context.pause(provider.pauseMs);
    if (context.signal.aborted) return;

    const { path, headers } = provider.request(
      device,
      { from, to, page },
      context.credentials,
      context.zone,
    );
    const body = await context.fetch(path, headers);

    counts.requests++;
    const {
      missing,
      hasNextPage: hasMore,
      ...batch
    } = provider.read(body, device, { from, zone: context.zone, now: context.clock() });
    hasNextPage = hasMore;

    const newestAt = newestOf([...batch.readings, ...batch.rain, ...batch.weather], context);
    const until = Math.max(newestAt ?? 0, to - LATEST_ARRIVAL_MS);
    const result = await context.write(batch, (db) => movePullMark(db, pull, until));
    addCounts(counts, result, missing);
    if (newestAt !== null) counts.newestAt = Math.max(counts.newestAt ?? 0, newestAt);
  }
}

function newestOf(rows: readonly object[], { zone, clock }: PullContext): number | null {
  const times = createReadingTimeParser(zone, clock());
  let newest: number | null = null;
  for (const { time } of rows as readonly { time: string }[]) {
    const at = times.parse(time);
    if (!Number.isNaN(at) && at <= clock() && (newest === null || at > newest)) newest = at;
  }
  return newest;
}

function addCounts(counts: PullCounts, { readings, rain }: IngestResult, missing: number): void {
  counts.written += readings.written;
  counts.changed += readings.changed;
  counts.unchanged += readings.unchanged;
  counts.refused += readings.refused;
  counts.kept += readings.kept ?? 0;
  counts.missing += missing;
  counts.lower += rain?.lower ?? 0;
}

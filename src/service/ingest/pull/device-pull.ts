import type { PullProviderName } from '../../../domain/ingest/import-options.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/periods.ts';
import type { IngestResult } from '../../../schema/ingest/ingest-batch.ts';
import { movePullMark, pulledUntil } from '../../../store/ingest/pull-marks.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { IngestBatch } from '../batch/batch-ingest.ts';
import { type RejectedValue, rejectedValueCount } from '../payload/message-items.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import type { Credentials, PulledItems, PullProvider, PullWindow } from './provider.ts';
import { pullProviders } from './providers.ts';

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
  /** Runs `alongside` in the same transaction. */
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
  rejected: number;
  readonly reasons: Set<string>;
  /** New readings of devices that are not assigned. */
  storedUnassigned: number;
  /** Values that stand for a failed measurement. */
  failedMeasurements: number;
  /** Totals of a day below an earlier one, which stays, and late running totals. */
  staleTotals: number;
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
    rejected: 0,
    reasons: new Set(),
    storedUnassigned: 0,
    failedMeasurements: 0,
    staleTotals: 0,
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
  { from, to }: Omit<PullWindow, 'page'>,
  counts: PullCounts,
): Promise<void> {
  const { credentials, zone, clock, signal } = context;
  const pull = { provider: context.provider, device };

  for (let page = 1, hasNextPage = true; hasNextPage && !signal.aborted; page++) {
    if (counts.requests > 0) await context.pause(provider.pauseMs);
    if (signal.aborted) return;

    const request = provider.request(device, { from, to, page }, credentials, zone);
    const body = await context.fetch(request.path, request.headers);
    counts.requests++;
    const items = provider.read(body, device, { from, zone, now: clock() });
    hasNextPage = items.hasNextPage;

    const newestAt = newestOf(items, context);
    const until = Math.max(newestAt ?? 0, to - LATEST_ARRIVAL_MS);
    const { readings, rain, weather, devices, rejectedValues } = items;
    const unread = rejectedValues.map(({ sender, reason }) => ({
      sender,
      via: pull.provider,
      reason,
    }));
    const source = pull.provider;
    const batch = { readings, rain, weather, devices, unread, source };
    const result = await context.write(batch, (db) => movePullMark(db, pull, until));

    addCounts(counts, result, rejectedValues);
    counts.failedMeasurements += items.failedMeasurements;
    if (newestAt !== null) counts.newestAt = Math.max(counts.newestAt ?? 0, newestAt);
  }
}

function newestOf(
  { readings, rain, weather }: PulledItems,
  { zone, clock }: PullContext,
): number | null {
  const now = clock();
  const times = new ReadingTimeParser({ zone, now });
  let newest: number | null = null;
  for (const { time } of [...readings, ...rain, ...weather]) {
    const at = times.parse(time);
    if (!Number.isNaN(at) && at <= now && (newest === null || at > newest)) newest = at;
  }
  return newest;
}

function addCounts(
  counts: PullCounts,
  { readings, rain, reasons }: IngestResult,
  rejectedValues: readonly RejectedValue[],
): void {
  counts.written += readings.written;
  counts.changed += readings.changed;
  counts.unchanged += readings.unchanged;
  counts.rejected += readings.refused + rejectedValueCount(rejectedValues);
  for (const { reason } of reasons) counts.reasons.add(reason);
  for (const { reason } of rejectedValues) counts.reasons.add(reason.text);
  counts.storedUnassigned += readings.storedUnassigned;
  counts.staleTotals += rain.staleTotals;
}

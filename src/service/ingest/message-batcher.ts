import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../domain/periods.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { DeviceRow, IngestResult } from '../../schema/ingest/ingest-batch.ts';
import type { PayloadMap } from '../../schema/ingest/payload-map.ts';
import { readPayload } from './payload/read-payload.ts';

/**
 * A wrong key or address is permanent only until the first success; later it may work again without
 * a restart.
 */
const isPermanentFailure = (error: unknown, hasSucceeded: boolean): boolean =>
  error instanceof AcequiaError &&
  error.status < 500 &&
  ![408, 429].includes(error.status) &&
  !(hasSucceeded && [401, 403, 404].includes(error.status));

const isBatchTooLarge = (error: unknown): boolean =>
  error instanceof AcequiaError && error.status === 413;

const MAX_MESSAGES_PER_BATCH = 300;
const MAX_READINGS_PER_BATCH = 20_000;
const MAX_BATCH_AGE_MS = 200;

/**
 * A broker limits the messages in flight: when none arrives for this long, it may be waiting for
 * acknowledgements.
 */
const QUIET_MS = 20;

/** Messages in memory; beyond this, `enqueue` waits. */
const MAX_PENDING = 5_000;

/** Pauses between retries double, from the first to the longest. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = MINUTE_MS;

export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly isRetained: boolean;
  acknowledge(): void;
}

export interface DeadLetter {
  readonly topic: string;
  readonly reason: string;
  readonly row?: string;
}

interface BatchRows {
  readonly readings: readonly object[];
  readonly rain: readonly object[];
  readonly weather: readonly object[];
  readonly gateways: readonly object[];
  readonly devices: readonly DeviceRow[];
}

export interface MessageBatcherOptions {
  readonly map: PayloadMap;
  readonly clock: () => number;
  readonly write: (batch: Partial<BatchRows>) => Promise<IngestResult>;
  readonly onDeadLetter: (letter: DeadLetter) => void;
  readonly onRetry: (error: unknown, pauseMs: number) => void;
  readonly onPermanentFailure: (error: unknown) => void;
}

export interface MessageCounts {
  readonly messages: number;
  readonly written: number;
  readonly changed: number;
  readonly unchanged: number;
  /** New or changed rain, wind and radiation. */
  readonly weather: number;
  readonly deadLetters: number;
  /** Messages that no rule reads, or that were retained or simulated. */
  readonly ignored: number;
  /** Values that stand for a failed measurement. */
  readonly missing: number;
  /** Readings of devices that are not assigned, kept by the store. */
  readonly kept: number;
  /** Day totals that are lower than an earlier total of the same day, and not stored. */
  readonly lower: number;
}

/** Acknowledges messages in order, each once it is stored or rejected as a dead letter. */
interface MessageBatcher {
  enqueue(message: BrokerMessage): Promise<void>;
  readonly counts: MessageCounts;
  close(): Promise<void>;
}

interface PendingMessage extends BatchRows {
  readonly message: BrokerMessage;
}

export function createMessageBatcher({
  map,
  clock,
  write,
  onDeadLetter,
  onRetry,
  onPermanentFailure,
}: MessageBatcherOptions): MessageBatcher {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pending: PendingMessage[] = [];
  const counts = {
    messages: 0,
    written: 0,
    changed: 0,
    unchanged: 0,
    weather: 0,
    deadLetters: 0,
    ignored: 0,
    missing: 0,
    kept: 0,
    lower: 0,
  };

  const blockedEnqueues: (() => void)[] = [];
  let running: Promise<void> | null = null;
  let isClosed = false;
  let hasWritten = false;

  function reportDeadLetter(letter: DeadLetter): void {
    counts.deadLetters++;
    onDeadLetter(letter);
  }

  async function run(): Promise<void> {
    while (pending.length > 0) {
      await untilBatchReady();
      if (!(await writeBatch(firstBatch(pending)))) return;
    }
  }

  async function untilBatchReady(): Promise<void> {
    const startedAt = performance.now();

    const isReady = () =>
      signal.aborted ||
      pending.length >= MAX_MESSAGES_PER_BATCH ||
      performance.now() - startedAt >= MAX_BATCH_AGE_MS;

    while (!isReady()) {
      const before = pending.length;
      await sleep(QUIET_MS);
      if (pending.length === before) return;
    }
  }

  async function writeBatch(batch: readonly PendingMessage[]): Promise<boolean> {
    try {
      const result = await writeWithRetries(batch);
      if (result === null) return false;
      hasWritten = true;
      count(batch, result);
    } catch (error) {
      if (!isBatchTooLarge(error)) throw error;
      const half = Math.ceil(batch.length / 2);
      if (batch.length > 1)
        return (await writeBatch(batch.slice(0, half))) && writeBatch(batch.slice(half));
      counts.messages++;
      reportDeadLetter({
        topic: batch[0]!.message.topic,
        reason: 'this message alone is larger than the service accepts',
      });
    }

    pending.splice(0, batch.length);
    for (const { message } of batch) message.acknowledge();
    for (const resume of blockedEnqueues.splice(0)) resume();

    return true;
  }

  async function writeWithRetries(batch: readonly PendingMessage[]): Promise<IngestResult | null> {
    const rows = {
      readings: batch.flatMap(({ readings }) => readings),
      // A service of an earlier version refuses lists that it does not know.
      ...withRows('rain', batch),
      ...withRows('weather', batch),
      gateways: batch.flatMap(({ gateways }) => gateways),
      devices: lastOfEach(batch.flatMap(({ devices }) => devices)),
    };
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return await write(rows);
      } catch (error) {
        if (isBatchTooLarge(error) || isPermanentFailure(error, hasWritten)) throw error;
        if (signal.aborted) return null;
        onRetry(error, pause);
        await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(
          () => undefined,
        );
      }
    }
  }

  function count(
    batch: readonly PendingMessage[],
    { readings, rain, weather, gateways, refused }: IngestResult,
  ): void {
    counts.messages += batch.length;
    counts.written += readings.written;
    counts.changed += readings.changed;
    counts.unchanged += readings.unchanged;
    // A service of an earlier version does not send this count.
    counts.kept += readings.kept ?? 0;
    counts.lower += rain?.lower ?? 0;
    counts.weather += (rain?.written ?? 0) + (rain?.changed ?? 0) + (weather?.written ?? 0);
    for (const { place, reason, given } of refused)
      reportDeadLetter({ topic: messageOfRow(batch, place).topic, reason, row: given });
    counts.deadLetters +=
      readings.refused +
      (rain?.refused ?? 0) +
      (weather?.refused ?? 0) +
      gateways.refused -
      refused.length;
  }

  return {
    counts,
    async enqueue(message) {
      if (isClosed) return;

      const parsed = readPayload(map, message, clock());
      if ('refused' in parsed) reportDeadLetter({ topic: message.topic, reason: parsed.refused });
      else if ('empty' in parsed) reportDeadLetter({ topic: message.topic, reason: parsed.empty });
      else if ('ignored' in parsed) counts.ignored++;
      else counts.missing += parsed.missing;

      pending.push({ message, ...NO_ROWS, ...('readings' in parsed && parsed) });
      running ??= run()
        .catch((error) => {
          isClosed = true;
          onPermanentFailure(error);
        })
        .finally(() => {
          running = null;
        });
      if (pending.length >= MAX_PENDING)
        await new Promise<void>((resolve) => blockedEnqueues.push(resolve));
    },
    async close() {
      isClosed = true;
      stopping.abort();
      await running;
      for (const resume of blockedEnqueues.splice(0)) resume();
    },
  };
}

const NO_ROWS: BatchRows = { readings: [], rain: [], weather: [], gateways: [], devices: [] };

function withRows(list: 'rain' | 'weather', batch: readonly PendingMessage[]): Partial<BatchRows> {
  const rows = batch.flatMap((each) => each[list]);
  return rows.length === 0 ? {} : { [list]: rows };
}

function lastOfEach(devices: readonly DeviceRow[]): DeviceRow[] {
  const rows = new Map<string, DeviceRow>();
  for (const row of devices) rows.set(row.device, { ...rows.get(row.device), ...row });
  return [...rows.values()];
}

function firstBatch(pending: readonly PendingMessage[]): PendingMessage[] {
  let rows = 0;
  const end = pending.findIndex(({ readings }, index) => {
    rows += readings.length;
    return index === MAX_MESSAGES_PER_BATCH || (index > 0 && rows > MAX_READINGS_PER_BATCH);
  });
  return pending.slice(0, end === -1 ? pending.length : end);
}

/** `rowPath` counts through all messages: "readings[3]" is the fourth reading of the batch. */
function messageOfRow(batch: readonly PendingMessage[], rowPath: string): BrokerMessage {
  const [, list, index] = /^(readings|rain|weather|gateways)\[(\d+)\]$/.exec(rowPath)!;
  const rowsOf = (each: PendingMessage) =>
    each[list as 'readings' | 'rain' | 'weather' | 'gateways'];
  let before = 0;
  return batch.find((each) => {
    before += rowsOf(each).length;
    return Number(index) < before;
  })!.message;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { newTimeSlice, yieldOrCancel } from '../../domain/event-loop.ts';
import { firstOf } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { IngestResult } from '../../schema/ingest/ingest-batch.ts';
import type { UnreadItem } from '../../schema/ingest/ingest-items.ts';
import type { PayloadMap } from '../../schema/ingest/payload-map.ts';
import { HourlyTopics } from './hourly-topics.ts';
import {
  type BrokerMessage,
  firstBatch,
  type ItemLists,
  itemsOfBatch,
  MAX_MESSAGES_PER_BATCH,
  messageOfItem,
  type PendingMessage,
} from './message-batch.ts';
import { type RejectedValue, rejectedValueCount } from './payload/message-items.ts';
import { TopicValues } from './payload/topic-values.ts';
import { readInSlices } from './payload/unread-message.ts';

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

/** From half of the pause to all of it, so that batchers do not retry in step. */
const withJitter = (pauseMs: number): number => pauseMs * (0.5 + Math.random() / 2);

export interface DeadLetter {
  readonly topic: string;
  readonly reason: string;
  readonly row?: string;
}

const NO_ITEMS: ItemLists = {
  readings: [],
  rain: [],
  weather: [],
  gateways: [],
  devices: [],
  unread: [],
};

export interface MessageBatcherOptions {
  readonly map: PayloadMap;
  readonly clock: () => number;
  readonly write: (batch: ItemLists) => Promise<IngestResult>;
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
  readonly failedMeasurements: number;
  /** New readings of devices that are not assigned. */
  readonly storedUnassigned: number;
  /** Totals of a day below an earlier one, which stays, and late running totals. */
  readonly staleTotals: number;
}

/**
 * Writes messages in batches. Acknowledges them in order, each once it is stored or rejected as a
 * dead letter.
 */
export class MessageBatcher {
  readonly #options: MessageBatcherOptions;
  readonly #stopping = new AbortController();
  readonly #pending: PendingMessage[] = [];
  readonly #blockedEnqueues: (() => void)[] = [];
  readonly #counts = {
    messages: 0,
    written: 0,
    changed: 0,
    unchanged: 0,
    weather: 0,
    deadLetters: 0,
    ignored: 0,
    failedMeasurements: 0,
    storedUnassigned: 0,
    staleTotals: 0,
  };
  readonly #units: TopicValues;
  readonly #unreadTopics = new HourlyTopics();
  readonly #slice = newTimeSlice(() => yieldOrCancel(undefined));
  /** Resolves once all messages before are read, because they are stored in order. */
  #isRead: Promise<void> = Promise.resolve();
  #running: Promise<void> | null = null;
  #isClosed = false;
  #hasWritten = false;

  constructor(options: MessageBatcherOptions) {
    this.#options = options;
    this.#units = new TopicValues(options.map);
  }

  get counts(): MessageCounts {
    return this.#counts;
  }

  /** Resolves once the next message may be enqueued. */
  async enqueue(message: BrokerMessage): Promise<void> {
    if (this.#isClosed) return;

    const isRead = this.#isRead.then(() => this.#read(message));
    this.#isRead = isRead.catch(() => undefined);
    await isRead;
    if (this.#pending.length >= MAX_PENDING)
      await new Promise<void>((resolve) => this.#blockedEnqueues.push(resolve));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#isRead;
    this.#stopping.abort();
    await this.#running;
    this.#resumeEnqueues();
  }

  async #read(message: BrokerMessage): Promise<void> {
    const items = await this.#itemsOf(message);
    // Nothing is written after a permanent failure; `close` aborts only once all is read.
    if (this.#stopping.signal.aborted) return;
    this.#pending.push({ ...items, message });
    this.#running ??= this.#run();
  }

  /** No items if the message is ignored or rejected. */
  async #itemsOf(message: BrokerMessage): Promise<ItemLists> {
    if (this.#units.record(message)) {
      this.#counts.ignored++;
      return NO_ITEMS;
    }

    const { map, clock } = this.#options;
    const now = clock();
    const { parsed, unread } = await readInSlices(
      { map, message: { ...message, units: this.#units }, via: message.topic, now },
      this.#slice,
    );
    if (parsed.kind === 'ignored') return this.#ignored(message, unread, now);

    if (parsed.kind === 'items') {
      this.#counts.failedMeasurements += parsed.failedMeasurements;
      this.#reportRejectedValues(message, parsed.rejectedValues);
      const { readings, rain, weather, gateways, devices, source } = parsed;
      return { readings, rain, weather, gateways, devices, unread, source };
    }

    this.#reportDeadLetter({ topic: message.topic, reason: parsed.reason.text });
    return { ...NO_ITEMS, unread };
  }

  /** `unread` is set for a topic that no rule reads. */
  #ignored({ topic }: BrokerMessage, unread: readonly UnreadItem[], now: number): ItemLists {
    this.#counts.ignored++;
    const [item] = unread;
    if (item === undefined || !this.#unreadTopics.report(topic, now)) return NO_ITEMS;
    this.#options.onDeadLetter({ topic, reason: item.reason.text });
    return { ...NO_ITEMS, unread };
  }

  #reportRejectedValues({ topic }: BrokerMessage, rejectedValues: readonly RejectedValue[]): void {
    for (const { reason } of rejectedValues)
      this.#options.onDeadLetter({ topic, reason: reason.text });
    this.#counts.deadLetters += rejectedValueCount(rejectedValues);
  }

  #reportDeadLetter(letter: DeadLetter): void {
    this.#counts.deadLetters++;
    this.#options.onDeadLetter(letter);
  }

  async #run(): Promise<void> {
    try {
      await this.#writePending();
    } catch (error) {
      this.#isClosed = true;
      this.#stopping.abort();
      this.#options.onPermanentFailure(error);
    } finally {
      this.#running = null;
    }
  }

  async #writePending(): Promise<void> {
    while (this.#pending.length > 0) {
      await this.#untilBatchReady();
      if (!(await this.#writeBatch(firstBatch(this.#pending)))) return;
    }
  }

  async #untilBatchReady(): Promise<void> {
    const startedAt = performance.now();
    const isReady = () =>
      this.#stopping.signal.aborted ||
      this.#pending.length >= MAX_MESSAGES_PER_BATCH ||
      performance.now() - startedAt >= MAX_BATCH_AGE_MS;

    while (!isReady()) {
      const before = this.#pending.length;
      await sleep(QUIET_MS);
      // Messages that have arrived by now are of this batch.
      await this.#isRead;
      if (this.#pending.length === before) return;
    }
  }

  /**
   * Writes the first pending messages. Returns false if the batcher was closed before they could be
   * written.
   */
  async #writeBatch(batch: readonly PendingMessage[]): Promise<boolean> {
    try {
      const result = await this.#writeWithRetries(batch);
      if (result === null) return false;
      this.#hasWritten = true;
      this.#count(batch, result);
    } catch (error) {
      if (!isBatchTooLarge(error)) throw error;
      if (batch.length > 1) return this.#writeHalves(batch);
      this.#counts.messages++;
      this.#reportDeadLetter({
        topic: firstOf(batch).message.topic,
        reason: 'this message alone is larger than the service accepts',
      });
    }

    this.#pending.splice(0, batch.length);
    for (const { message } of batch) message.acknowledge();
    this.#resumeEnqueues();

    return true;
  }

  async #writeHalves(batch: readonly PendingMessage[]): Promise<boolean> {
    const half = Math.ceil(batch.length / 2);
    const isFirstHalfWritten = await this.#writeBatch(batch.slice(0, half));
    return isFirstHalfWritten && this.#writeBatch(batch.slice(half));
  }

  async #writeWithRetries(batch: readonly PendingMessage[]): Promise<IngestResult | null> {
    const items = itemsOfBatch(batch);
    const { signal } = this.#stopping;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return await this.#options.write(items);
      } catch (error) {
        if (isBatchTooLarge(error) || isPermanentFailure(error, this.#hasWritten)) throw error;
        if (signal.aborted) return null;

        this.#options.onRetry(error, pause);
        await sleep(withJitter(pause), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #count(batch: readonly PendingMessage[], result: IngestResult): void {
    const { readings, rain, weather, gateways, refused } = result;
    const counts = this.#counts;
    counts.messages += batch.length;
    counts.written += readings.written;
    counts.changed += readings.changed;
    counts.unchanged += readings.unchanged;
    counts.storedUnassigned += readings.storedUnassigned;
    counts.staleTotals += rain.staleTotals;
    counts.weather += rain.written + rain.changed + weather.written;

    for (const { location, reason, row } of refused)
      this.#reportDeadLetter({ topic: messageOfItem(batch, location).topic, reason, row });
    // Only the first of many rejected items are listed.
    const rejectedCount = readings.refused + rain.refused + weather.refused + gateways.refused;
    counts.deadLetters += rejectedCount - refused.length;
  }

  #resumeEnqueues(): void {
    for (const resume of this.#blockedEnqueues.splice(0)) resume();
  }
}

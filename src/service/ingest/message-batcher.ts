import { setTimeout as sleep } from 'node:timers/promises';
import { AcequiaError } from '../../schema/error.ts';
import type { IngestResult } from '../../schema/ingest-batch.ts';
import type { MqttMap } from '../../schema/mqtt-map.ts';
import { parseMqttMessage } from './mqtt-messages.ts';

/**
 * Whether waiting mends nothing. A key or an address that was never good for it is a mistake that is told at once; of one
 * that was, it may be so again: nobody may be there to start the intake anew.
 */
export const isPermanentFailure = (error: unknown, hasSucceeded: boolean): boolean =>
  error instanceof AcequiaError &&
  error.status < 500 &&
  ![408, 429].includes(error.status) &&
  !(hasSucceeded && [401, 403, 404].includes(error.status));

/** Whether less at once may be taken. */
export const isBatchTooLarge = (error: unknown): boolean => error instanceof AcequiaError && error.status === 413;

/** A batch is kept when it has so many messages or readings, or its first one has waited so long (ms). */
const MAX_MESSAGES_PER_BATCH = 300;
const MAX_READINGS_PER_BATCH = 20_000;
const MAX_BATCH_AGE_MS = 200;

/** A broker sends only so many messages ahead of their acknowledgement: where it falls silent, it may wait for us. */
const QUIET_MS = 20;

/** Messages that are held in memory at most; then no more are taken. */
const MAX_PENDING = 5_000;

/** Pauses before a batch that could not be kept is tried again, in ms: the first, twice as long each time, the longest. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** A message of a broker. */
export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Tells the broker that it need not be sent again. */
  acknowledge(): void;
}

/** Something of a message that could not be taken in. */
export interface DeadLetter {
  readonly topic: string;
  readonly reason: string;
  /** The row at fault, where it is not the whole message. */
  readonly row?: string;
}

export interface MessageBatcherOptions {
  readonly map: MqttMap;
  /** Now, in ms. */
  readonly clock: () => number;
  /** Keeps rows for good. */
  readonly write: (batch: { readings: readonly object[]; gateways: readonly object[] }) => Promise<IngestResult>;
  readonly onDeadLetter: (poison: DeadLetter) => void;
  /** Hears of a batch that could not be kept, and how long (ms) it waits now. */
  readonly onRetry: (error: unknown, pauseMs: number) => void;
  /** Hears of a refusal that no waiting mends; nothing is taken any more. */
  readonly onPermanentFailure: (error: unknown) => void;
}

export interface MessageCounts {
  readonly messages: number;
  /** New readings, those that replaced another value, those that stood already. */
  readonly written: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Messages, or rows of them, that could not be taken in. */
  readonly poison: number;
}

/** Brings messages in: each is acknowledged, in their order, once what it says is kept, or known to be of no use. */
export interface MessageBatcher {
  /** Resolves when there is room for the next one. */
  enqueue(message: BrokerMessage): Promise<void>;
  readonly counts: MessageCounts;
  /** Keeps what was taken, once more at most where that fails; then takes no more. */
  close(): Promise<void>;
}

interface PendingMessage {
  readonly message: BrokerMessage;
  readonly readings: readonly object[];
  readonly gateways: readonly object[];
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
  const counts = { messages: 0, written: 0, changed: 0, unchanged: 0, poison: 0 };
  let running: Promise<void> | null = null;
  let isClosed = false;
  /** Whether a batch was kept since the start. */
  let hasWritten = false;
  const waitingForRoom: (() => void)[] = [];

  function reportDeadLetter(letter: DeadLetter): void {
    counts.poison++;
    onDeadLetter(letter);
  }

  /** Until there is a batch. */
  async function untilBatchReady(): Promise<void> {
    const startedAt = performance.now();
    while (
      !signal.aborted &&
      pending.length < MAX_MESSAGES_PER_BATCH &&
      performance.now() - startedAt < MAX_BATCH_AGE_MS
    ) {
      const before = pending.length;
      await sleep(QUIET_MS);
      if (pending.length === before) return;
    }
  }

  /** The first messages that wait, as many as make a batch. */
  function nextBatch(): PendingMessage[] {
    let rows = 0;
    const end = pending.findIndex(({ readings }, at) => {
      rows += readings.length;
      return at === MAX_MESSAGES_PER_BATCH || (at > 0 && rows > MAX_READINGS_PER_BATCH);
    });
    return pending.slice(0, end === -1 ? pending.length : end);
  }

  /** Null where the inflow was ended before they could be kept. */
  async function writeWithRetries(batch: readonly PendingMessage[]): Promise<IngestResult | null> {
    const rows = {
      readings: batch.flatMap(({ readings }) => readings),
      gateways: batch.flatMap(({ gateways }) => gateways),
    };
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return await write(rows);
      } catch (error) {
        if (isBatchTooLarge(error) || isPermanentFailure(error, hasWritten)) throw error;
        if (signal.aborted) return null;
        onRetry(error, pause);
        await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async function run(): Promise<void> {
    while (pending.length > 0) {
      await untilBatchReady();
      if (!(await writeBatch(nextBatch()))) return;
    }
  }

  /** Keeps the first messages that wait, by halves where they are too much at once. False where the inflow was ended before. */
  async function writeBatch(batch: readonly PendingMessage[]): Promise<boolean> {
    try {
      const result = await writeWithRetries(batch);
      if (result === null) return false;
      hasWritten = true;
      count(batch, result);
    } catch (error) {
      if (!isBatchTooLarge(error)) throw error;
      const half = Math.ceil(batch.length / 2);
      if (batch.length > 1) return (await writeBatch(batch.slice(0, half))) && writeBatch(batch.slice(half));
      counts.messages++;
      reportDeadLetter({
        topic: batch[0]!.message.topic,
        reason: 'the message alone is more than the service takes at once',
      });
    }
    pending.splice(0, batch.length);
    for (const { message } of batch) message.acknowledge();
    for (const go of waitingForRoom.splice(0)) go();
    return true;
  }

  function count(batch: readonly PendingMessage[], { readings, gateways, refused }: IngestResult): void {
    counts.messages += batch.length;
    counts.written += readings.written;
    counts.changed += readings.changed;
    counts.unchanged += readings.unchanged;
    for (const { place, reason, given } of refused)
      reportDeadLetter({ topic: messageOfRow(batch, place).message.topic, reason, row: given });
    // The others are counted alone.
    counts.poison += readings.refused + gateways.refused - refused.length;
  }

  return {
    counts,
    async enqueue(message) {
      if (isClosed) return;
      const parsed = parseMqttMessage(map, message.topic, message.payload, clock());
      if ('refused' in parsed) {
        reportDeadLetter({ topic: message.topic, reason: parsed.refused });
        pending.push({ message, readings: [], gateways: [] });
      } else pending.push({ message, ...parsed });
      running ??= run()
        .catch((error) => {
          isClosed = true;
          onPermanentFailure(error);
        })
        .finally(() => {
          running = null;
        });
      if (pending.length >= MAX_PENDING) await new Promise<void>((resolve) => waitingForRoom.push(resolve));
    },
    async close() {
      isClosed = true;
      stopping.abort();
      await running;
      for (const go of waitingForRoom.splice(0)) go();
    },
  };
}

/** The message that a refused row came out of: "readings[3]" is the fourth of them all. */
function messageOfRow(batch: readonly PendingMessage[], place: string): PendingMessage {
  const [, list, index] = /^(readings|gateways)\[(\d+)\]$/.exec(place)!;
  let before = 0;
  return batch.find((each) => {
    before += each[list as 'readings' | 'gateways'].length;
    return Number(index) < before;
  })!;
}

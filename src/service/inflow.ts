import { setTimeout as sleep } from 'node:timers/promises';
import type { Ingested } from '../schema/ingest.ts';
import type { MqttMap } from '../schema/mqtt-map.ts';
import { isForGood, isTooLarge } from './batch-refusals.ts';
import { understandMessage } from './mqtt-messages.ts';

/** A batch is kept when it has so many messages or readings, or its first one has waited so long (ms). */
const MOST_MESSAGES = 300;
const MOST_READINGS = 20_000;
const LONGEST_WAIT_MS = 200;

/** A broker sends only so many messages ahead of their acknowledgement: where it falls silent, it may wait for us. */
const QUIET_MS = 20;

/** Messages that are held in memory at most; then no more are taken. */
const MOST_WAITING = 5_000;

/** Pauses before a batch that could not be kept is tried again, in ms: the first, twice as long each time, the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** A message of a broker. */
export interface Message {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Tells the broker that it need not be sent again. */
  acknowledge(): void;
}

/** Something of a message that could not be taken in. */
export interface Poison {
  readonly topic: string;
  readonly reason: string;
  /** The row at fault, where it is not the whole message. */
  readonly row?: string;
}

export interface InflowOptions {
  readonly map: MqttMap;
  /** Now, in ms. */
  readonly clock: () => number;
  /** Keeps rows for good. */
  readonly keep: (batch: { readings: readonly object[]; gateways: readonly object[] }) => Promise<Ingested>;
  readonly onPoison: (poison: Poison) => void;
  /** Hears of a batch that could not be kept, and how long (ms) it waits now. */
  readonly onTrouble: (error: unknown, pauseMs: number) => void;
  /** Hears of a refusal that no waiting mends; nothing is taken any more. */
  readonly onRefused: (error: unknown) => void;
}

export interface InflowCounts {
  readonly messages: number;
  /** New readings, those that replaced another value, those that stood already. */
  readonly written: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Messages, or rows of them, that could not be taken in. */
  readonly poison: number;
}

/** Brings messages in: each is acknowledged, in their order, once what it says is kept, or known to be of no use. */
export interface Inflow {
  /** Resolves when there is room for the next one. */
  take(message: Message): Promise<void>;
  readonly counts: InflowCounts;
  /** Keeps what was taken, once more at most where that fails; then takes no more. */
  end(): Promise<void>;
}

interface Waiting {
  readonly message: Message;
  readonly readings: readonly object[];
  readonly gateways: readonly object[];
}

export function inflowOf({ map, clock, keep, onPoison, onTrouble, onRefused }: InflowOptions): Inflow {
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting: Waiting[] = [];
  const counts = { messages: 0, written: 0, changed: 0, unchanged: 0, poison: 0 };
  let running: Promise<void> | null = null;
  let isOver = false;
  /** Whether a batch was kept since the start. */
  let hasKept = false;
  const makeRoom: (() => void)[] = [];

  function poison(found: Poison): void {
    counts.poison++;
    onPoison(found);
  }

  /** Until there is a batch. */
  async function gathered(): Promise<void> {
    const begun = performance.now();
    while (!signal.aborted && waiting.length < MOST_MESSAGES && performance.now() - begun < LONGEST_WAIT_MS) {
      const before = waiting.length;
      await sleep(QUIET_MS);
      if (waiting.length === before) return;
    }
  }

  /** The first messages that wait, as many as make a batch. */
  function nextBatch(): Waiting[] {
    let rows = 0;
    const end = waiting.findIndex(({ readings }, at) => {
      rows += readings.length;
      return at === MOST_MESSAGES || (at > 0 && rows > MOST_READINGS);
    });
    return waiting.slice(0, end === -1 ? waiting.length : end);
  }

  /** Null where the inflow was ended before they could be kept. */
  async function kept(batch: readonly Waiting[]): Promise<Ingested | null> {
    const rows = {
      readings: batch.flatMap(({ readings }) => readings),
      gateways: batch.flatMap(({ gateways }) => gateways),
    };
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await keep(rows);
      } catch (error) {
        if (isTooLarge(error) || isForGood(error, hasKept)) throw error;
        if (signal.aborted) return null;
        onTrouble(error, pause);
        await sleep(pause * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await gathered();
      if (!(await brought(nextBatch()))) return;
    }
  }

  /** Keeps the first messages that wait, by halves where they are too much at once. False where the inflow was ended before. */
  async function brought(batch: readonly Waiting[]): Promise<boolean> {
    try {
      const told = await kept(batch);
      if (told === null) return false;
      hasKept = true;
      count(batch, told);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      const half = Math.ceil(batch.length / 2);
      if (batch.length > 1) return (await brought(batch.slice(0, half))) && brought(batch.slice(half));
      counts.messages++;
      poison({ topic: batch[0]!.message.topic, reason: 'the message alone is more than the service takes at once' });
    }
    waiting.splice(0, batch.length);
    for (const { message } of batch) message.acknowledge();
    for (const go of makeRoom.splice(0)) go();
    return true;
  }

  function count(batch: readonly Waiting[], { readings, gateways, refused }: Ingested): void {
    counts.messages += batch.length;
    counts.written += readings.written;
    counts.changed += readings.changed;
    counts.unchanged += readings.unchanged;
    for (const { place, reason, given } of refused)
      poison({ topic: ownerOf(batch, place).message.topic, reason, row: given });
    // The others are counted alone.
    counts.poison += readings.refused + gateways.refused - refused.length;
  }

  return {
    counts,
    async take(message) {
      if (isOver) return;
      const understood = understandMessage(map, message.topic, message.payload, clock());
      if ('refused' in understood) {
        poison({ topic: message.topic, reason: understood.refused });
        waiting.push({ message, readings: [], gateways: [] });
      } else waiting.push({ message, ...understood });
      running ??= run()
        .catch((error) => {
          isOver = true;
          onRefused(error);
        })
        .finally(() => {
          running = null;
        });
      if (waiting.length >= MOST_WAITING) await new Promise<void>((resolve) => makeRoom.push(resolve));
    },
    async end() {
      isOver = true;
      stopping.abort();
      await running;
      for (const go of makeRoom.splice(0)) go();
    },
  };
}

/** The message that a refused row came out of: "readings[3]" is the fourth of them all. */
function ownerOf(batch: readonly Waiting[], place: string): Waiting {
  const [, list, index] = /^(readings|gateways)\[(\d+)\]$/.exec(place)!;
  let before = 0;
  return batch.find((each) => {
    before += each[list as 'readings' | 'gateways'].length;
    return Number(index) < before;
  })!;
}

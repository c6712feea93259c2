/** A longer computation would delay the answers to other calls noticeably. */
export const MAX_BLOCKING_MS = 10;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Thrown in a cancelled call, which rolls its transaction back. */
export class CancelledError extends Error {
  override readonly name = 'Cancelled';

  constructor() {
    super('The call was cancelled');
  }
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError();
}

/**
 * Lets the event loop read messages, among them a cancellation; throws if the call has been
 * cancelled.
 */
export async function yieldOrCancel(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  throwIfCancelled(signal);
}

let acceptedConnections = 0;

/** To be called by a server for each connection that it accepts. */
export function noteAcceptedConnection(): void {
  acceptedConnections++;
}

const MAX_TURNS = 50;

/**
 * Ends with the first turn of the event loop that brings no new connection. Node accepts one in
 * each turn, so that clients would otherwise wait for as many slices of a long computation as there
 * are connections before theirs. What the connections send takes turns too, so the pause also ends
 * after `maxMs`. With the default, a flood of them at most doubles the time of the computation.
 */
export async function untilNoConnectionArrives(maxMs = MAX_BLOCKING_MS): Promise<void> {
  const end = performance.now() + maxMs;
  // The rest of the current turn, which may accept nothing more.
  await nextTurn();
  for (let turn = 0; turn < MAX_TURNS && performance.now() < end; turn++) {
    const acceptedBefore = acceptedConnections;
    await nextTurn();
    if (acceptedConnections === acceptedBefore) return;
  }
}

/** On a busy machine a turn that accepts a connection may take some milliseconds. */
const MAX_ACCEPTING_MS = 50;

/**
 * Resumes in the next turn of the event loop or, if it brings a connection, once no more arrive,
 * after 50 turns or 50 ms at most.
 */
export async function nextTurnWithoutConnections(): Promise<void> {
  const acceptedBefore = acceptedConnections;
  await nextTurn();
  if (acceptedConnections !== acceptedBefore) await untilNoConnectionArrives(MAX_ACCEPTING_MS);
}

/** A long computation checks it between its small parts. */
export interface TimeSlice {
  isOver(): boolean;
  /**
   * Lets other calls run, and begins the next slice. Those that call it meanwhile share a pause.
   */
  renew(): Promise<void>;
}

/** When the first slice of this turn of the event loop began; null in a turn without one. */
let turnBeganAt: number | null = null;

function beginningOfTurn(): number {
  if (turnBeganAt === null) {
    turnBeganAt = performance.now();
    setImmediate(() => {
      turnBeganAt = null;
    });
  }
  return turnBeganAt;
}

/**
 * Slices that begin in one turn of the event loop end together: a computation in many small parts,
 * each with a slice of its own, holds the loop no longer than one in a single part.
 */
export function newTimeSlice(pause: () => Promise<void>, ms = MAX_BLOCKING_MS): TimeSlice {
  let end = beginningOfTurn() + ms;
  let pausing: Promise<void> | null = null;
  return {
    isOver: () => pausing !== null || performance.now() >= end,
    renew() {
      pausing ??= pause().finally(() => {
        pausing = null;
        end = performance.now() + ms;
      });
      return pausing;
    },
  };
}

/** Runs a long computation, which yields after each of its small parts, in slices of time. */
export async function finishInSlices<T>(
  steps: Generator<unknown, T>,
  slice: TimeSlice,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slice.isOver()) await slice.renew();
  }
}

/** After this many items the clock is read again. */
const ITEMS_PER_CLOCK_READ = 16;

/** Visits each item of a long list, in slices of time. */
export async function visitInSlices<T>(
  items: readonly T[],
  visit: (item: T) => void,
  slice: TimeSlice,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    visit(item);
    if (index % ITEMS_PER_CLOCK_READ === 0 && slice.isOver()) await slice.renew();
  }
}

export async function filterInSlices<T>(
  items: readonly T[],
  matches: (item: T) => boolean,
  slice: TimeSlice,
): Promise<T[]> {
  const found: T[] = [];
  await visitInSlices(
    items,
    (item) => {
      if (matches(item)) found.push(item);
    },
    slice,
  );
  return found;
}

/** Runs a long computation without a pause, in a process that serves nobody else. */
export function finishAtOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Null if the promise rejects or takes longer than `withinMs`. */
export async function withTimeout<T>(promise: Promise<T>, withinMs: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), withinMs);
  });
  return Promise.race([promise.catch(() => null), timeout]).finally(() => clearTimeout(timer));
}

import { setTimeout as pause } from 'node:timers/promises';
import { isBusy } from './failures.ts';

/** How long another program may hold the store before we say so, in ms. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** Longest pause between two attempts, in ms: short beside any transaction that a person would notice. */
const MAX_PAUSE_MS = 20;

/**
 * Runs `attempt` until the file is free for it. SQLite's own waiting would block the event loop and lets writers starve;
 * short pauses of random length do neither. When patience (ms) is over, the failure of the last attempt is thrown.
 */
export async function retryWhileBusy<T>(attempt: () => T, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<T> {
  const start = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start > timeoutMs) throw error;
    }
    await pause(1 + Math.random() * Math.min(2 ** tries, MAX_PAUSE_MS));
  }
}

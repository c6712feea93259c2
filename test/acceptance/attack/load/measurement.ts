import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../../time.ts';
import type { ServiceMonitor } from './service-monitor.ts';
import type { WateringAssistant } from './watering-assistant.ts';

const WATERING_EVERY_MS = SECOND;
const HEALTH_EVERY_MS = 250;
const METRICS_EVERY_MS = 5 * SECOND;

/** The measurements of others than the attackers in a period. */
export interface Measurement {
  readonly seconds: number;
  readonly wateringMs: readonly number[];
  readonly healthMs: readonly number[];
  readonly longestStretchMs: number;
  /** Waterings and checks that were not answered as they should be. */
  readonly failures: readonly string[];
}

export async function measureUntil(
  isOver: () => boolean,
  assistant: WateringAssistant,
  monitor: ServiceMonitor,
): Promise<Measurement> {
  const failures: string[] = [];
  const repeated = (intervalMs: number, work: () => Promise<void>) =>
    repeatUntil(isOver, intervalMs, () => work().catch((error) => void failures.push(`${error}`)));
  const startedMs = performance.now();
  await monitor.longestStretchMs();
  const stretchesMs: number[] = [];
  const measureStretch = async () => void stretchesMs.push(await monitor.longestStretchMs());

  const [wateringMs, healthMs] = await Promise.all([
    repeated(WATERING_EVERY_MS, () => assistant.logWatering()),
    repeated(HEALTH_EVERY_MS, () => monitor.checkHealth()),
    repeated(METRICS_EVERY_MS, measureStretch),
  ]);
  await measureStretch();

  const seconds = (performance.now() - startedMs) / SECOND;
  const longestStretchMs = Math.max(...stretchesMs);
  return { seconds, wateringMs, healthMs, longestStretchMs, failures };
}

/** Returns how long each took. The next one begins when the interval and the last one are over. */
async function repeatUntil(
  isOver: () => boolean,
  intervalMs: number,
  /** Never rejects. */
  work: () => Promise<unknown>,
): Promise<number[]> {
  const durations: number[] = [];
  while (!isOver()) {
    const startedMs = performance.now();
    await work();
    const durationMs = performance.now() - startedMs;
    durations.push(durationMs);
    await pause(Math.max(0, intervalMs - durationMs));
  }
  return durations;
}

import { expect } from 'vitest';
import type { Measurement } from './measurement.ts';
import { type AttackResult, longest, lostWaterings, percentile, repeatedNotes } from './report.ts';

/**
 * Against the same machine idle. Attackers, service and measurements share its processors, so that
 * everything takes some ten times as long; waiting for attackers takes thousands of times as long.
 */
const MAX_SLOWDOWN = { median: 200, longest: 100 };
/** Of the waterings that the assistant logged each second on the idle machine. */
const MIN_PACE = 0.5;

/** Nothing of another company was lost, stored twice or out of order, nor waited for attackers. */
export function expectOthersServed(result: AttackResult): void {
  const { idle, attacked, logged, stored } = result;
  expect([...idle.failures, ...attacked.failures]).toEqual([]);
  expect(lostWaterings(result)).toEqual([]);
  expect(repeatedNotes(result)).toEqual([]);
  expect(stored).toEqual(logged);

  const pace = ({ wateringMs, seconds }: Measurement): number => wateringMs.length / seconds;
  expect(pace(attacked) / pace(idle), 'waterings a second').toBeGreaterThan(MIN_PACE);
  for (const figure of ['wateringMs', 'healthMs'] as const) {
    const median = percentile(attacked[figure], 0.5) / percentile(idle[figure], 0.5);
    expect(median, `median of ${figure}`).toBeLessThan(MAX_SLOWDOWN.median);
    const most = longest(attacked[figure]) / longest(idle[figure]);
    expect(most, `longest of ${figure}`).toBeLessThan(MAX_SLOWDOWN.longest);
  }
}

/** Each key was answered what it asked, and refused only for a while. */
export function expectViewersServed({ attackers }: AttackResult): void {
  for (const [index, reads] of attackers.viewers.entries())
    for (const [read, outcomes] of Object.entries(reads)) {
      const { '200': answered = 0, '429 rate_limited': _, '503 BUSY': __, ...others } = outcomes;
      expect(answered, `viewer ${index + 1}, ${read}`).toBeGreaterThan(0);
      expect(others, `viewer ${index + 1}, ${read}`).toEqual({});
    }
}

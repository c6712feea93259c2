import { expect } from 'vitest';
import type { OutcomeCounts } from './attackers/plan.ts';
import type { Measurement } from './measurement.ts';
import { type AttackResult, longest, lostWaterings, percentile, repeatedNotes } from './report.ts';

/**
 * Against the same machine idle. Attackers, service and measurements share its processors, so that
 * everything takes up to some ten times as long; waiting for attackers would take thousands of
 * times as long.
 */
const MAX_SLOWDOWN = { median: 40, longest: 80 };
/** The least share of the waterings that the assistant logged each second on the idle machine. */
const MIN_PACE = 0.5;

/** Nothing of another company was lost, stored twice or out of order, nor waited for attackers. */
export function expectOthersServed(result: AttackResult): void {
  const { idle, attacked, logged, stored } = result;
  expect([...idle.failures, ...attacked.failures]).toEqual([]);
  expect(lostWaterings(result)).toEqual([]);
  expect(repeatedNotes(result)).toEqual([]);
  expect(stored).toEqual(logged);

  const pace = ({ wateringMs, seconds }: Measurement): number => wateringMs.length / seconds;
  expect.soft(pace(attacked) / pace(idle), 'waterings a second').toBeGreaterThan(MIN_PACE);
  for (const figure of ['wateringMs', 'healthMs'] as const) {
    const median = percentile(attacked[figure], 0.5) / percentile(idle[figure], 0.5);
    expect.soft(median, `median of ${figure}`).toBeLessThan(MAX_SLOWDOWN.median);
    const most = longest(attacked[figure]) / longest(idle[figure]);
    expect.soft(most, `longest of ${figure}`).toBeLessThan(MAX_SLOWDOWN.longest);
  }
}

/** Refusals that say when to try again. */
const WAITS = ['429 rate_limited', '503 BUSY', '503 server_busy', 'rate_limited', 'BUSY'];

/** It got answers, and otherwise nothing but the advice to wait. */
export function expectAnswered(who: string, outcomes: OutcomeCounts, answer: string): void {
  expect(outcomes[answer] ?? 0, who).toBeGreaterThan(0);
  expectNoFailure(who, outcomes, answer);
}

function expectNoFailure(who: string, outcomes: OutcomeCounts, answer: string): void {
  const failures = Object.keys(outcomes).filter(
    (outcome) => outcome !== answer && !WAITS.includes(outcome),
  );
  expect(failures, who).toEqual([]);
}

/** Each key got answers, and no failure. */
export function expectViewersServed({ attackers }: AttackResult): void {
  for (const [n, reads] of attackers.viewers.entries()) {
    let answers = 0;
    for (const [read, outcomes] of Object.entries(reads)) {
      expectNoFailure(`viewer ${n}, ${read}`, outcomes, '200');
      answers += outcomes['200'] ?? 0;
    }
    expect(answers, `viewer ${n}`).toBeGreaterThan(0);
  }
}

/** Takes some minutes: each key repeats its reads in the same order, and waits in between. */
export function expectEveryReadServed({ attackers }: AttackResult): void {
  for (const [n, reads] of attackers.viewers.entries())
    for (const [read, outcomes] of Object.entries(reads)) {
      expect(outcomes['200'] ?? 0, `viewer ${n}, ${read}`).toBeGreaterThan(0);
    }
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBuckets } from '../../../src/http/admission/rate-limit.ts';
import type { AcequiaError } from '../../../src/schema/error.ts';
import { DAY, MINUTE } from '../../time.ts';

function onClock(rate: number, burst: number) {
  let time = 0;
  const all = new TokenBuckets({ rate, burst }, () => time);
  return {
    wait: (ms: number) => {
      time += ms;
    },
    take: (name = 'a') => takeFrom(all, name),
  };
}

interface Taken {
  readonly isTaken: boolean;
  readonly headers: Record<string, string>;
  readonly retryAfterS?: number | undefined;
}

function takeFrom(all: TokenBuckets, name: string): Taken {
  const headers: Record<string, string> = {};
  try {
    all.take(name, headers);
    return { isTaken: true, headers };
  } catch (error) {
    expect(error).toMatchObject({ code: 'rate_limited', status: 429 });
    return { isTaken: false, headers, retryAfterS: (error as AcequiaError).retryAfterS };
  }
}

describe('a token bucket', () => {
  it('allows its burst immediately, then refills evenly', () => {
    const { wait, take } = onClock(60, 2);
    expect([take(), take(), take()].map(({ isTaken }) => isTaken)).toEqual([true, true, false]);
    wait(999);
    expect(take().isTaken).toBe(false);
    wait(1);
    expect(take().isTaken).toBe(true);
    expect(take().isTaken).toBe(false);
  });

  it('sends how many tokens are left and when it is full again', () => {
    const { wait, take } = onClock(60, 10);
    expect(take().headers).toEqual({
      'RateLimit-Limit': '10',
      'RateLimit-Remaining': '9',
      'RateLimit-Reset': '1',
    });
    for (let count = 0; count < 8; count++) take();
    // 9 + 10 tokens are used; one per second comes back.
    expect(take().headers).toMatchObject({ 'RateLimit-Remaining': '0', 'RateLimit-Reset': '10' });
    wait(500);
    expect(take().headers['RateLimit-Remaining']).toBe('0');
  });

  it('accepts a request after the seconds that the refusal names, and not a second before', () => {
    const { wait, take } = onClock(6, 1);
    take();
    const seconds = take().retryAfterS!;
    expect(seconds).toBe(10);
    wait((seconds - 1) * 1000);
    expect(take().isTaken).toBe(false);
    wait(1000);
    expect(take().isTaken).toBe(true);
  });

  it('holds no more than its burst after a long pause', () => {
    const { wait, take } = onClock(600, 3);
    wait(DAY);
    expect([take(), take(), take(), take()].map(({ isTaken }) => isTaken)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('counts each name separately', () => {
    const { take } = onClock(1, 1);
    expect(take('a').isTaken).toBe(true);
    expect(take('b').isTaken).toBe(true);
    expect(take('a').isTaken).toBe(false);
  });

  it('has no limit at a rate of 0', () => {
    const { take } = onClock(0, 1);
    for (let count = 0; count < 5; count++) expect(take()).toEqual({ isTaken: true, headers: {} });
  });

  it('stays empty while many others come', () => {
    const { take } = onClock(1, 1);
    take('mine');
    for (let other = 0; other < 10_050; other++) take(`other ${other}`);
    expect(take('mine').isTaken).toBe(false);
  });

  it('never gives more than its burst and what was refilled', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(3_000)),
        (rate, burst, pauses) => {
          const { wait, take } = onClock(rate, burst);
          let takenCount = 0;
          let elapsed = 0;
          for (const ms of pauses) {
            wait(ms);
            elapsed += ms;
            if (take().isTaken) takenCount++;
          }
          expect(takenCount).toBeLessThanOrEqual(burst + (elapsed * rate) / MINUTE + 1e-6);
        },
      ),
    );
  });
});

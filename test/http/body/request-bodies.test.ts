import { describe, expect, it } from 'vitest';
import type { ShareLimits } from '../../../src/domain/shares/shares.ts';
import { type BodyMemory, RequestBodies } from '../../../src/http/body/request-bodies.ts';

const KB = 1_024;
const SHARES: ShareLimits = {
  size: 1_000 * KB,
  ofCompany: 750 * KB,
  ofKey: 500 * KB,
  lasts: true,
  waiting: null,
};

const BUSY = expect.objectContaining({ code: 'server_busy', status: 503, retryAfterS: 2 });
const ENDED = expect.objectContaining({ code: 'request_timeout', status: 408, retryAfterS: 2 });

function newBodies() {
  const clock = { now: 0 };
  const bodies = new RequestBodies({ small: SHARES, large: SHARES }, () => clock.now);
  const open = (company: number, kilobytes: number, key = `${company}`): BodyMemory => {
    const memory = bodies.open({ company, key });
    memory.add(kilobytes * KB);
    return memory;
  };
  return { clock, open };
}

describe('memory for bodies', () => {
  it('is given to three quarters to a company that is alone, and released with the answer', () => {
    const { open } = newBodies();
    const first = open(1, 500, 'a');
    first.complete();
    open(1, 250, 'b').complete();
    expect(() => open(1, 100, 'c')).toThrow(BUSY);

    first.release();
    open(1, 100, 'c');
  });

  it('counts what has arrived, so that bodies that send nothing keep nobody out', () => {
    const { open } = newBodies();
    for (let n = 0; n < 30; n++) open(1, 16, `key ${n}`);
    open(2, 400);
    expect(() => open(3, 400)).not.toThrow();
  });

  it('ends the slowest unfinished body of the company that holds most when it is short', () => {
    const { clock, open } = newBodies();
    const slow = open(1, 300, 'a');
    clock.now = 9_000;
    const quick = open(1, 400, 'b');
    const other = open(2, 200);
    clock.now = 10_000;

    open(3, 200);
    expect(slow.signal.reason).toEqual(ENDED);
    for (const memory of [quick, other]) expect(memory.signal.aborted).toBe(false);
    expect(() => slow.add(1)).toThrow(ENDED);
  });

  it('never ends a finished body, and refuses the new one instead', () => {
    const { open } = newBodies();
    for (const [company, kilobytes] of [
      [1, 500],
      [2, 400],
    ] as const)
      open(company, kilobytes).complete();
    expect(() => open(3, 200)).toThrow(BUSY);
  });

  it('never ends a small body, and gives it memory that large ones do not use', () => {
    const { open } = newBodies();
    const small = open(1, 64);
    open(2, 500).complete();
    open(3, 500).complete();

    expect(() => open(4, 65)).toThrow(BUSY);
    expect(() => open(4, 64)).not.toThrow();
    expect(small.signal.aborted).toBe(false);
  });

  it('gives a company nothing new beyond an equal part while others hold some', () => {
    const { open } = newBodies();
    open(1, 500, 'a').complete();
    open(2, 100);
    expect(() => open(1, 100, 'b')).toThrow(BUSY);
    expect(() => open(3, 300)).not.toThrow();
  });

  it('counts a body that grows as a large one from then on', () => {
    const { open } = newBodies();
    const memory = open(1, 60);
    memory.add(440 * KB);
    expect(() => memory.add(1)).toThrow(ENDED);
  });

  it('ends a body of the key that holds too much, not one of others', () => {
    const { clock, open } = newBodies();
    const other = open(1, 200, 'b');
    const slow = open(1, 400, 'a');
    clock.now = 1_000;
    const quick = open(1, 150, 'a');

    expect(slow.signal.aborted).toBe(true);
    expect([other, quick].map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });
});

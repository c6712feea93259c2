import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type Share,
  type ShareLimits,
  Shares,
  type Taker,
} from '../../../src/domain/shares/shares.ts';

const WAITING = { size: 100, ofCompany: 50, ofKey: 50, ms: 60_000 };

const TURNS: ShareLimits = { size: 4, ofCompany: 2, ofKey: 2, lasts: false, waiting: WAITING };
const ONE: ShareLimits = { ...TURNS, size: 1, ofCompany: 1, ofKey: 1 };
const LASTING: ShareLimits = { size: 8, ofCompany: 6, ofKey: 6, lasts: true, waiting: null };

const sharesOf = (limits: ShareLimits): Shares =>
  new Shares(limits, ({ company }) => new Error(`refused for ${company}`));

const by = (company: number | string, key = 'key'): Taker => ({ company, key });

/** Ignores that what still waits at the end of a test is refused after too long a wait. */
const refusedLater = () => undefined;

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function outcomeOf(taking: Promise<Share>): Promise<Share | 'waits'> {
  let outcome: Share | 'waits' = 'waits';
  void taking.then((share) => {
    outcome = share;
  }, refusedLater);
  await settled();
  return outcome;
}

/** Holds the only place, lets all ask, and returns the names in the order of their grants. */
async function orderOfGrants(shares: Shares, takers: readonly Taker[]): Promise<string[]> {
  const first = shares.tryTake(by('first'));
  const order: string[] = [];
  for (const taker of takers)
    void shares.take(taker).then(async (share) => {
      order.push(`${taker.company}${taker.key}`);
      await settled();
      share.release();
    }, refusedLater);

  first?.release();
  for (let round = 0; round < 2 * takers.length + 2; round++) await settled();
  return order;
}

describe('what is given in turn', () => {
  it('gives one company its share, however much it asks for', async () => {
    const shares = sharesOf(TURNS);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => outcomeOf(shares.take(by(1, `key ${index}`)))),
    );

    expect(outcomes.filter((outcome) => outcome !== 'waits')).toHaveLength(2);
    expect(await outcomeOf(shares.take(by(2)))).not.toBe('waits');
  });

  it('serves companies in turn, and the keys of a company in turn', async () => {
    const takers = [by('A', '1'), by('A', '1'), by('A', '1'), by('A', '2'), by('B', '1')];
    expect(await orderOfGrants(sharesOf(ONE), takers)).toEqual(['A1', 'B1', 'A2', 'A1', 'A1']);
  });

  it('makes a company that asks once wait for one turn of another that never stops', async () => {
    const shares = sharesOf(ONE);
    const order: string[] = [];
    const granted = async (name: string, taking: Promise<Share>): Promise<void> => {
      const share = await taking;
      order.push(name);
      await settled();
      share.release();
    };

    const steady = Array.from({ length: 8 }, () => granted('A', shares.take(by('A'))));
    for (let time = 0; time < 3; time++) await granted('B', shares.take(by('B')));
    await Promise.all(steady);

    expect(order.slice(0, 6)).toEqual(['A', 'B', 'A', 'B', 'A', 'B']);
  });

  it('lets no company starve while others come and go', async () => {
    const takers = [by('A', '1'), by('A', '1'), by('B', ''), by('C', ''), by('D', '')];
    const shares = sharesOf(ONE);
    await orderOfGrants(shares, takers);
    const order = await orderOfGrants(shares, takers);
    expect(order.indexOf('A1')).toBeLessThan(4);
  });

  it('gives what is free to the company that holds least', async () => {
    const shares = sharesOf({ ...TURNS, size: 2, ofCompany: 2 });
    const [first, second] = [shares.tryTake(by(1)), shares.tryTake(by(1))];
    const again = shares.take(by(1));
    const other = shares.take(by(2));

    first?.release();
    expect(await outcomeOf(other)).not.toBe('waits');
    expect(await outcomeOf(again)).toBe('waits');
    second?.release();
    expect(await outcomeOf(again)).not.toBe('waits');
  });

  it('refuses that for which too many wait: of a key, of a company and of all', async () => {
    const waiting = { size: 3, ofCompany: 2, ofKey: 1, ms: 60_000 };
    const shares = sharesOf({ ...ONE, waiting });
    await shares.take(by(1, 'a'));
    void shares.take(by(1, 'a')).catch(refusedLater);

    await expect(shares.take(by(1, 'a'))).rejects.toThrow('refused for 1');
    void shares.take(by(1, 'b')).catch(refusedLater);
    await expect(shares.take(by(1, 'c'))).rejects.toThrow('refused for 1');
    void shares.take(by(2)).catch(refusedLater);
    await expect(shares.take(by(3))).rejects.toThrow('refused for 3');
  });

  it('refuses what has waited too long, and gives its turn to the next', async () => {
    vi.useFakeTimers();
    try {
      const shares = sharesOf(ONE);
      const place = await shares.take(by(1));
      const waiting = shares.take(by(2));
      const refused = expect(waiting).rejects.toThrow('refused for 2');
      vi.advanceTimersByTime(WAITING.ms);
      await refused;

      place.release();
      expect(shares.tryTake(by(3))).not.toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('refuses those that wait, and later ones, once it is closed', async () => {
    const shares = sharesOf(ONE);
    await shares.take(by(1));
    const waiting = shares.take(by(1));

    shares.close();
    await expect(waiting).rejects.toThrow('refused');
    await expect(shares.take(by(2))).rejects.toThrow('refused');
  });

  it('lets a cancelled call go', async () => {
    const shares = sharesOf(ONE);
    const place = await shares.take(by(1));
    const cancelling = new AbortController();
    const cancelled = shares.take(by(1), cancelling.signal);
    cancelling.abort();

    await expect(cancelled).rejects.toThrow('cancelled');
    place.release();
    expect(shares.tryTake(by(1))).not.toBeNull();
  });
});

describe('what lasts', () => {
  it('gives a company that is alone at most its share', () => {
    const shares = sharesOf(LASTING);
    const taken = Array.from({ length: 8 }, () => shares.tryTake(by(1)));
    expect(taken.filter((share) => share !== null)).toHaveLength(6);
  });

  it('gives nothing new beyond an equal part while others hold some, and takes nothing away', () => {
    const shares = sharesOf(LASTING);
    const ofFirst = Array.from({ length: 6 }, () => shares.tryTake(by(1)));
    const ofSecond = shares.tryTake(by(2));
    expect(ofSecond).not.toBeNull();
    expect(shares.heldBy(1)).toBe(6);

    for (const share of ofFirst.slice(0, 2)) share?.release();
    expect(shares.tryTake(by(1))).toBeNull();
    ofFirst[2]?.release();
    expect(shares.tryTake(by(1))).not.toBeNull();

    ofSecond?.release();
    expect(shares.tryTake(by(1))).not.toBeNull();
  });

  it('gives a company that holds none what fits, also beyond an equal part', () => {
    const shares = sharesOf(LASTING);
    expect(shares.tryTake(by(1), 3)).not.toBeNull();
    expect(shares.tryTake(by(2), 5)).not.toBeNull();
    expect(shares.tryTake(by(3), 1)).toBeNull();
  });

  it('grows what is held up to the shares, also beyond an equal part', () => {
    const shares = sharesOf(LASTING);
    shares.tryTake(by(1));
    const growing = shares.tryTake(by(2));
    expect(growing?.grow(5)).toBe(true);
    expect(growing?.grow(1)).toBe(false);
    expect(shares.held).toBe(7);

    growing?.release();
    expect(shares.held).toBe(1);
  });
});

it('never exceeds a limit, and never leaves free what a company may take', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 60 }),
      async (steps) => {
        const shares = sharesOf(TURNS);
        const held: { readonly company: number; readonly share: Share }[] = [];
        const wanted = new Map<number, number>();
        for (const step of steps) {
          if (step < 0) held.shift()?.share.release();
          else {
            wanted.set(step, (wanted.get(step) ?? 0) + 1);
            void shares.take(by(step)).then((share) => {
              wanted.set(step, (wanted.get(step) ?? 0) - 1);
              held.push({ company: step, share });
            }, refusedLater);
          }
          await settled();

          const running = (company: number) =>
            held.filter((each) => each.company === company).length;
          expect(held.length).toBeLessThanOrEqual(TURNS.size);
          for (const [company, waiting] of wanted) {
            expect(running(company)).toBeLessThanOrEqual(TURNS.ofCompany);
            const mayRun = held.length < TURNS.size && running(company) < TURNS.ofCompany;
            if (mayRun) expect(waiting).toBe(0);
          }
        }
        shares.close();
      },
    ),
  ));

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CompanyShares, type Place } from '../../../src/operation/reads/company-shares.ts';

const LIMITS = {
  places: 4,
  placesPerCompany: 2,
  maxWaiting: 100,
  maxWaitingPerCompany: 50,
  maxWaitMs: 60_000,
};

/** A read that still waits at the end of a test is refused once it has waited too long. */
const refusedLater = () => undefined;

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function outcomeOf(taking: Promise<Place>): Promise<Place | 'waits'> {
  let outcome: Place | 'waits' = 'waits';
  void taking.then((place) => {
    outcome = place;
  }, refusedLater);
  await settled();
  return outcome;
}

it('gives one company half of the places, however many reads it has', async () => {
  const shares = new CompanyShares(LIMITS);
  const reads = Array.from({ length: 10 }, () => shares.take(1));

  const outcomes = await Promise.all(reads.map(outcomeOf));
  expect(outcomes.filter((each) => each !== 'waits')).toHaveLength(2);
  expect(await outcomeOf(shares.take(2))).not.toBe('waits');
});

it('gives a free place to the company that has none', async () => {
  const shares = new CompanyShares({ ...LIMITS, places: 2, placesPerCompany: 1 });
  const first = await shares.take(1);
  const other = await shares.take(2);
  const again = shares.take(1);
  const third = shares.take(3);

  other.release();
  expect(await outcomeOf(third)).not.toBe('waits');
  expect(await outcomeOf(again)).toBe('waits');

  first.release();
  expect(await outcomeOf(again)).not.toBe('waits');
});

it('serves the reads of a company in order of arrival', async () => {
  const shares = new CompanyShares(LIMITS);
  const places = [await shares.take(1), await shares.take(1)];
  const order: number[] = [];
  for (const number of [1, 2, 3])
    void shares.take(1).then((place) => {
      order.push(number);
      place.release();
    }, refusedLater);

  places[0]!.release();
  await settled();
  expect(order).toEqual([1, 2, 3]);
});

it('refuses a read for which too many wait, of its company or of all', async () => {
  const limits = {
    ...LIMITS,
    places: 2,
    placesPerCompany: 1,
    maxWaiting: 2,
    maxWaitingPerCompany: 1,
  };
  const shares = new CompanyShares(limits);
  await shares.take(1);
  await shares.take(2);
  void shares.take(1).catch(refusedLater);

  await expect(shares.take(1)).rejects.toMatchObject({ code: 'BUSY', status: 503 });
  void shares.take(2).catch(refusedLater);
  await expect(shares.take(3)).rejects.toMatchObject({ code: 'BUSY' });
});

it('refuses a read that has waited too long, and gives its place to the next', async () => {
  const shares = new CompanyShares({ ...LIMITS, maxWaitMs: 1 });
  const [place] = [await shares.take(1), await shares.take(1)];
  await expect(shares.take(1)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 5 });

  place.release();
  expect(shares.tryTake(1)).not.toBeNull();
});

it('refuses those that wait, and later ones, once it is closed', async () => {
  const shares = new CompanyShares(LIMITS);
  await shares.take(1);
  await shares.take(1);
  const waiting = [shares.take(1), shares.take(1)];

  shares.close();
  for (const each of [...waiting, shares.take(2)])
    await expect(each).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 5 });
});

it('lets a cancelled read go', async () => {
  const shares = new CompanyShares(LIMITS);
  const place = await shares.take(1);
  await shares.take(1);
  const cancelling = new AbortController();
  const cancelled = shares.take(1, cancelling.signal);
  cancelling.abort();

  await expect(cancelled).rejects.toThrow('cancelled');
  place.release();
  expect(shares.tryTake(1)).not.toBeNull();
});

it('never exceeds a limit and never leaves a place empty that a company may take', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 60 }),
      async (steps) => {
        const shares = new CompanyShares(LIMITS);
        const held: { readonly company: number; readonly place: Place }[] = [];
        const wanted = new Map<number, number>();
        for (const step of steps) {
          if (step < 0) held.shift()?.place.release();
          else {
            wanted.set(step, (wanted.get(step) ?? 0) + 1);
            void shares.take(step).then((place) => {
              wanted.set(step, wanted.get(step)! - 1);
              held.push({ company: step, place });
            }, refusedLater);
          }
          await settled();

          const running = (company: number) =>
            held.filter((each) => each.company === company).length;
          expect(held.length).toBeLessThanOrEqual(LIMITS.places);
          for (const [company, waiting] of wanted) {
            expect(running(company)).toBeLessThanOrEqual(LIMITS.placesPerCompany);
            const mayRun =
              held.length < LIMITS.places && running(company) < LIMITS.placesPerCompany;
            if (mayRun) expect(waiting).toBe(0);
          }
        }
      },
    ),
  ));

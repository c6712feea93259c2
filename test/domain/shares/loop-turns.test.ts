import { afterEach, expect, it, vi } from 'vitest';
import { nextLoopTurn, sliceOf } from '../../../src/domain/shares/loop-turns.ts';
import type { Taker } from '../../../src/domain/shares/shares.ts';
import { acceptInTurns } from '../accepted-connections.ts';

afterEach(() => vi.restoreAllMocks());

const by = (company: string, key = ''): Taker => ({ company, key });

/** Computes once in each turn that it gets, until all have ended. */
async function orderOfTurns(takers: readonly Taker[], turns: number): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(
    takers.map(async (taker) => {
      for (let turn = 0; turn < turns; turn++) {
        await nextLoopTurn(taker);
        order.push(taker.company + taker.key);
      }
    }),
  );
  return order;
}

it('lets a company compute after one turn of another, however many calls that one has', async () => {
  const greedy = Array.from({ length: 30 }, (_, index) => by('A', `${index % 16}`));
  const order = await orderOfTurns([...greedy, by('B')], 3);

  const turnsOfOthers = order.join(' ').split('B').slice(0, 3);
  expect(turnsOfOthers.map((text) => text.trim().split(' ').length)).toEqual([1, 1, 1]);
});

it('lets the keys of a company compute in turn', async () => {
  const order = await orderOfTurns([by('A', '1'), by('A', '1'), by('A', '1'), by('A', '2')], 1);
  expect(order).toEqual(['A1', 'A2', 'A1', 'A1']);
});

it('resumes one computation in each turn of the event loop', async () => {
  let turn = 0;
  const resumed: number[] = [];
  const count = (): void => {
    turn++;
    if (resumed.length < 4) setImmediate(count);
  };
  setImmediate(count);

  const resume = async (taker: Taker): Promise<void> => {
    const slice = sliceOf(taker);
    await slice.renew();
    resumed.push(turn);
  };
  await Promise.all([by('A'), by('A'), by('B'), by('C')].map(resume));
  expect(new Set(resumed).size).toBe(4);
});

it('lets connections that wait be accepted before it resumes the next computation', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const state = acceptInTurns(20);
  const acceptedBefore: number[] = [];
  const compute = (taker: Taker) =>
    nextLoopTurn(taker).then(() => acceptedBefore.push(state.accepted));
  await Promise.all([by('A'), by('A'), by('B')].map(compute));
  expect(acceptedBefore).toEqual([20, 20, 20]);
});

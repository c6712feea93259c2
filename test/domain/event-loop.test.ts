import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newTimeSlice, untilNoConnectionArrives } from '../../src/domain/event-loop.ts';
import { acceptInTurns } from './accepted-connections.ts';

describe('a pause for new connections', () => {
  it('lasts until all that wait have been accepted', async () => {
    const state = acceptInTurns(20);
    await untilNoConnectionArrives(60_000);
    expect(state.accepted).toBe(20);
  });

  it('ends after fifty turns, however many connections still arrive', async () => {
    const state = acceptInTurns(1_000);
    await untilNoConnectionArrives(60_000);
    expect(state.accepted).toBeGreaterThanOrEqual(50);
    expect(state.accepted).toBeLessThan(60);
  });
});

it('ends a pause in time, however many connections still arrive', async () => {
  const state = acceptInTurns(1_000);
  await untilNoConnectionArrives(0);
  expect(state.accepted).toBeLessThan(5);
});

describe('a slice of time', () => {
  it('has one pause for all that wait for the next slice', async () => {
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses++;
    };
    const slice = newTimeSlice(pause, 0);
    await Promise.all([slice.renew(), slice.renew(), slice.renew()]);
    expect(pauses).toBe(1);
  });

  it('is over while a pause lasts', async () => {
    let endPause = (): void => undefined;
    const pause = () => new Promise<void>((resolve) => (endPause = resolve));
    const slice = newTimeSlice(pause, 60_000);
    expect(slice.isOver()).toBe(false);

    const renewed = slice.renew();
    expect(slice.isOver()).toBe(true);
    endPause();
    await renewed;
    expect(slice.isOver()).toBe(false);
  });

  it('is over with an earlier one of the same turn of the event loop', async () => {
    await nextTurn();
    const earlier = newTimeSlice(nextTurn, 2);
    while (!earlier.isOver());
    expect(newTimeSlice(nextTurn, 2).isOver()).toBe(true);

    await nextTurn();
    expect(newTimeSlice(nextTurn, 60_000).isOver()).toBe(false);
  });
});

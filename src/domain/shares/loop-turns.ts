import { newTimeSlice, nextTurnWithoutConnections, type TimeSlice } from '../event-loop.ts';
import { BOUNDED_THINGS } from './bounded-things.ts';
import { Shares, type Taker } from './shares.ts';

const turns = new Shares(
  BOUNDED_THINGS.loopTurns,
  () => new Error('Too many computations wait for a turn of the event loop'),
);

/**
 * Resumes one computation in each turn of the event loop, or fewer while connections arrive, in
 * turn by company and by key: a company that computes in many calls delays another one no more than
 * one call does.
 */
export async function nextLoopTurn(taker: Taker): Promise<void> {
  const turn = await turns.take(taker);
  await nextTurnWithoutConnections();
  turn.release();
}

/** The slices of a long computation of this company. */
export const sliceOf = (taker: Taker): TimeSlice => newTimeSlice(() => nextLoopTurn(taker));

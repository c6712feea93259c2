import { noteAcceptedConnection } from '../../src/domain/event-loop.ts';

/** Notes a connection in each of the next `count` turns of the event loop. */
export function acceptInTurns(count: number): { readonly accepted: number } {
  const state = { accepted: 0 };
  const accept = (): void => {
    if (state.accepted === count) return;
    state.accepted++;
    noteAcceptedConnection();
    setImmediate(accept);
  };
  setImmediate(accept);
  return state;
}

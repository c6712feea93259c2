import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallTrace } from '../observe/trail.ts';

// What a call asks of a service is asked in many places, and beside a request over the network this costs nothing.
const traceStorage = new AsyncLocalStorage<CallTrace>();

/** Runs a part of a call: requests that are made meanwhile are followed with it. What several calls wait for goes with the first. */
export const withTrace = <T>(trace: CallTrace | undefined, run: () => T): T =>
  trace === undefined ? run() : traceStorage.run(trace, run);

/** The call that a request is made for. */
export const currentTrace = (): CallTrace | undefined => traceStorage.getStore();

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Trail } from '../observe/trail.ts';

// What a call asks of a service is asked in many places, and beside a request over the network this costs nothing.
const trails = new AsyncLocalStorage<Trail>();

/** Runs a part of a call: requests that are made meanwhile are followed with it. What several calls wait for goes with the first. */
export const onTrail = <T>(trail: Trail | undefined, run: () => T): T =>
  trail === undefined ? run() : trails.run(trail, run);

/** The call that a request is made for. */
export const trailUnderWay = (): Trail | undefined => trails.getStore();

import { BOUNDED_THINGS, withSize } from '../../domain/shares/bounded-things.ts';
import { Shares } from '../../domain/shares/shares.ts';
import { type AcequiaError, plainError, tryAgainIn } from '../../schema/error.ts';
import { RequestBodies } from '../body/request-bodies.ts';
import type { HttpLimits } from '../http-limits.ts';
import { serverBusyError } from '../transport-errors.ts';
import { Connections } from './connections.ts';
import { KnownCallers } from './known-callers.ts';
import { RequestTurns } from './request-turns.ts';

const KEY_RETRY_S = 5;

/** In batches of the largest size. */
const BATCHES_IN_MEMORY = 4;

/** The things that the requests of one service share. docs/reliability.md has the sizes. */
export class ServiceShares {
  readonly callers = new KnownCallers();
  readonly turns = new RequestTurns(this.callers, requestsBusyError);
  readonly requests = new Shares(BOUNDED_THINGS.requests, requestsBusyError);
  readonly unknownRequests = new Shares(BOUNDED_THINGS.unknownRequests, requestsBusyError);
  readonly calls: Shares;
  readonly batches = new Shares(BOUNDED_THINGS.batches, batchesBusyError);
  readonly answers = new Shares(BOUNDED_THINGS.answers, answersUnreadError);
  readonly bodies: RequestBodies;
  readonly connections: Connections;

  constructor(
    { burst, batchBytes }: Pick<HttpLimits, 'burst' | 'batchBytes'>,
    trustedProxies: readonly string[] = [],
  ) {
    this.connections = new Connections(trustedProxies);
    const { calls, bodies, smallBodies } = BOUNDED_THINGS;
    const waiting = { ...calls.waiting, ofKey: burst };
    this.calls = new Shares({ ...calls, waiting }, requestsBusyError);
    this.bodies = new RequestBodies({
      small: smallBodies,
      large: withSize(bodies, BATCHES_IN_MEMORY * batchBytes),
    });
  }
}

const requestsBusyError = (): AcequiaError =>
  plainError({
    code: 'rate_limited',
    status: 429,
    message: 'Earlier requests of this key or company are still in progress.',
    hint: `${tryAgainIn(KEY_RETRY_S)} Send fewer requests at once.`,
    retryAfterS: KEY_RETRY_S,
  });

const batchesBusyError = (): AcequiaError =>
  serverBusyError(
    'Earlier batches are still being stored.',
    'Send fewer or smaller batches at once.',
  );

export const answersUnreadError = (): AcequiaError =>
  serverBusyError(
    'Earlier answers to this key or company have not been read yet.',
    'Read them before you ask for more.',
  );

import type { AnyOperation } from '../operation/operation.ts';
import { parseServiceAddress } from './address.ts';
import { monotonicMs, REMOTE_LIMITS } from './bounds.ts';
import { openRemoteConnection } from './connection.ts';
import { openRemoteService } from './service.ts';

export interface BatchClient {
  /** What the service answers to a batch; what it refuses and what goes wrong on the way is thrown as AcequiaError. */
  send(batch: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

/** Batches for a service, by an operation that changes nothing when it comes again: so a batch needs no key of its own. */
export function batchClient(options: {
  readonly url: string;
  readonly key: string | null;
  readonly described: AnyOperation;
}): BatchClient {
  const { key, described } = options;
  const address = parseServiceAddress(options.url);
  const connection = openRemoteConnection({ address, key, limits: REMOTE_LIMITS });
  const service = openRemoteService({ connection, address, key, limits: REMOTE_LIMITS });
  return {
    async send(batch) {
      const requestOptions = { idempotencyKey: null, lang: null, deadline: monotonicMs() + REMOTE_LIMITS.callMs };
      return (await service.request(described, batch, requestOptions)).body;
    },
    close: () => connection.close(),
  };
}

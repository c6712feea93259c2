import type { AnyOperation } from '../operation/operation.ts';
import { addressOf } from './address.ts';
import { BOUNDS, ticking } from './bounds.ts';
import { openConnection } from './connection.ts';
import { openService } from './service.ts';

export interface RemoteBatches {
  /** What the service answers to a batch; what it refuses and what goes wrong on the way is thrown as AcequiaError. */
  send(batch: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

/** Batches for a service, by an operation that changes nothing when it comes again: so a batch needs no key of its own. */
export function remoteBatches(options: {
  readonly url: string;
  readonly key: string | null;
  readonly described: AnyOperation;
}): RemoteBatches {
  const { key, described } = options;
  const address = addressOf(options.url);
  const connection = openConnection({ address, key, bounds: BOUNDS });
  const service = openService({ connection, address, key, bounds: BOUNDS });
  return {
    async send(batch) {
      const how = { idempotencyKey: null, lang: null, deadline: ticking() + BOUNDS.callMs };
      return (await service.ask(described, batch, how)).body;
    },
    close: () => connection.close(),
  };
}

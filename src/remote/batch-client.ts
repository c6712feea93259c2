import type { AnyOperation } from '../operation/operation.ts';
import { monotonicMs } from './service/deadline.ts';
import { REMOTE_LIMITS } from './service/remote-limits.ts';
import { RemoteService } from './service/remote-service.ts';

interface BatchClientOptions {
  readonly url: string;
  readonly key: string | null;
  readonly operation: AnyOperation;
}

/**
 * Sends batches with an operation that is idempotent by itself, so that no batch needs an
 * idempotency key.
 */
export function batchClient({ url, key, operation }: BatchClientOptions) {
  const service = new RemoteService({ url, key, limits: REMOTE_LIMITS });
  return {
    async send(batch: Readonly<Record<string, unknown>>): Promise<unknown> {
      const deadline = monotonicMs() + REMOTE_LIMITS.callMs;
      const requestOptions = { idempotencyKey: null, lang: null, deadline };
      return (await service.request(operation, batch, requestOptions)).body;
    },
    close: () => service.close(),
  };
}

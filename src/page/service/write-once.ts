import type { ServiceCall } from './page-operations.ts';
import { type Answer, NO_ANSWER, type Service } from './page-service.ts';
import { toServiceError } from './use-loaded.ts';

/** Phones also reach a service without TLS, where `crypto.randomUUID` does not exist. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

interface Pending<T> {
  readonly key: string;
  /** At most one of these was recorded, because they share the key. */
  unanswered: readonly T[];
}

/**
 * Writes what a person means to do once, however often it is tried: until the outcome of an attempt
 * is known, the next one has the same key. If an earlier attempt was recorded after all, its answer
 * is returned.
 */
export function writerOnce<T extends ServiceCall>(service: Service) {
  const pendingByIntent = new Map<string, Pending<T>>();
  return async (
    intent: string,
    attempt: T,
  ): Promise<{ readonly recorded: T; readonly answer: Answer }> => {
    const pending = pendingByIntent.get(intent) ?? { key: newIdempotencyKey(), unanswered: [] };
    pendingByIntent.set(intent, pending);

    const isOther = (earlier: T): boolean =>
      JSON.stringify(earlier.fields) !== JSON.stringify(attempt.fields);
    const others = pending.unanswered.filter(isOther);
    const candidates = [attempt, ...others];

    for (const recorded of candidates) {
      try {
        const { operation, fields } = recorded;
        const answer = await service.call(operation, fields, { idempotencyKey: pending.key });
        pendingByIntent.delete(intent);
        return { recorded, answer };
      } catch (error) {
        const { code } = toServiceError(error);
        // Another attempt was recorded with the key: each is sent again until one is answered.
        if (code === 'IDEMPOTENCY_KEY_REUSED' && recorded !== candidates.at(-1)) continue;
        if (code === NO_ANSWER && recorded === attempt) pending.unanswered = [...others, attempt];
        if (pending.unanswered.length === 0) pendingByIntent.delete(intent);
        throw error;
      }
    }

    throw new Error('The last candidate returns or throws.');
  };
}

import { useRef } from 'preact/hooks';
import { newIdempotencyKey } from './idempotency-key.ts';
import { usePage } from './page-context.ts';
import type { Answer } from './service.ts';
import { toServiceError } from './use-loaded.ts';

type Write = (
  operation: string,
  fields: Readonly<Record<string, unknown>>,
  text: string | ((body: unknown) => string),
) => Promise<Answer | null>;

/**
 * Writes once, however often it is asked for: until an answer comes, every attempt of the component has the same key.
 * Says what happened, with a way back, and reads the farm again. Null if it failed.
 */
export function useWrite(): Write {
  const { service, notify, reload } = usePage();
  const idempotencyKey = useRef<string | null>(null);
  return async (operation, fields, text) => {
    idempotencyKey.current ??= newIdempotencyKey();
    try {
      const answer = await service.perform(operation, fields, { idempotencyKey: idempotencyKey.current });
      idempotencyKey.current = null;
      const said = typeof text === 'string' ? text : text(answer.body);
      notify({ text: said, changeId: answer.changeId ?? null, error: null });
      await reload();
      return answer;
    } catch (error) {
      notify({ text: '', changeId: null, error: toServiceError(error) });
      return null;
    }
  };
}

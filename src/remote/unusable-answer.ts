import { CancelledError } from '../domain/event-loop.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { AcequiaError } from '../schema/error.ts';

export const MAX_NAMED_MISMATCHES = 4;

/**
 * What to throw in place of `error`. A value of the right type may still be one that no rule can
 * use, such as a day in the year 200,000.
 */
export function unusableAnswer(
  { name }: AnyOperation,
  mismatches: readonly string[],
  error: unknown,
): unknown {
  if (error instanceof AcequiaError || error instanceof CancelledError) return error;

  const missing = mismatches.slice(0, MAX_NAMED_MISMATCHES).join(', ');
  const unusable = new AcequiaError({
    code: 'REMOTE_INVALID',
    status: 502,
    message:
      missing === ''
        ? `The service answers with values that ${name} cannot use.`
        : `The service omits values that ${name} needs (${missing}).`,
    hint: 'Read what the service has with the tools for single probes and lists.',
  });
  unusable.cause = error;

  return unusable;
}

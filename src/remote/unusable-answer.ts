import { CancelledError } from '../domain/event-loop.ts';
import { aside, operationName } from '../domain/text/program-names.ts';
import { commaSeparated, say, verbatim } from '../domain/text/say.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { AcequiaError } from '../schema/error.ts';

export const MAX_NAMED_MISMATCHES = 4;

/**
 * The error to throw in place of `error`. A value of the right type may still be one that no rule
 * can use, such as a day in the year 200,000.
 */
export function unusableAnswer(
  { name }: AnyOperation,
  mismatches: readonly string[],
  error: unknown,
): unknown {
  if (error instanceof AcequiaError || error instanceof CancelledError) return error;

  const operation = operationName(name);
  const missing = mismatches.slice(0, MAX_NAMED_MISMATCHES).map(verbatim);
  const unusable = new AcequiaError({
    code: 'REMOTE_INVALID',
    status: 502,
    message:
      missing.length === 0
        ? say`The service answers with values that ${operation} cannot use.`
        : say`The service omits values that ${operation} needs${aside(commaSeparated(missing))}.`,
    hint: say`Read what the service has with the tools for single probes and lists.`,
  });
  unusable.cause = error;

  return unusable;
}

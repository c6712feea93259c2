import { checkedArguments } from './arguments/operation-arguments.ts';
import type { Call, ComposedCall } from './call.ts';
import type { AnyComposedOperation, CallOperation } from './operation.ts';
import { withLang } from './operation-fields.ts';
import { isWrite } from './operation-kind.ts';

export type RunPart = (part: CallOperation, fields: Record<string, unknown>) => Promise<unknown>;

export function runComposed(
  operation: AnyComposedOperation,
  call: ComposedCall,
  input: Record<string, unknown>,
  run: RunPart,
): Promise<unknown> {
  const runPart: RunPart = async (part, fields) => {
    if (part.scope !== operation.scope || isWrite(part))
      throw new Error(`${operation.name} may not run ${part.name}`);
    return run(part, withLang(part, fields, call.lang));
  };

  const operations = Object.fromEntries(
    Object.entries(operation.parts).map(([name, part]) => [
      name,
      (fields: Record<string, unknown>) => runPart(part, fields),
    ]),
  );

  return operation.run(call, input, operations);
}

/** Number of probes read concurrently from a local store, which batches their queries. */
export const PROBES_AT_ONCE = 50;

/**
 * About a dozen parts for each probe that is read concurrently. There is a limit because the series of
 * a probe is large.
 */
const MAX_MEMOIZED_PARTS = 12 * PROBES_AT_ONCE;

/**
 * Parts share parts: the brief reads the state that its advice has just read. A composed call reads
 * one snapshot, so equal fields have equal answers.
 */
export function memoizedParts(run: RunPart): RunPart {
  const answers = new Map<string, Promise<unknown>>();
  return (part, fields) => {
    const key = `${part.name} ${JSON.stringify(fields)}`;
    const memoized = answers.get(key);
    if (memoized !== undefined) return memoized;

    const answer = run(part, fields);
    answers.set(key, answer);
    const [oldest] = answers.keys();
    if (answers.size > MAX_MEMOIZED_PARTS && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
}

/** For a part, whose advisories and progress are not those of the whole operation. */
export const partCall = <C extends ComposedCall>(call: C): C => ({
  ...call,
  advise: () => undefined,
  onProgress: undefined,
});

/** Runs a composed operation and its parts in the same transaction. */
export function runWithParts(
  operation: AnyComposedOperation,
  call: Call,
  input: Record<string, unknown>,
): Promise<unknown> {
  const runPart: RunPart = memoizedParts((part, fields) => {
    const partArguments = checkedArguments(part, fields, call);
    return part.parts
      ? runComposed(part, partCall(call), partArguments.input, runPart)
      : part.run(partCall(call), partArguments.input, partArguments.checked);
  });

  return runComposed(operation, call, input, runPart);
}

import { validateArguments } from './arguments/argument-validation.ts';
import type { Call, ComposedCall } from './call.ts';
import { type AnyComposedOperation, type CallOperation, withLang } from './operation.ts';
import { isWrite } from './operation-kind.ts';

type Fields = Record<string, unknown>;
type PerformPart = (part: CallOperation, fields: Fields) => Promise<unknown>;

export function runComposed(
  operation: AnyComposedOperation,
  call: ComposedCall,
  input: Fields,
  perform: PerformPart,
): Promise<unknown> {
  const performPart: PerformPart = async (part, fields) => {
    if (part.scope !== operation.scope || isWrite(part))
      throw new Error(`${operation.name} may not perform ${part.name}`);
    return perform(part, withLang(part, fields, call.lang));
  };
  const operations = Object.fromEntries(
    Object.entries(operation.performs).map(([name, part]) => [name, (fields: Fields) => performPart(part, fields)]),
  );
  return operation.run(call, input, operations);
}

/** Of a local store, whose queries for them are batched. */
export const PROBES_AT_ONCE = 50;

/**
 * Parts share parts: the brief reads the state that its advice has just read. A composed call reads one snapshot, so that
 * the same fields have the same answer. No more are remembered than those of the probes that are read at once, because a
 * series is large.
 */
const MAX_REMEMBERED = 12 * PROBES_AT_ONCE;

export function rememberingParts(perform: PerformPart): PerformPart {
  const answers = new Map<string, Promise<unknown>>();
  return (part, fields) => {
    const key = `${part.name} ${JSON.stringify(fields)}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = perform(part, fields);
    answers.set(key, answer);
    if (answers.size > MAX_REMEMBERED) answers.delete(answers.keys().next().value!);
    return answer;
  };
}

/** Notes and progress of a part are not those of the whole. */
export const partCall = <C extends ComposedCall>(call: C): C => ({
  ...call,
  note: () => undefined,
  onStep: undefined,
});

/** A composed operation and its parts, each in the same transaction. */
export function runWithParts(operation: CallOperation, call: Call, input: Fields): Promise<unknown> {
  const run = (each: CallOperation, ownCall: Call, fields: Fields): Promise<unknown> =>
    each.performs ? runComposed(each, ownCall, fields, performPart) : each.run(ownCall, fields);
  const performPart: PerformPart = rememberingParts((part, fields) =>
    run(part, partCall(call), validateArguments(part, fields)),
  );
  return run(operation, call, input);
}

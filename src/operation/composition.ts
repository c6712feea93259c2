import type { ComposedCall } from './call.ts';
import { isWrite } from './effect.ts';
import { type AnyComposedOperation, type CallOperation, withLang } from './operation.ts';

type Fields = Record<string, unknown>;

export function runComposed(
  operation: AnyComposedOperation,
  call: ComposedCall,
  input: Fields,
  perform: (part: CallOperation, fields: Fields) => Promise<unknown>,
): Promise<unknown> {
  const performPart = async (part: CallOperation, fields: Fields): Promise<unknown> => {
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

export function rememberingParts(
  perform: (part: CallOperation, fields: Fields) => Promise<unknown>,
): (part: CallOperation, fields: Fields) => Promise<unknown> {
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

import type { ComposedCall } from './call.ts';
import { type AnyComposedOperation, type CallOperation, isWrite, withLang } from './operation.ts';

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

/** Notes and progress of a part are not those of the whole. */
export const partCall = <C extends ComposedCall>(call: C): C => ({
  ...call,
  note: () => undefined,
  onStep: undefined,
});

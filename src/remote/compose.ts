import type { Call, Saying } from '../operation/call.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';

/** What an operation that is put together from others runs in, when those are asked of a service: there is no store. */
export function composingCall(made: {
  performing: AnyOperation;
  operations: ReadonlyMap<string, AnyOperation>;
  saying: Saying;
  remarks: string[];
  ask: (described: AnyOperation, input: Record<string, unknown>) => Promise<unknown>;
}): Call {
  const { performing, operations, saying, remarks, ask } = made;
  const elsewhere = (): never => {
    throw new Error(`${performing.name} runs beside the service and has no store`);
  };
  return {
    ...saying,
    remarks,
    get caller() {
      return elsewhere();
    },
    get company() {
      return elsewhere();
    },
    get source() {
      return elsewhere();
    },
    get db() {
      return elsewhere();
    },
    standsAnywhere: async () => elsewhere(),
    remark: (text) => void remarks.push(text),
    perform(name, input) {
      const other = operations.get(name);
      if (!other || !performing.performs?.includes(name) || isWrite(other))
        throw new Error(`${performing.name} may not perform ${name}`);
      return ask(other, input);
    },
  };
}

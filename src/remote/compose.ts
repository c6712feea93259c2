import type { Call, OnStep, Saying } from '../operation/call.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';
import { readArguments } from '../operation/read-arguments.ts';
import { AcequiaError } from '../schema/error.ts';
import { heed } from '../store/attentive.ts';

/** What an operation that is put together from others runs in, when those are asked of a service: there is no store. */
export function composingCall(made: {
  performing: AnyOperation;
  operations: ReadonlyMap<string, AnyOperation>;
  saying: Saying;
  remarks: string[];
  onStep: OnStep | undefined;
  signal: AbortSignal | undefined;
  /** Whether the service is asked for an operation, or that is put together here as well. */
  isAsked: (described: AnyOperation) => boolean;
  ask: (described: AnyOperation, input: Record<string, unknown>) => Promise<unknown>;
}): Call {
  const { performing, operations, saying, remarks, onStep, signal, isAsked, ask } = made;
  const elsewhere = (): never => {
    throw new Error(`${performing.name} runs beside the service and has no store`);
  };
  return {
    ...saying,
    remarks,
    onStep,
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
    heed: () => heed(signal),
    standsAnywhere: async () => elsewhere(),
    remark: (text) => void remarks.push(text),
    async perform(name, input) {
      const other = operations.get(name);
      if (!other || !performing.performs?.includes(name) || isWrite(other))
        throw new Error(`${performing.name} may not perform ${name}`);
      if (isAsked(other)) return ask(other, input);
      const within = composingCall({ ...made, performing: other, remarks: [], onStep: undefined });
      return other.run(within, readArguments(other, input));
    },
  };
}

/** Why something could not be put together: of what a service of another age leaves out, rather than of a fault here. */
export function composingFault(error: unknown, { name, performs }: AnyOperation, strange: readonly string[]): unknown {
  if (error instanceof AcequiaError || strange.length === 0) return error;
  return new AcequiaError({
    code: 'REMOTE_INVALID',
    status: 502,
    message: `The service leaves out what ${name} is put together from (${strange.slice(0, 4).join(', ')}).`,
    hint: `Ask for what it has with ${performs!.join(', ')}.`,
  });
}

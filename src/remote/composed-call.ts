import type { SummaryContext } from '../language/summary-context.ts';
import { validateArguments } from '../operation/argument-validation.ts';
import type { Call, OnStep } from '../operation/call.ts';
import { type AnyOperation, isWrite } from '../operation/operation.ts';
import { AcequiaError } from '../schema/error.ts';
import { yieldOrCancel } from '../store/cancellation.ts';

/** What an operation that is put together from others runs in, when those are asked of a service: there is no store. */
export function composedCall(options: {
  performing: AnyOperation;
  operations: ReadonlyMap<string, AnyOperation>;
  saying: SummaryContext;
  remarks: string[];
  onStep: OnStep | undefined;
  signal: AbortSignal | undefined;
  /** Whether the service is asked for an operation, or that is put together here as well. */
  isAsked: (described: AnyOperation) => boolean;
  ask: (described: AnyOperation, input: Record<string, unknown>) => Promise<unknown>;
}): Call {
  const { performing, operations, saying, remarks: notes, onStep, signal, isAsked, ask } = options;
  const noStore = (): never => {
    throw new Error(`${performing.name} runs beside the service and has no store`);
  };
  return {
    ...saying,
    notes,
    onStep,
    get caller() {
      return noStore();
    },
    get company() {
      return noStore();
    },
    get source() {
      return noStore();
    },
    get db() {
      return noStore();
    },
    yieldOrCancel: () => yieldOrCancel(signal),
    existsAnywhere: async () => noStore(),
    note: (text) => void notes.push(text),
    async perform(name, input) {
      const other = operations.get(name);
      if (!other || !performing.performs?.includes(name) || isWrite(other))
        throw new Error(`${performing.name} may not perform ${name}`);
      if (isAsked(other)) return ask(other, input);
      const nestedCall = composedCall({ ...options, performing: other, remarks: [], onStep: undefined });
      return other.run(nestedCall, validateArguments(other, input));
    },
  };
}

/** Why something could not be put together: of what a service of another age leaves out, rather than of a fault here. */
export function composedError(
  error: unknown,
  { name, performs }: AnyOperation,
  missingPaths: readonly string[],
): unknown {
  if (error instanceof AcequiaError || missingPaths.length === 0) return error;
  return new AcequiaError({
    code: 'REMOTE_INVALID',
    status: 502,
    message: `The service leaves out what ${name} is put together from (${missingPaths.slice(0, 4).join(', ')}).`,
    hint: `Ask for what it has with ${performs!.join(', ')}.`,
  });
}

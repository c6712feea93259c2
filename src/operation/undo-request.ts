import type { CallTrace } from '../observe/observer.ts';
import { checkedArguments } from './arguments/operation-arguments.ts';
import type { AnyOperation } from './operation.ts';
import type { OperationRequest } from './operation-runner.ts';

/** Undoes what a cancelled call has written. */
export function undoRequest(
  undo: AnyOperation,
  changeId: number,
  trace: CallTrace | undefined,
): OperationRequest {
  const fields = { changeId };
  return {
    rawArguments: fields,
    trace,
    readArguments: async (context) => checkedArguments(undo, fields, context),
  };
}

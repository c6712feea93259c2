import type { Advisory } from '../../schema/advisory.ts';
import type { CheckContext } from '../call.ts';
import type { AnyOperation } from '../operation.ts';
import { inputFields } from '../operation-fields.ts';
import { validateArguments } from './argument-validation.ts';

export interface OperationArguments {
  /** By the name of the field, as the endpoint takes them. */
  readonly restArguments: Record<string, unknown>;
  /** After validation, as `run` of the operation takes them. */
  readonly input: Record<string, unknown>;
  /** The result of the operation's `check`. */
  readonly checked: unknown;
  readonly advisories: readonly Advisory[];
}

/** Arguments that the program itself composed, by the names of the fields. */
export function checkedArguments(
  operation: AnyOperation,
  values: Record<string, unknown>,
  context: CheckContext,
): OperationArguments {
  const fields = inputFields(operation);
  const unknown = Object.keys(values).find((name) => !fields.has(name));
  if (unknown !== undefined) throw new Error(`${operation.name} has no field ${unknown}`);

  const input = validateArguments(fields, values);
  const checked = operation.check?.(input, context);
  return { restArguments: values, input, checked, advisories: [] };
}

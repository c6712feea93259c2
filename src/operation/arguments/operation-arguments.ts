import { argumentNames, operationName } from '../../domain/text/program-names.ts';
import { quotedName, say } from '../../domain/text/say.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { CheckContext } from '../call.ts';
import type { AnyOperation } from '../operation.ts';
import { inputFields } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
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
  if (unknown !== undefined)
    throw invalidInputError(
      isWrite(operation) ? 'invalid_body' : 'invalid_parameter',
      say`There is no field ${quotedName(unknown)}.`,
      {
        hint: say`${operationName(operation.name)} takes ${argumentNames([...fields.keys()])}.`,
        field: unknown,
      },
    );

  const input = validateArguments(fields, values);
  const checked = operation.check?.(input, context);
  return { restArguments: values, input, checked, advisories: [] };
}

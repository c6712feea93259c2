import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { invalidInputError } from '../../schema/error.ts';
import { fieldMetadata } from '../../schema/field.ts';
import { findExcessLength } from '../../schema/length-limits.ts';
import type { AnyOperation } from '../operation.ts';
import { defaultErrorCode, toolField } from '../operation-fields.ts';

/**
 * To be called before anything reads the values, which are by the names of their fields: readers and
 * zod walk a text or a list of any length.
 */
export function assertLengths(
  operation: AnyOperation,
  fields: Readonly<Record<string, unknown>>,
  nameOf: (field: string) => string = (field) => field,
): void {
  for (const [name, value] of Object.entries(fields)) {
    const schema = toolField(operation, name);
    const excess = schema === undefined ? null : findExcessLength(value, schema);
    if (schema === undefined || excess === null) continue;

    const { code, hint } = fieldMetadata(schema);
    const field = nameOf(name);
    const label = [field, ...excess.path].join('.');
    throw invalidInputError(
      code ?? defaultErrorCode(operation, name),
      say`${argument(label)} is not valid: its length is ${excess.length}, and must be at most ${excess.max}.`,
      { hint: hint ?? say`Shorten ${argument(field)}.`, field },
    );
  }
}

import { z } from 'zod/v3';
import type { ArgumentWords } from '../../language/text/spoken-argument.ts';
import { field, fieldMetadata } from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import { variantsOf } from '../operation-fields.ts';
import { schemaAt } from './argument-validation.ts';
import { toolFields } from './tool-fields.ts';

/** Arguments of tools that write, which no operation has as a field. */
const TOOL_FIELDS: ReadonlyMap<string, z.ZodTypeAny> = new Map([
  ['idempotencyKey', field<z.ZodTypeAny>(z.string(), { words: 'key against double entries' })],
  ['clear', field(z.array(z.string()), { words: 'list of what to empty' })],
]);

/** A field without words is called as the argument is named: "parcel". */
export function argumentWordsOf(operation: AnyOperation): ArgumentWords {
  const variants = variantsOf(operation);

  const fieldCalled = (argument: string): z.ZodTypeAny | undefined => {
    for (const variant of variants) {
      const { byArgument, byName } = toolFields(variant);
      const named = byArgument.get(argument) ?? byName.get(argument);
      if (named !== undefined) return named.schema;
    }
    return TOOL_FIELDS.get(argument);
  };

  return ([argument = '', ...path]) => {
    const schema = fieldCalled(argument);
    const member = schema && schemaAt(schema, path);
    if (member === undefined) return null;
    return fieldMetadata(member).words ?? (path.length === 0 ? argument : null);
  };
}

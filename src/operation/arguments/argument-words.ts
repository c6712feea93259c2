import { z } from 'zod/v3';
import type { ArgumentWords } from '../../language/text/spoken-argument.ts';
import { field, fieldMetadata, innerSchema } from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import { fieldNamesByArgument, toolField } from '../operation-fields.ts';

/** Arguments of tools that write, which no operation has as a field. */
const TOOL_FIELDS: Readonly<Record<string, z.ZodTypeAny>> = {
  idempotencyKey: field(z.string(), { words: 'key against double entries' }),
  clear: field(z.array(z.string()), { words: 'list of what to empty' }),
};

/** The words that stand on the fields of a tool, of which some are called as they are named: "parcel". */
export function argumentWordsOf(operation: AnyOperation): ArgumentWords {
  const { parcelVariant } = operation.tool ?? {};
  const variants = parcelVariant === undefined ? [operation] : [operation, parcelVariant];

  const fieldCalled = (argument: string): z.ZodTypeAny | undefined => {
    for (const variant of variants) {
      const name = fieldNamesByArgument(variant).get(argument) ?? argument;
      const schema = toolField(variant, name);
      if (schema !== undefined) return schema;
    }
    return entryOrUndefined(TOOL_FIELDS, argument);
  };

  return ([argument = '', ...path]) => {
    const schema = fieldCalled(argument);
    const member = schema && schemaAt(schema, path);
    if (member === undefined) return null;
    return fieldMetadata(member).words ?? (path.length === 0 ? argument : null);
  };
}

/** The schema of an item of a list, or of a field of an object; undefined if it has none. */
export function schemaAt(
  schema: z.ZodTypeAny,
  [step, ...path]: readonly string[],
): z.ZodTypeAny | undefined {
  if (step === undefined) return schema;
  const inner = innerSchema(schema);
  const shape: z.ZodRawShape = inner instanceof z.ZodObject ? inner.shape : {};
  const member = inner instanceof z.ZodArray ? inner.element : entryOrUndefined(shape, step);
  return member && schemaAt(member, path);
}

const entryOrUndefined = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

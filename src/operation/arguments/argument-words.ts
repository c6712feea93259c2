import { z } from 'zod/v3';
import type { ArgumentWords } from '../../language/text/spoken-argument.ts';
import { field, fieldMetadata, innerSchema } from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import { fieldNamesByArgument, knownToolField } from '../operation-fields.ts';

/** Arguments of tools that write, which no operation has as a field. */
const TOOL_FIELDS: Readonly<Record<string, z.ZodTypeAny>> = {
  idempotencyKey: field(z.string(), { words: 'key against double entries' }),
  clear: field(z.array(z.string()), { words: 'list of what to empty' }),
};

/** The words that stand on the fields of a tool. */
export function argumentWordsOf(operation: AnyOperation): ArgumentWords {
  const { parcelVariant } = operation.tool ?? {};
  const variants = parcelVariant === undefined ? [operation] : [operation, parcelVariant];

  return ([argument = '', ...path]) => {
    const toolField = Object.hasOwn(TOOL_FIELDS, argument) ? TOOL_FIELDS[argument] : undefined;
    if (toolField !== undefined) return wordsAt(toolField, path);

    for (const variant of variants) {
      const name = fieldNamesByArgument(variant).get(argument);
      if (name !== undefined) return wordsAt(knownToolField(variant, name), path);
    }
    return null;
  };
}

function wordsAt(schema: z.ZodTypeAny, [step, ...path]: readonly string[]): string | null {
  if (step === undefined) return fieldMetadata(schema).words;
  const member = memberAt(innerSchema(schema), step);
  return member === undefined ? null : wordsAt(member, path);
}

function memberAt(schema: z.ZodTypeAny, step: string): z.ZodTypeAny | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  const shape: z.ZodRawShape = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.hasOwn(shape, step) ? shape[step] : undefined;
}

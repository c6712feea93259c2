import { z } from 'zod';
import { invalidInput } from '../schema/error.ts';
import { fieldMetadata, innerSchema } from '../schema/field.ts';
import { type AnyOperation, defaultErrorCode } from './operation.ts';

/** Refuses a list that is longer than its schema takes by its length alone, before anything walks it. */
export function refuseOversizedLists(operation: AnyOperation, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, schema] of Object.entries(operation.input.shape as z.ZodRawShape)) {
    const value = fields[name];
    if (!Array.isArray(value)) continue;
    const most = maxListLength(schema);
    if (most === null || value.length <= most) continue;
    const { code, hint } = fieldMetadata(schema);
    throw invalidInput(
      code ?? defaultErrorCode(operation, name),
      `${name} is not right: it is ${value.length} long, and at most ${most} long is needed.`,
      { hint: hint ?? `Shorten ${name}.`, field: name },
    );
  }
}

/** How long a list may be; null where it may be any length, or is none. */
function maxListLength(schema: z.ZodTypeAny): number | null {
  const inner = innerSchema(schema);
  return inner instanceof z.ZodArray ? (inner._def.maxLength?.value ?? null) : null;
}

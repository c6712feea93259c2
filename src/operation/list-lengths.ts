import { z } from 'zod';
import { refuse } from '../schema/error.ts';
import { bare, factsOf } from '../schema/field.ts';
import { type AnyOperation, codeOfPlace } from './operation.ts';

/** Refuses a list that is longer than its schema takes by its length alone, before anything walks it. */
export function refuseLongLists(described: AnyOperation, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, schema] of Object.entries(described.input.shape as z.ZodRawShape)) {
    const value = fields[name];
    if (!Array.isArray(value)) continue;
    const most = mostOf(schema);
    if (most === null || value.length <= most) continue;
    const { code, hint } = factsOf(schema);
    throw refuse(
      code ?? codeOfPlace(described, name),
      `${name} is not right: it is ${value.length} long, and at most ${most} long is needed.`,
      { hint: hint ?? `Shorten ${name}.`, field: name },
    );
  }
}

/** How long a list may be; null where it may be any length, or is none. */
function mostOf(schema: z.ZodTypeAny): number | null {
  const inner = bare(schema);
  return inner instanceof z.ZodArray ? (inner._def.maxLength?.value ?? null) : null;
}

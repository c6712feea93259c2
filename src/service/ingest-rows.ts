import type { z } from 'zod';
import { truncatedJson } from '../operation/json-start.ts';

/** Characters of a refused row that are of use: fewer are told. */
const MAX_EXCERPT_LENGTH = 400;

/** A row that was read, or why it was not. */
export type ParsedRow<T> = { readonly row: T } | { readonly refused: string };

/** Reads one row of a batch by the schema of its kind. The reason of a refusal is one of a handful, fit for counting. */
export function parseRow<S extends z.AnyZodObject>(schema: S, value: unknown): ParsedRow<z.output<S>> {
  const read = schema.safeParse(value);
  if (read.success) return { row: read.data };
  const issue = read.error.issues.find(({ code }) => code === 'unrecognized_keys') ?? read.error.issues[0]!;
  const name = String(issue.path[0] ?? '');
  const field = schema.shape[name] as z.ZodTypeAny | undefined;
  if (issue.code === 'unrecognized_keys' || field === undefined)
    return { refused: issue.path.length === 0 && issue.code === 'invalid_type' ? 'it is no object' : 'unknown field' };
  const isMissing = issue.code === 'invalid_type' && issue.received === 'undefined';
  return { refused: isMissing ? `no ${name}` : `${name} is not ${describeField(field)}` };
}

/** The start of a row as it was sent. */
export const rowExcerpt = (value: unknown): string =>
  truncatedJson(value, MAX_EXCERPT_LENGTH).slice(0, MAX_EXCERPT_LENGTH);

const describeField = (field: z.ZodTypeAny): string =>
  field.description ?? (field as z.ZodOptional<z.ZodTypeAny>).unwrap?.().description ?? 'valid';

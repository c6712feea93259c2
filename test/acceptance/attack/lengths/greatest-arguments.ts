import { z } from 'zod/v3';
import { MAX_NESTED_TEXT } from '../../../../src/domain/text/greatest-lengths.ts';
import type { AnyOperation } from '../../../../src/operation/operation.ts';
import { inputFields } from '../../../../src/operation/operation-fields.ts';
import { unwrapModifiers } from '../../../../src/schema/field.ts';
import { maxListLength, maxTextLength } from '../../../../src/schema/length-limits.ts';
import { validFields } from './hostile-arguments.ts';

const MAX_BODY_BYTES = 16_000_000;
/** A text of fewer characters has a form, such as that of a time, and stays as it is. */
const MIN_FREE_TEXT = 500;

function bare(schema: z.ZodTypeAny): z.ZodTypeAny {
  const inner = unwrapModifiers(schema);
  return inner instanceof z.ZodEffects ? bare(inner.innerType()) : inner;
}

/** Returns as many of the items as the list may have and as fit into one argument. */
function longestList(schema: z.ZodTypeAny, items: readonly unknown[]): unknown[] {
  const bytes = Math.ceil(JSON.stringify(items).length / items.length);
  const count = Math.min(maxListLength(schema), Math.floor(MAX_NESTED_TEXT / bytes));
  return Array.from({ length: Math.max(1, count) }, (_, index) => items[index % items.length]);
}

function greatestValue(schema: z.ZodTypeAny, value: unknown): unknown {
  const inner = bare(schema);
  if (inner instanceof z.ZodArray) {
    const items = Array.isArray(value) && value.length > 0 ? value : ['20 cm: 0.5', '40 cm: 0.5'];
    return longestList(schema, items);
  }
  const length = Math.min(maxTextLength(schema), MAX_BODY_BYTES);
  if (inner instanceof z.ZodString && length >= MIN_FREE_TEXT && typeof value !== 'object')
    return 'Valve 3 opened late, é. '.repeat(length / 20).slice(0, length);
  return value;
}

/** A call whose lists and free texts are as long as they may be, all at once. */
export const greatestFields = (operation: AnyOperation): Readonly<Record<string, unknown>> => {
  const valid = validFields(operation);
  return Object.fromEntries(
    [...inputFields(operation).values()].flatMap(({ name, schema, location }) => {
      if (name === 'csv') return [];
      const value = location !== 'body' ? valid[name] : greatestValue(schema, valid[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

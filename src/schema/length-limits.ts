import { z } from 'zod/v3';
import {
  MAX_FREE_LIST,
  MAX_FREE_TEXT,
  MAX_NESTED_TEXT,
  MAX_REFERENCE_TEXT,
  MAX_SHORT_LIST,
  MAX_SHORT_TEXT,
} from '../domain/text/greatest-lengths.ts';
import { fieldMetadata, isReferenceKind, unwrapModifiers } from './field.ts';

/** A text that is read as a time, a date or a code. */
export const shortText = () => z.string().max(MAX_SHORT_TEXT);

/** The schema of a value itself, without the modifiers and checks around it. */
function bareSchema(schema: z.ZodTypeAny): z.ZodTypeAny {
  const inner = unwrapModifiers(schema);
  return inner instanceof z.ZodEffects ? bareSchema(inner.innerType()) : inner;
}

/** The greatest length of a text that is sent for a value of the schema. */
export function maxTextLength(schema: z.ZodTypeAny): number {
  const { kind } = fieldMetadata(schema);
  if (isReferenceKind(kind)) return MAX_REFERENCE_TEXT;

  const bare = bareSchema(schema);
  if (bare instanceof z.ZodUnion) return Math.max(...bare.options.map(maxTextLength));
  if (bare instanceof z.ZodUnknown) return MAX_FREE_TEXT;
  if (bare instanceof z.ZodArray || bare instanceof z.ZodObject) return MAX_NESTED_TEXT;
  return bare instanceof z.ZodString ? (bare.maxLength ?? 0) : MAX_SHORT_TEXT;
}

/** The greatest number of items of a list that is sent for a value of the schema. */
export function maxListLength(schema: z.ZodTypeAny): number {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodArray) return bare._def.maxLength?.value ?? 0;
  return bare instanceof z.ZodUnknown ? MAX_FREE_LIST : MAX_SHORT_LIST;
}

/** A value that is longer than its schema allows. */
export interface ExcessLength {
  readonly path: readonly (string | number)[];
  readonly length: number;
  readonly max: number;
}

/** Looks at nothing but lengths. Null if each text and list is as short as its schema requires. */
export function findExcessLength(value: unknown, schema: z.ZodTypeAny): ExcessLength | null {
  return new LengthCheck().findIn(value, schema, []);
}

class LengthCheck {
  /** The length of the texts inside a list or an object. */
  #nestedLength = 0;

  findIn(
    value: unknown,
    schema: z.ZodTypeAny,
    path: readonly (string | number)[],
  ): ExcessLength | null {
    if (typeof value === 'string') return this.#findInText(value.length, schema, path);
    if (Array.isArray(value)) return this.#findInList(value, schema, path);
    if (typeof value !== 'object' || value === null) return null;

    const bare = bareSchema(schema);
    const shape: z.ZodRawShape = bare instanceof z.ZodObject ? bare.shape : {};
    for (const [name, member] of Object.entries(value)) {
      if (name.length > MAX_SHORT_TEXT) return excessOfName(name, path);
      const memberSchema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const excess = this.findIn(member, memberSchema ?? ANY, [...path, name]);
      if (excess !== null) return excess;
    }
    return null;
  }

  #findInText(
    length: number,
    schema: z.ZodTypeAny,
    path: readonly (string | number)[],
  ): ExcessLength | null {
    const max = maxTextLength(schema);
    if (length > max) return { path, length, max };
    if (path.length === 0) return null;

    this.#nestedLength += length;
    return this.#nestedLength > MAX_NESTED_TEXT
      ? { path: [], length: this.#nestedLength, max: MAX_NESTED_TEXT }
      : null;
  }

  #findInList(
    list: readonly unknown[],
    schema: z.ZodTypeAny,
    path: readonly (string | number)[],
  ): ExcessLength | null {
    const max = maxListLength(schema);
    if (list.length > max) return { path, length: list.length, max };
    // The rows of a batch are checked one by one.
    if (fieldMetadata(schema).row !== null) return null;

    const bare = bareSchema(schema);
    const itemSchema = bare instanceof z.ZodArray ? bare.element : schema;
    for (const [index, item] of list.entries()) {
      const excess = this.findIn(item, itemSchema, [...path, index]);
      if (excess !== null) return excess;
    }
    return null;
  }
}

const ANY = z.unknown();

const excessOfName = (name: string, path: readonly (string | number)[]): ExcessLength => ({
  path: [...path, `${name.slice(0, 20)}…`],
  length: name.length,
  max: MAX_SHORT_TEXT,
});

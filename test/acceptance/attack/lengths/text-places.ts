import { z } from 'zod/v3';
import { MAX_NESTED_TEXT } from '../../../../src/domain/text/greatest-lengths.ts';
import type { AnyOperation } from '../../../../src/operation/operation.ts';
import { inputFields } from '../../../../src/operation/operation-fields.ts';
import { fieldMetadata, unwrapModifiers } from '../../../../src/schema/field.ts';
import { maxListLength, maxTextLength } from '../../../../src/schema/length-limits.ts';

type ValueWith = (value: unknown) => unknown;

/** A position of a text in the arguments of an operation. */
export interface TextPlace {
  readonly name: string;
  readonly field: string;
  readonly maxLength: number;
  /** The value of the field with this text. */
  readonly valueWith: ValueWith;
}

const bare = (schema: z.ZodTypeAny): z.ZodTypeAny => {
  const inner = unwrapModifiers(schema);
  return inner instanceof z.ZodEffects ? bare(inner.innerType()) : inner;
};

function placesIn(
  schema: z.ZodTypeAny,
  name: string,
  field: string,
  valueWith: ValueWith,
): TextPlace[] {
  const own: TextPlace = { name, field, maxLength: maxTextLength(schema), valueWith };
  const inner = bare(schema);
  if (inner instanceof z.ZodArray && fieldMetadata(schema).row === null)
    return [own, fullList(own, schema, inner), ...placesInItem(own, inner)];
  if (inner instanceof z.ZodObject)
    return [
      own,
      ...Object.entries<z.ZodTypeAny>(inner.shape).flatMap(([member, memberSchema]) =>
        placesIn(memberSchema, `${name}.${member}`, field, (value) =>
          valueWith({ [member]: value }),
        ),
      ),
    ];
  return [own];
}

const placesInItem = ({ name, field, valueWith }: TextPlace, list: z.ZodArray<z.ZodTypeAny>) =>
  placesIn(list.element, `${name}[]`, field, (value) => valueWith([value]));

/** Returns as many texts as the list may have, each of the maximal length. */
function fullList(
  { name, field, valueWith }: TextPlace,
  schema: z.ZodTypeAny,
  { element }: z.ZodArray<z.ZodTypeAny>,
): TextPlace {
  const maxLength = maxTextLength(element);
  const count = Math.min(maxListLength(schema), Math.floor(MAX_NESTED_TEXT / maxLength));
  return {
    name: `${name}[${count}]`,
    field,
    maxLength,
    valueWith: (text) => valueWith(Array(Math.max(1, count)).fill(text)),
  };
}

export const textPlaces = (operation: AnyOperation): readonly TextPlace[] =>
  [...inputFields(operation).values()].flatMap(({ name, schema }) =>
    placesIn(schema, name, name, (value) => value),
  );

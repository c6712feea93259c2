import { z } from 'zod/v3';
import { fieldMetadata } from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import { inputFields, variantsOf } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import { type JsonSchema, jsonSchema } from './json-schema.ts';

/**
 * Levels of nested objects whose fields are listed. Fewer for a write, because what it returns can
 * be read again in full.
 */
const LISTED_LEVELS = { read: 1, write: 0 } as const;

/**
 * Lists what every tool answers, then the fields of the body. Only names and types are listed,
 * because a concise answer has to match too, and every client reads this at its start. Listed
 * without a type are the fields of every tool, because the type would be repeated in each, and
 * values that may be null, because some clients warn about type arrays.
 */
export function toolOutputSchema(operation: AnyOperation): JsonSchema {
  const content = contentSchema(operation);
  const properties: Record<string, JsonSchema> = { summary: {}, next: {} };
  if (isWrite(operation) && !operation.answerIsSecret) properties.changeId = {};
  Object.assign(properties, content.properties);
  // Without a cursor of its own, a tool answers none.
  if (inputFields(operation).get('cursor')?.metadata.isRestOnly) delete properties.next_cursor;

  const levels = LISTED_LEVELS[isWrite(operation) ? 'write' : 'read'];
  return outline({ ...content, properties }, levels, []);
}

/** A body that may be null is nested under a name. */
function contentSchema(operation: AnyOperation): JsonSchema {
  const { output, tool } = operation;
  const body = listedSchema(output);
  for (const variant of variantsOf(operation).slice(1))
    body.properties = {
      ...withoutNestedFields(listedSchema(variant.output)),
      ...body.properties,
    };

  return tool?.wrapBodyAs === undefined
    ? body
    : { type: 'object', properties: { [tool.wrapBodyAs]: body } };
}

/** Without the fields of the body that few answers have. */
function listedSchema(output: z.ZodTypeAny): JsonSchema {
  const schema = jsonSchema(output);
  if (!(output instanceof z.ZodObject) || schema.properties === undefined) return schema;
  const shape: z.ZodRawShape = output.shape;
  const listed = Object.entries(schema.properties).filter(
    ([name]) => shape[name] === undefined || !fieldMetadata(shape[name]).isUnlisted,
  );
  return { ...schema, properties: Object.fromEntries(listed) };
}

const withoutNestedFields = ({ properties = {} }: JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, outline(each, -1, [])]),
  );

/** Objects with this many fields more than one that is listed count as the same. */
const MAX_ADDED_FIELDS = 2;

/** An object that may be null is listed with its fields if it has no more than these. */
const MAX_FIELDS_BESIDE_NULL = 8;

/**
 * The names and types of a schema. Below `levels`, an object is listed without its fields, and so is
 * one whose fields are `listed` already; the fields of others are added to `listed`.
 */
function outline(
  { type, properties, items }: JsonSchema,
  levels: number,
  listed: string[][],
): JsonSchema {
  if (Array.isArray(type) || type === 'null') {
    const object = properties ? outline({ type: 'object', properties }, levels, listed) : {};
    const fields = Object.keys(object.properties ?? {});
    return fields.length === 0 || fields.length > MAX_FIELDS_BESIDE_NULL
      ? {}
      : { anyOf: [object, { type: 'null' }] };
  }

  if (properties) {
    const names = Object.keys(properties);
    const isListed = listed.some(
      (fields) =>
        names.length - fields.length <= MAX_ADDED_FIELDS &&
        fields.every((each) => names.includes(each)),
    );
    if (levels < 0 || isListed) return { type: 'object' };

    listed.push(names);
    const outlines = Object.entries(properties).map(([name, each]) => [
      name,
      outline(each, levels - 1, listed),
    ]);
    return { type: 'object', properties: Object.fromEntries(outlines) };
  }

  if (items === undefined) return type === undefined ? {} : { type };

  const item = outline(items, levels, listed);
  return item.properties ? { type, items: item } : { type };
}

import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import type { AnyOperation } from '../../src/operation/operation.ts';
import { inputFields } from '../../src/operation/operation-fields.ts';
import { farmFile } from '../../src/schema/farm/farm-file.ts';
import { fieldMetadata } from '../../src/schema/field.ts';
import { payloadMap } from '../../src/schema/ingest/payload-map.ts';
import { appTools, operations } from '../../tools/index.ts';

/** The paths of all texts and lists in a schema to which it sets no greatest length. */
function unlimitedIn(schema: z.ZodTypeAny, path: string): string[] {
  const definition = schema._def;
  const { row } = fieldMetadata(schema);
  if (row !== null) return [...unlimitedIn(row, `${path}[]`), ...unlimitedList(schema, path)];

  if (schema instanceof z.ZodString) return schema.maxLength === null ? [path] : [];
  if (schema instanceof z.ZodArray)
    return [...unlimitedList(schema, path), ...unlimitedIn(schema.element, `${path}[]`)];
  if (schema instanceof z.ZodObject)
    return Object.entries<z.ZodTypeAny>(schema.shape).flatMap(([name, member]) =>
      unlimitedIn(member, `${path}.${name}`),
    );
  if (schema instanceof z.ZodUnion)
    return definition.options.flatMap((option: z.ZodTypeAny) => unlimitedIn(option, path));
  if (schema instanceof z.ZodRecord) return unlimitedIn(schema.valueSchema, `${path}.*`);
  if (schema instanceof z.ZodTuple)
    return definition.items.flatMap((item: z.ZodTypeAny) => unlimitedIn(item, path));
  const inner = definition.innerType ?? definition.schema;
  return inner === undefined ? [] : unlimitedIn(inner, path);
}

function unlimitedList(schema: z.ZodTypeAny, path: string): string[] {
  if (schema instanceof z.ZodOptional) return unlimitedList(schema.unwrap(), path);
  return schema instanceof z.ZodArray && schema._def.maxLength === null ? [path] : [];
}

const unlimitedFields = (operation: AnyOperation): string[] =>
  [...inputFields(operation).values()].flatMap(({ name, schema }) => unlimitedIn(schema, name));

describe('a greatest length', () => {
  it.each([...operations, ...appTools].map((operation) => [operation.name, operation] as const))(
    'is set to each text and list of %s',
    (_, operation) => expect(unlimitedFields(operation)).toEqual([]),
  );

  it('is set to each text and list of a farm file and of a payload map', () => {
    expect(unlimitedIn(farmFile, 'farm')).toEqual([]);
    expect(unlimitedIn(payloadMap, 'map')).toEqual([]);
  });

  it('is missed in any kind of schema', () => {
    const schema = z.strictObject({
      text: z.string().optional(),
      list: z.array(z.string().max(1)).nullable(),
      items: z.array(z.preprocess((item) => item, z.string().trim())).max(1),
      either: z.union([z.number(), z.string()]).default(1),
      record: z.record(z.string()),
    });
    expect(unlimitedIn(schema, '')).toEqual(['.text', '.list', '.items[]', '.either', '.record.*']);
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod/v3';
import { isRecord } from '../../domain/records.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import { inputFields } from '../../operation/operation-fields.ts';
import { fieldMetadata, isReferenceKind } from '../../schema/field.ts';

/**
 * The parts of an example beside the examples of the fields, in
 * `tools/<feature>/examples/<operation>.json`.
 */
interface ExampleStory {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly csv?: string;
  readonly response?: unknown;
}

export type ExampleStories = ReadonlyMap<string, ExampleStory>;

export async function readExampleStories(toolsFolder: string): Promise<ExampleStories> {
  const stories = new Map<string, ExampleStory>();
  for (const file of await readdir(toolsFolder, { recursive: true })) {
    if (!file.endsWith('.json')) continue;
    const operation = basename(file, '.json').replaceAll('-', '_');
    stories.set(operation, JSON.parse(await readFile(join(toolsFolder, file), 'utf8')));
  }
  return stories;
}

/** A request with its response. */
export interface OperationExample {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly csv: string | undefined;
  readonly response: unknown;
}

/** Completes the story of an operation with the examples of its fields. */
export function composeExample(
  operation: AnyOperation,
  story: ExampleStory = {},
): OperationExample {
  const { input, output } = operation;
  const request = composedObject(input, {
    ...optionalEntries(operation),
    ...story.parameters,
    ...story.body,
  });
  const fields = inputFields(operation);
  const partOfRequest = (isInBody: boolean) =>
    Object.fromEntries(
      Object.entries(request).filter(
        ([name]) => (fields.get(name)?.location === 'body') === isInBody,
      ),
    );

  return {
    parameters: partOfRequest(false),
    body: partOfRequest(true),
    csv: story.csv,
    response: operation.render ? undefined : composedExample(output, story.response),
  };
}

/** Leaves out filters and references, since only a story knows what they mean together. */
function optionalEntries(operation: AnyOperation): Record<string, unknown> {
  const entries = [...inputFields(operation).values()].flatMap((field) => {
    const { name, schema, location } = field;
    const { kind, example } = field.metadata;
    const isEntry = schema.isOptional() && location === 'body' && !isReferenceKind(kind);
    return isEntry && example !== undefined ? [[name, example]] : [];
  });
  return Object.fromEntries(entries);
}

/** Undefined where neither the story nor a field has an example, and for what may be left out. */
function composedExample(schema: z.ZodTypeAny, story?: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return story === undefined ? undefined : composedExample(innerOf(schema), story);

  const { example } = fieldMetadata(schema);
  if (story === undefined && example !== undefined) return example;
  if (schema instanceof z.ZodNullable)
    return story === null ? null : (composedExample(schema.unwrap(), story) ?? null);
  if (schema instanceof z.ZodEffects) return composedExample(schema.innerType(), story);

  if (schema instanceof z.ZodObject)
    return story === undefined || isRecord(story) ? composedObject(schema, story) : story;
  if (schema instanceof z.ZodArray) return composedList(schema, story);
  return story === undefined ? plainExample(schema) : story;
}

const innerOf = (schema: z.ZodOptional<z.ZodTypeAny> | z.ZodDefault<z.ZodTypeAny>): z.ZodTypeAny =>
  schema instanceof z.ZodOptional ? schema.unwrap() : schema.removeDefault();

function composedObject(
  schema: z.AnyZodObject,
  story: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  // What the schema lacks stays, so that the test of the examples finds it.
  const composed: Record<string, unknown> = { ...story };
  for (const [name, field] of Object.entries<z.ZodTypeAny>(schema.shape)) {
    const value = composedExample(field, story[name]);
    if (value !== undefined) composed[name] = value;
  }
  return composed;
}

function composedList({ element }: z.ZodArray<z.ZodTypeAny>, story: unknown): unknown {
  if (Array.isArray(story)) return story.map((item) => composedExample(element, item));
  if (story !== undefined) return story;

  const item = composedExample(element);
  return element.safeParse(item).success ? [item] : [];
}

function plainExample(schema: z.ZodTypeAny): unknown {
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  return schema instanceof z.ZodBoolean ? false : undefined;
}

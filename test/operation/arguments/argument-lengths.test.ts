import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { collectRestArguments } from '../../../src/operation/arguments/rest-arguments.ts';
import { readToolArguments } from '../../../src/operation/arguments/tool-arguments.ts';
import { toolFields } from '../../../src/operation/arguments/tool-fields.ts';
import type { AnyOperation } from '../../../src/operation/operation.ts';
import { inputFields, type OperationField } from '../../../src/operation/operation-fields.ts';
import { innerSchema } from '../../../src/schema/field.ts';
import { maxListLength, maxTextLength } from '../../../src/schema/length-limits.ts';
import { appTools, operations, operationsByName, tools } from '../../../tools/index.ts';

/** Nothing of a call is looked up or read before its lengths are checked. */
const NO_CONTEXT = new Proxy({}, { get: () => expect.fail('the arguments were read') }) as never;

const readTool = (operation: AnyOperation, args: object) =>
  readToolArguments(operation, args, NO_CONTEXT);

const readRest = async (
  operation: AnyOperation,
  { name, location }: OperationField,
  value: unknown,
): Promise<unknown> => {
  return collectRestArguments(operation, {
    path: location === 'path' ? { [name]: String(value) } : {},
    query: new URLSearchParams(location === 'query' ? { [name]: String(value) } : {}),
    body: location === 'body' ? { [name]: value } : undefined,
  });
};

const named = (all: Iterable<AnyOperation>) => [...all].map((each) => [each.name, each] as const);

/** A text on which a reader of words would work. */
const longerThan = (length: number): string => '1 h '.repeat(length / 4 + 1);

const refusal = ({ errorCode, argument }: OperationField, label = argument) => ({
  code: errorCode,
  message: expect.stringMatching(
    new RegExp(`^${label} is not valid: its length is \\d+, and must be at most \\d+\\.$`),
  ),
});

describe('a text longer than its field allows', () => {
  it.each(named([...tools, ...appTools]))(
    'is refused by the tool %s before anything reads it',
    async (_, tool) => {
      for (const [argument, field] of toolFields(tool).byArgument) {
        const text = longerThan(maxTextLength(field.schema));
        await expect(readTool(tool, { [argument]: text })).rejects.toMatchObject(refusal(field));
      }
    },
  );

  it.each(named(operations))(
    'is refused by the endpoint of %s before anything reads it',
    async (_, operation) => {
      for (const field of inputFields(operation).values())
        await expect(
          readRest(operation, field, longerThan(maxTextLength(field.schema))),
        ).rejects.toMatchObject(refusal(field));
    },
  );

  it.each(named(tools))(
    'is refused in a list of the tool %s, sent as a list or as JSON',
    async (_, tool) => {
      for (const [argument, field] of toolFields(tool).byArgument) {
        const list = innerSchema(field.schema);
        if (!(list instanceof z.ZodArray) || field.metadata.row !== null) continue;

        const items = Array(2).fill(longerThan(maxTextLength(list.element)));
        for (const value of [items, JSON.stringify(items)])
          await expect(readTool(tool, { [argument]: value })).rejects.toMatchObject(
            refusal(field, `${argument}(\\.0)?`),
          );
      }
    },
  );
});

describe('a list longer than its field allows', () => {
  it.each(named(tools))('is refused by the tool %s before anything reads it', async (_, tool) => {
    for (const [argument, field] of toolFields(tool).byArgument) {
      const items = Array(maxListLength(field.schema) + 1).fill('1 h');
      await expect(readTool(tool, { [argument]: items })).rejects.toMatchObject(refusal(field));
    }
  });
});

describe('the inside of an argument', () => {
  const annotate = operationsByName.get('create_annotation')!;

  it('is limited where a client defines its fields', async () => {
    for (const style of [
      { width: 'x'.repeat(4_001) },
      { widths: Array(10_001).fill(0) },
      { ['x'.repeat(201)]: 1 },
      '{"width":"x"}'.padEnd(250_001),
    ])
      await expect(readTool(annotate, { style })).rejects.toMatchObject({
        code: 'invalid_body',
        field: 'style',
        message: expect.stringMatching(/^style\S* is not valid: its length is /),
      });
  });

  it('is limited as a whole', async () => {
    const corners = Array(2_000).fill('43.61, 3.87'.padEnd(190));
    await expect(
      readTool(operationsByName.get('set_parcel')!, { outline: corners }),
    ).rejects.toMatchObject({
      field: 'outline',
      message: 'outline is not valid: its length is 250040, and must be at most 250000.',
    });
  });
});

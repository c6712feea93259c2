import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { structuredBody } from '../../src/operation/answer.ts';
import { readToolArguments } from '../../src/operation/arguments/tool-arguments.ts';
import { type AnyOperation, operation } from '../../src/operation/operation.ts';
import { toolInputSchema } from '../../src/operation/schemas/tool-input-schema.ts';
import { toolOutputSchema } from '../../src/operation/schemas/tool-output-schema.ts';
import { field } from '../../src/schema/field.ts';
import { FARM_NOW } from '../farm.ts';

const testOperation = (input: z.ZodRawShape, more: Partial<AnyOperation> = {}): AnyOperation =>
  operation({
    name: 'repair_thing',
    title: 'Repair a thing',
    description: 'Repair a thing that is broken, so that it works as it did before.',
    toolset: 'company',
    endpoint: { method: 'PATCH', path: '/thing', status: 200 },
    scope: 'company:read',
    effect: 'update',
    input: z.strictObject(input),
    output: z.strictObject({ fine: z.boolean() }),
    run: async () => ({ fine: true }),
    summary: () => 'Repaired.',
    ...more,
  } as never);

const context = {
  zone: 'Europe/Paris',
  countryCode: null,
  units: 'metric',
  now: FARM_NOW,
  lang: 'en',
  directory: { modules: async () => [], parcels: async () => [] },
  runRead: () => Promise.reject(new Error('read')),
} as const;
const readInput = async (tool: AnyOperation, args: unknown) =>
  (await readToolArguments(tool, args, context)).input;

const text = () => z.string().describe('Some text.');

describe('a REST-only argument', () => {
  const tool = testOperation({
    plain: text().nullish(),
    whole: field(text(), { isRestOnly: true }).nullish(),
  });

  it('is not listed, nor is it among the fields to clear', () => {
    const { properties } = toolInputSchema(tool);
    expect(Object.keys(properties!)).toEqual(['plain', 'clear']);
    expect(properties!.clear!.items).toEqual({ type: 'string' });
  });

  it('is unknown to the tool', async () => {
    await expect(readInput(tool, { whole: 'x' })).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'whole',
    });
    await expect(readInput(tool, { clear: ['whole'] })).rejects.toMatchObject({ field: 'clear' });
  });
});

describe('a body that may be null', () => {
  const output = z.strictObject({ fine: z.boolean() }).nullable();
  const tool = testOperation({}, { effect: 'read', tool: { wrapBodyAs: 'state' }, output });

  it.each([null, { fine: true }])('is wrapped under its name in a tool: %o', (body) => {
    expect(structuredBody(tool, body)).toEqual({ state: body });
  });

  it('is listed under its name, and may be null there', () => {
    expect(toolOutputSchema(tool)).toEqual({
      type: 'object',
      properties: {
        summary: {},
        next: {},
        state: {
          anyOf: [{ type: 'object', properties: { fine: { type: 'boolean' } } }, { type: 'null' }],
        },
      },
    });
  });
});

describe('the inside of an argument', () => {
  const part = z.strictObject({
    depth: z.number().positive().max(9),
    names: z.array(z.string().min(2).max(9)).max(9).optional(),
  });
  const tool = testOperation({
    parts: z.array(part).max(9).describe('Parts.').optional(),
    look: z
      .object({ fill: z.string().max(9).optional() })
      .passthrough()
      .describe('Look.')
      .refine((look) => Object.keys(look).length < 9, 'a smaller look')
      .optional(),
  });

  it('is listed without the keywords that some client refuses, at any depth', () => {
    const { properties } = toolInputSchema(tool);
    expect(properties!.parts).toEqual({
      type: 'array',
      description: 'Parts.',
      items: {
        type: 'object',
        properties: {
          depth: { type: 'number' },
          names: { type: 'array', items: { type: 'string' } },
        },
        required: ['depth'],
        additionalProperties: false,
      },
    });
  });

  it('is listed as open where anything is allowed, and keeps its description through a refinement', () => {
    expect(toolInputSchema(tool).properties!.look).toEqual({
      type: 'object',
      description: 'Look.',
      properties: { fill: { type: 'string' } },
    });
  });

  it.each([
    ['as JSON text', '[{"depth":5,"names":["ab"]}]'],
    ['as JSON text of its fields', [{ depth: '5', names: '["ab"]' }]],
    ['as JSON text of its elements', ['{"depth":"5","names":["ab"]}']],
    ['as one in place of a list', { depth: 5, names: 'ab' }],
  ])('is read %s', async (_, parts) => {
    expect(await readInput(tool, { parts })).toEqual({ parts: [{ depth: 5, names: ['ab'] }] });
  });

  it('is refused with its path', async () => {
    await expect(
      readInput(tool, { parts: [{ depth: 5 }, { depth: 'deep' }] }),
    ).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'parts',
      message: expect.stringContaining('parts.1.depth "deep"'),
    });
  });

  it('keeps additional properties of an open object', async () => {
    expect(await readInput(tool, { look: '{"fill":5,"width":"7"}' })).toEqual({
      look: { fill: '5', width: '7' },
    });
  });
});

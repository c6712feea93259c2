import { describe, expect, it } from 'vitest';
import { inputFaults, type JsonSchemaNode, outputFaults } from './schema-subset.ts';

const withDescription = (schema: JsonSchemaNode): JsonSchemaNode => ({
  description: 'A figure.',
  ...schema,
});
const input = (argument: JsonSchemaNode): JsonSchemaNode => ({
  type: 'object',
  properties: { argument },
  additionalProperties: false,
});

describe('the check of input schemas', () => {
  it('accepts what every client accepts', () => {
    const layer = {
      type: 'object',
      properties: { depthTopCm: withDescription({ type: 'integer', minimum: 0 }) },
      required: ['depthTopCm'],
      additionalProperties: false,
    };
    for (const argument of [
      withDescription({ type: 'string', enum: ['a', 'b'] }),
      withDescription({ type: 'number', maximum: 1000 }),
      withDescription({ type: 'array', items: { type: 'string', enum: ['a'] } }),
      withDescription({ type: 'array', items: layer }),
    ])
      expect(inputFaults(input(argument))).toEqual([]);
  });

  it.each<[string, JsonSchemaNode]>([
    ['a reference', { $ref: '#/definitions/a' }],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['oneOf beside a type', { type: 'string', oneOf: [] }],
    ['allOf', { type: 'number', allOf: [] }],
    ['a type array', { type: ['string', 'null'] }],
    ['null', { type: 'null' }],
    ['no type', {}],
    ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0 }],
    ['exclusiveMaximum', { type: 'number', exclusiveMaximum: 1 }],
    ['format', { type: 'string', format: 'date-time' }],
    ['pattern', { type: 'string', pattern: '^a' }],
    ['a bound of 2^53', { type: 'integer', maximum: 9_007_199_254_740_991 }],
    ['a null among an enum', { type: 'string', enum: ['a', null] }],
    ['an array without items', { type: 'array' }],
    ['an array of arrays', { type: 'array', items: { type: 'array', items: { type: 'number' } } }],
  ])('finds %s', (_, argument) => {
    expect(inputFaults(input(withDescription(argument)))).not.toEqual([]);
  });

  it('finds an open root', () => {
    expect(inputFaults({ type: 'object', properties: {} })).toEqual([
      'root: additionalProperties is not false',
    ]);
  });

  it('finds an argument without a description, even inside an object', () => {
    expect(inputFaults(input({ type: 'string' }))).toEqual(['root.argument: no description']);
    const layer = {
      type: 'object',
      properties: { depth: { type: 'number' } },
      additionalProperties: false,
    };
    expect(inputFaults(input(withDescription({ type: 'array', items: layer })))).toEqual([
      'root.argument[].depth: no description',
    ]);
  });

  it('finds objects within objects', () => {
    const inner = withDescription({ type: 'object', properties: {}, additionalProperties: false });
    const outer = withDescription({
      type: 'object',
      properties: { inner },
      additionalProperties: false,
    });
    expect(inputFaults(input(outer))).toEqual(['root.argument.inner: objects within objects']);
  });

  it('finds a root that is open, not an object, or names its dialect', () => {
    expect(inputFaults({ type: 'object', properties: {} })).not.toEqual([]);
    expect(inputFaults({ type: 'array' })).not.toEqual([]);
    expect(
      inputFaults({ ...input(withDescription({ type: 'string' })), $schema: 'x' }),
    ).not.toEqual([]);
  });
});

describe('the check of output schemas', () => {
  const answer = (field: JsonSchemaNode): JsonSchemaNode => ({
    type: 'object',
    properties: { field },
  });
  const shape = { type: 'object', properties: { a: { type: 'number' } } };

  it('accepts values of one type, of any, and an object or null', () => {
    for (const field of [
      { type: 'string' },
      {},
      { type: 'array', items: shape },
      { anyOf: [shape, { type: 'null' }] },
    ])
      expect(outputFaults(answer(field))).toEqual([]);
  });

  it.each<[string, JsonSchemaNode]>([
    ['a text or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['two shapes', { anyOf: [shape, shape] }],
    ['a reference', { $ref: '#/a' }],
    ['a type array', { type: ['string', 'null'] }],
    ['a description', { type: 'string', description: 'A name.' }],
    ['a reference in items', { type: 'array', items: { $ref: '#/a' } }],
    [
      'a fault of a shape that may be null',
      { anyOf: [{ ...shape, properties: { a: { $ref: '#/a' } } }, { type: 'null' }] },
    ],
  ])('finds %s', (_, field) => {
    expect(outputFaults(answer(field))).not.toEqual([]);
  });
});

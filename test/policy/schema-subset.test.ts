import { describe, expect, it } from 'vitest';
import { inputFaults, type JsonSchemaNode, outputFaults } from './schema-subset.ts';

const withDescription = (schema: JsonSchemaNode): JsonSchemaNode => ({ description: 'A figure.', ...schema });
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
    expect(inputFaults({ type: 'object', properties: {} })).toEqual(['root: additionalProperties is not false']);
  });

  it('finds an argument without a description, even inside an object', () => {
    expect(inputFaults(input({ type: 'string' }))).toEqual(['root.argument: no description']);
    const layer = { type: 'object', properties: { depth: { type: 'number' } }, additionalProperties: false };
    expect(inputFaults(input(withDescription({ type: 'array', items: layer })))).toEqual([
      'root.argument[].depth: no description',
    ]);
  });

  it('finds objects within objects', () => {
    const inner = withDescription({ type: 'object', properties: {}, additionalProperties: false });
    const outer = withDescription({ type: 'object', properties: { inner }, additionalProperties: false });
    expect(inputFaults(input(outer))).toEqual(['root.argument.inner: objects within objects']);
  });

  it('finds a root that is open, not an object, or names its dialect', () => {
    expect(inputFaults({ type: 'object', properties: {} })).not.toEqual([]);
    expect(inputFaults({ type: 'array' })).not.toEqual([]);
    expect(inputFaults({ ...input(withDescription({ type: 'string' })), $schema: 'x' })).not.toEqual([]);
  });
});

describe('the check of output schemas', () => {
  it('accepts a nullable field as a type array', () => {
    const nullable = { type: ['string', 'null'], enum: ['a', null] };
    expect(outputFaults({ type: 'object', properties: { a: nullable, b: { type: 'array', items: {} } } })).toEqual([]);
  });

  it.each<[string, JsonSchemaNode]>([
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a reference', { $ref: '#/a' }],
    ['two types', { type: ['string', 'number'] }],
    ['an enum that lacks null', { type: ['string', 'null'], enum: ['a'] }],
    ['a reference in items', { type: 'array', items: { $ref: '#/a' } }],
  ])('finds %s', (_, field) => {
    expect(outputFaults({ type: 'object', properties: { field } })).not.toEqual([]);
  });
});

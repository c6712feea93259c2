import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { conformResponse, ShapeError } from '../../src/remote/response-shape.ts';
import { instantOutput } from '../../src/schema/field.ts';

const row = z.strictObject({
  id: z.number().int(),
  at: instantOutput().nullable(),
  state: z.enum(['on', 'off']),
  mood: z.string().nullable().optional(),
  note: z.string().optional(),
  style: z.record(z.unknown()).optional(),
});

const misshapenAt = (answer: unknown): string => {
  try {
    conformResponse(z.array(row), answer);
  } catch (error) {
    if (error instanceof ShapeError) return error.path;
    throw error;
  }
  throw new Error('it has the shape');
};

describe('an answer brought into shape', () => {
  it('is left as it is where it has the shape', () => {
    const answer = { id: 1, at: '2026-07-01T06:00:00.000Z', state: 'on', mood: null, note: 'n', style: { any: [1] } };
    expect(conformResponse(row, answer)).toEqual({ body: answer, strange: [] });
  });

  it('has null where a nullable field was not sent, and nothing where an optional one is null', () => {
    expect(conformResponse(row, { id: 1, state: 'off', note: null }).body).toEqual({ id: 1, at: null, state: 'off' });
  });

  it('loses what its schema does not name', () => {
    const sent = JSON.parse('{"id":1,"at":null,"state":"on","more":2,"__proto__":{"polluted":true}}');
    const { body, missingPaths } = conformResponse(row, sent);
    expect(Object.keys(body as object)).toEqual(['id', 'at', 'state']);
    expect(missingPaths).toEqual([]);
  });

  it('tells what is missing and which codes are not known, by their place', () => {
    expect(conformResponse(z.array(row), [{ id: 1, state: 'on' }, { state: 'dim' }]).missingPaths).toEqual([
      '1.id',
      '1.state',
    ]);
  });

  it.each([
    ['0.id', [{ id: '1', state: 'on' }]],
    ['0.id', [{ id: 1.5, state: 'on' }]],
    ['0.state', [{ id: 1, state: 4 }]],
    ['0.at', [{ id: 1, state: 'on', at: 'soon' }]],
    ['0', [[]]],
    ['0', ['text']],
    ['', { id: 1 }],
    ['', null],
  ])('is refused at %s where a value is of another type', (path, answer) => {
    expect(misshapenAt(answer)).toBe(path);
  });
});

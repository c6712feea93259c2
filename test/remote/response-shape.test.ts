import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { conformResponse, ShapeError } from '../../src/remote/service/response-shape.ts';
import { instantOutput } from '../../src/schema/shared-fields.ts';

const row = z.strictObject({
  id: z.number().int(),
  at: instantOutput().nullable(),
  state: z.enum(['on', 'off']),
  mood: z.string().nullable().optional(),
  note: z.string().optional(),
  style: z.record(z.unknown()).optional(),
});

const refusedAt = (answer: unknown): string => {
  try {
    conformResponse(z.array(row), answer);
  } catch (error) {
    if (error instanceof ShapeError) return error.path;
    throw error;
  }
  throw new Error('The answer matches');
};

describe('conformResponse', () => {
  it('leaves an answer that matches unchanged', () => {
    const answer = {
      id: 1,
      at: '2026-07-01T06:00:00.000Z',
      state: 'on',
      mood: null,
      note: 'n',
      style: { any: [1] },
    };
    expect(conformResponse(row, answer)).toEqual({ body: answer, mismatches: [] });
  });

  it('removes fields that the schema does not name', () => {
    const sent = JSON.parse(
      '{"id":1,"at":null,"state":"on","more":2,"__proto__":{"polluted":true}}',
    );
    expect(Object.keys(conformResponse(row, sent).body as object)).toEqual(['id', 'at', 'state']);
  });

  it('passes unknown codes on and gives their paths', () => {
    const answer = [
      { id: 1, at: null, state: 'on' },
      { id: 2, at: null, state: 'dim' },
    ];
    expect(conformResponse(z.array(row), answer)).toEqual({
      body: answer,
      mismatches: ['1.state'],
    });
  });

  it('reads a nullable field that is missing as null, and gives the paths of others', () => {
    expect(
      conformResponse(z.array(row), [
        { id: 1, state: 'on' },
        { id: 2, at: null },
      ]),
    ).toEqual({
      body: [
        { id: 1, at: null, state: 'on' },
        { id: 2, at: null },
      ],
      mismatches: ['1.state'],
    });
  });

  it.each([
    ['0.id', [{ id: '1', at: null, state: 'on' }]],
    ['0.id', [{ id: 1.5, at: null, state: 'on' }]],
    ['0.at', [{ id: 1, at: 'soon', state: 'on' }]],
    ['0.state', [{ id: 1, at: null, state: 4 }]],
    ['0.note', [{ id: 1, at: null, state: 'on', note: null }]],
    ['0', [[]]],
    ['0', ['text']],
    ['', { id: 1 }],
    ['', null],
  ])('refuses at %s what is of another type', (path, answer) => {
    expect(refusedAt(answer)).toBe(path);
  });
});

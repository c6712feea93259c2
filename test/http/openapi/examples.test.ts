import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { composeExample } from '../../../src/http/openapi/examples.ts';
import { field, withExample } from '../../../src/schema/field.ts';
import { instantOutput, moduleRef } from '../../../src/schema/shared-fields.ts';
import { operationsByName } from '../../../tools/index.ts';

const valve = z.strictObject({
  id: withExample(z.number().int(), 4),
  name: withExample(z.string().nullable(), 'North'),
  closedAt: instantOutput().nullable(),
  kind: z.enum(['ball', 'gate']),
  isOpen: z.boolean(),
  pressureBar: withExample(z.number(), 2.5).optional(),
});

const setValve = {
  ...operationsByName.get('log_watering')!,
  input: z.strictObject({
    moduleId: moduleRef(),
    otherModuleId: moduleRef().optional(),
    name: field(z.string(), { example: 'North' }).nullish(),
    kind: z.enum(['ball', 'gate']).optional(),
  }),
  output: z.strictObject({ valve, others: z.array(valve), log: z.array(z.string()) }),
};

const north = { id: 4, name: 'North', closedAt: null, kind: 'ball', isOpen: false };

describe('the example of an operation', () => {
  it('is composed from those of its fields', () => {
    expect(composeExample(setValve)).toEqual({
      parameters: { moduleId: 1 },
      body: { name: 'North' },
      csv: undefined,
      response: { valve: north, others: [north], log: [] },
    });
  });

  it('has what its story says beside them', () => {
    const story = {
      body: { kind: 'gate' },
      response: { valve: { kind: 'gate', name: null }, others: [{ id: 5, pressureBar: 3 }, {}] },
    };
    expect(composeExample(setValve, story)).toMatchObject({
      body: { name: 'North', kind: 'gate' },
      response: {
        valve: { ...north, kind: 'gate', name: null },
        others: [{ ...north, id: 5, pressureBar: 3 }, north],
      },
    });
  });

  it('keeps a field of the story that the schema lacks, which its test refuses', () => {
    const { response } = composeExample(setValve, { response: { valve: { colour: 'red' } } });
    expect(response).toHaveProperty('valve.colour', 'red');
  });
});

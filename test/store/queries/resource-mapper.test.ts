import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod/v3';
import { roundAmount, roundRate } from '../../../src/domain/decimal.ts';
import {
  answerShape,
  computed,
  entered,
  enteredValues,
  entryShape,
  fieldsWithout,
  generated,
  generatedId,
  group,
  internal,
} from '../../../src/schema/resource.ts';
import { computedInstant } from '../../../src/schema/shared-fields.ts';
import { ResourceMapper } from '../../../src/store/queries/resource-mapper.ts';
import type { RowOf, ValueOf } from '../../../src/store/queries/resource-types.ts';

const fields = {
  id: generatedId(),
  name: entered('name', z.string().max(20).nullable(), { example: 'Pump' }),
  depths: entered('depths', z.array(z.number()).nullable()),
  pressureBar: computed('pressure_bar', z.number().nullable(), { round: roundAmount }),
  rate: computed('rate', z.number(), { round: roundRate }),
  isOpen: computed('is_open', z.boolean()),
  openedAt: computed('opened_at', computedInstant(), { isConcise: false }),
  closedAt: generated('closed_at', computedInstant().nullable()),
  owner: internal('owner', z.number().int().nullable()),
  valve: group(
    { name: 'TestValve', presentIf: ['checkedAt'], isConcise: true },
    {
      size: computed('valve_size', z.number().nullable()),
      isManual: computed('valve_is_manual', z.boolean()),
      checkedAt: computed('valve_checked_at', computedInstant()),
    },
  ),
};
const mapper = new ResourceMapper(fields);

type Row = RowOf<Omit<typeof fields, 'closedAt'>>;
type Value = ValueOf<typeof fields>;

const value: Value = {
  id: 7,
  name: 'Pump',
  depths: [10, 30],
  pressureBar: 1.23456,
  rate: 3 * 0.1,
  isOpen: true,
  openedAt: Date.UTC(2026, 6, 1, 4),
  owner: 3,
  valve: { size: 2.5, isManual: false, checkedAt: Date.UTC(2026, 6, 1, 5) },
};

const row: Row = {
  id: 7,
  name: 'Pump',
  depths: '[10,30]',
  pressure_bar: 1.23456,
  rate: 3 * 0.1,
  is_open: 1,
  opened_at: Date.UTC(2026, 6, 1, 4),
  owner: 3,
  valve_size: 2.5,
  valve_is_manual: 0,
  valve_checked_at: Date.UTC(2026, 6, 1, 5),
};

describe('a described resource', () => {
  it('reads rows as values, with flags, lists and groups', () => {
    expect(mapper.toValue(row)).toEqual(value);
    expectTypeOf(mapper.toValue(row).isOpen).toEqualTypeOf<boolean>();
  });

  it('writes the columns of a value, but those that the database determines', () => {
    const { id: _, ...written } = row;
    expect(mapper.toColumns(value)).toEqual(written);
  });

  it('writes only the columns of those fields that it gets', () => {
    const columns = mapper.toColumns({ isOpen: false, valve: null });
    expect(columns).toEqual({
      is_open: 0,
      valve_size: null,
      valve_is_manual: 0,
      valve_checked_at: null,
    });
    expectTypeOf(columns.is_open).toEqualTypeOf<0 | 1>();
  });

  it('reads what it wrote', () => {
    const at = fc.integer({ min: 0, max: 4e12 });
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const values: fc.Arbitrary<Value> = fc.record({
      id: fc.constant(7),
      name: fc.option(fc.string()),
      depths: fc.option(fc.array(fc.integer())),
      pressureBar: fc.option(number),
      rate: number,
      isOpen: fc.boolean(),
      openedAt: at,
      owner: fc.option(fc.nat()),
      valve: fc.option(
        fc.record({ size: fc.option(number), isManual: fc.boolean(), checkedAt: at }),
      ),
    });
    fc.assert(
      fc.property(values, (each) => {
        expect(mapper.toValue({ id: 7, ...mapper.toColumns(each) })).toEqual(each);
      }),
    );
  });

  it('answers with instants as ISO 8601 and rounded figures, without internal fields', () => {
    const body = mapper.toBody({ ...value, closedAt: null });
    expect(body).toEqual({
      id: 7,
      name: 'Pump',
      depths: [10, 30],
      pressureBar: 1.235,
      rate: 0.3,
      isOpen: true,
      openedAt: '2026-07-01T04:00:00.000Z',
      closedAt: null,
      valve: { size: 2.5, isManual: false, checkedAt: '2026-07-01T05:00:00.000Z' },
    });
    expect(z.strictObject(answerShape(fields)).parse(body)).toEqual(body);
  });

  it('leaves out of the concise form what has no value, and what is described so', () => {
    const body = mapper.toBody({ ...value, isOpen: false, valve: null, closedAt: null });
    expect(mapper.toConcise(body)).toEqual({
      id: 7,
      name: 'Pump',
      depths: [10, 30],
      pressureBar: 1.235,
      rate: 0.3,
    });
  });
});

describe('the schemas of a described resource', () => {
  const { name, depths } = fields;

  it('of an answer have neither bounds nor descriptions', () => {
    const bounded = { size: entered('size', z.number().int().min(1).describe('Size.')) };
    const { size } = answerShape(bounded);
    expect(size.safeParse(0).success).toBe(true);
    expect(size.safeParse(0.5).success).toBe(false);
    expect(size.description).toBeUndefined();
  });

  it('of an entry allow leaving out what may be null', () => {
    const entry = z.strictObject(entryShape({ name, depths }));
    expect(entry.parse({ name: null })).toEqual({ name: null });
    expect(entry.safeParse({ name: 'x'.repeat(21) }).success).toBe(false);
    expect(Object.keys(entryShape(fieldsWithout(fields, { valve: fields.valve, name })))).toEqual([
      'depths',
    ]);
  });

  it('keeps the stored values of what is not sent', () => {
    expect(enteredValues({ name, depths }, {})).toEqual({ name: null, depths: null });
    expect(enteredValues({ name, depths }, { depths: null }, { name: 'A', depths: [1] })).toEqual({
      name: 'A',
      depths: null,
    });
  });
});

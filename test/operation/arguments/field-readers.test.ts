import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { entryOf } from '../../../src/domain/items.ts';
import {
  REST_READERS,
  readRestArguments,
} from '../../../src/operation/arguments/rest-arguments.ts';
import { toolFields } from '../../../src/operation/arguments/tool-fields.ts';
import { decodeValue, TOOL_READERS } from '../../../src/operation/arguments/tool-readers.ts';
import { newReading } from '../../../src/operation/arguments/tool-reading.ts';
import { type AnyOperation, operation } from '../../../src/operation/operation.ts';
import { type FieldKind, field } from '../../../src/schema/field.ts';
import { operations } from '../../../tools/index.ts';
import { FARM_NOW } from '../../farm.ts';

const CONTEXT = {
  zone: 'Europe/Paris',
  now: FARM_NOW,
  countryCode: null,
  units: 'metric',
  lang: 'en',
  directory: { modules: async () => [], parcels: async () => [] },
  runRead: () => Promise.reject(new Error('read')),
} as const;

interface ReadValues {
  readonly schema: z.ZodTypeAny;
  /** The value as a client sends it to a tool, and as the tool passes it on. */
  readonly words: unknown;
  readonly meaning: unknown;
  /** The value that REST takes, and the result of words over REST. */
  readonly wire: unknown;
  readonly wireMeaning?: unknown;
}

const ID = z.number().int().positive();
const TEXT = z.string();

/** It is Wednesday, 1 July 2026, 12:00 in Paris. A kind without a row does not compile. */
const VALUES: Readonly<Record<FieldKind, ReadValues>> = {
  plain: { schema: z.number(), words: 'forty', meaning: 40, wire: 40 },
  module: { schema: ID, words: 7, meaning: '#7', wire: 7 },
  parcel: { schema: ID, words: 'North block', meaning: 'North block', wire: 7 },
  texture: { schema: ID, words: 'clay', meaning: 8, wire: 8 },
  instant: {
    schema: TEXT,
    words: 'yesterday 6:00',
    meaning: '2026-06-30T04:00:00.000Z',
    wire: '2026-06-30T06:00',
    wireMeaning: '2026-06-30T04:00:00.000Z',
  },
  periodBound: {
    schema: TEXT,
    words: 'yesterday',
    meaning: '2026-06-29T22:00:00.000Z',
    wire: '2026-06-30',
    wireMeaning: '2026-06-29T22:00:00.000Z',
  },
  periodEnd: {
    schema: TEXT,
    words: 'yesterday',
    meaning: '2026-06-30T22:00:00.000Z',
    wire: '2026-06-30',
    wireMeaning: '2026-06-30T22:00:00.000Z',
  },
  effectiveStart: {
    schema: TEXT,
    words: 'May 2024',
    meaning: '2024-04-30T22:00:00.000Z',
    wire: '2024-05-01',
    wireMeaning: '2024-04-30T22:00:00.000Z',
  },
  period: { schema: TEXT, words: 'yesterday', meaning: '2026-06-30', wire: '2026-06-30' },
  date: { schema: TEXT, words: 'yesterday', meaning: '2026-06-30', wire: '2026-06-30' },
  dayOfYear: { schema: TEXT, words: '15 November', meaning: '11-15', wire: '11-15' },
  point: {
    schema: z.array(z.number()),
    words: ['yesterday 6:00', 20],
    meaning: [Date.UTC(2026, 5, 30, 4), 20],
    wire: [Date.UTC(2026, 5, 30, 4), 20],
  },
};

const KINDS = Object.keys(VALUES) as FieldKind[];
const operationOf = (kind: FieldKind): AnyOperation =>
  operation({
    endpoint: { method: 'PATCH', path: '/thing', status: 200 },
    effect: 'update',
    input: z.strictObject({ value: field(VALUES[kind].schema, { kind }) }),
  } as never);

describe('a value of the kind', () => {
  it.each(KINDS)('%s is read from words by a tool', (kind) => {
    const { byName } = toolFields(operationOf(kind));
    const { read, schema } = entryOf(byName, 'value');
    const decoded = decodeValue(VALUES[kind].words, schema);
    expect(read(decoded, newReading(byName, {}, CONTEXT))).toEqual(VALUES[kind].meaning);
  });

  it.each(KINDS)('%s is taken by REST as the specification writes it', async (kind) => {
    const { wire, wireMeaning = wire } = VALUES[kind];
    const { restArguments } = await readRestArguments(operationOf(kind), { value: wire }, CONTEXT);
    expect(restArguments).toEqual({ value: wireMeaning });
  });

  // A date and a day of the year are checked by schemas of their own.
  it.each(KINDS.filter((kind) => kind !== 'date' && kind !== 'dayOfYear'))(
    '%s is not read from words by REST',
    async (kind) => {
      const { words } = VALUES[kind];
      const value = typeof words === 'number' ? `#${words}` : words;
      await expect(readRestArguments(operationOf(kind), { value }, CONTEXT)).rejects.toMatchObject({
        field: 'value',
      });
    },
  );
});

it('has one reader for tools and one for REST, and does not compile without', () => {
  expect(Object.keys(TOOL_READERS)).toEqual(KINDS);
  expect(Object.keys(REST_READERS)).toEqual(KINDS);

  const { point: _, ...others } = TOOL_READERS;
  // @ts-expect-error: a kind is missing
  const readers: typeof TOOL_READERS = others;
  expect(readers.point).toBeUndefined();
});

it('compiles the fields of an operation once', () => {
  for (const each of operations) expect(toolFields(each)).toBe(toolFields(each));
});

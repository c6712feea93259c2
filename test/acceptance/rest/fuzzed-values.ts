import fc from 'fast-check';
import type { DocumentSchema } from '../../http/openapi/rendered-document.ts';

const HOUR_MS = 3_600_000;
const AROUND = Date.UTC(2026, 6, 1);

const instants = fc
  .tuple(fc.integer({ min: -24 * 90, max: 24 * 90 }), fc.constantFrom('Z', '+02:00', ''))
  .map(([hours, offset]) => new Date(AROUND + hours * HOUR_MS).toISOString().slice(0, 19) + offset);

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': instants,
  date: instants.map((instant) => instant.slice(0, 10)),
  uuid: fc.uuid(),
};

const VALUES_BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  reminderTime: fc.constantFrom('00:00:00', '02:30:00', '23:59:59'),
  timezone: fc.constantFrom('Europe/Paris', 'Australia/Lord_Howe', 'UTC'),
  startTimes: fc.uniqueArray(fc.constantFrom('05:30', '02:15', '22:00'), {
    minLength: 1,
    maxLength: 2,
  }),
  layers: fc.constantFrom(
    [{ soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 60 }],
    [
      { soilHorizonId: 3, depthTopCm: 0, depthBottomCm: 30 },
      { soilHorizonId: 12, depthTopCm: 30, depthBottomCm: 90 },
    ],
  ),
  p1: fc.tuple(fc.constant(AROUND), fc.double({ min: 0, max: 100, noNaN: true })),
  p2: fc.tuple(fc.constant(AROUND), fc.double({ min: 0, max: 100, noNaN: true })),
};

/** Most of them exist on the farm. */
const ids = fc.integer({ min: 1, max: 6 });

const isId = (name: string): boolean => /Id$/.test(name);

export function validValue(name: string, schema: DocumentSchema): fc.Arbitrary<unknown> {
  const named = VALUES_BY_NAME[name];
  if (named) return named;
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const types = [schema.type].flat();
  if (types.length > 1)
    return fc.oneof(...types.map((type) => validValue(name, { ...schema, type })));
  switch (types[0]) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return isId(name) && name !== 'soilHorizonId' ? ids : numbersWithin(schema);
    case 'array':
      return fc.array(validValue('', (schema.items ?? {}) as DocumentSchema), {
        minLength: 1,
        maxLength: 3,
      });
    case 'object':
      return validBody(schema);
    default:
      return (
        FORMATS[String(schema.pattern).includes('T\\d') ? 'date-time' : String(schema.format)] ??
        fc.string({ maxLength: 20, unit: 'grapheme' })
      );
  }
}

function numbersWithin({
  type,
  minimum,
  exclusiveMinimum,
  maximum,
}: DocumentSchema): fc.Arbitrary<number> {
  const min = Number(minimum ?? exclusiveMinimum ?? 0);
  const max = Math.min(Number(maximum ?? 1000), 100_000);
  return type === 'integer'
    ? fc.integer({ min: Math.max(1, Math.ceil(min)), max })
    : fc.double({ min: min + 0.001, max, noNaN: true });
}

export function validBody(schema: DocumentSchema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, DocumentSchema>);
  const requiredKeys = ((schema.required ?? []) as string[]).filter((name) =>
    fields.some(([each]) => each === name),
  );
  return fc.record(
    Object.fromEntries(fields.map(([name, each]) => [name, validValue(name, each)])),
    { requiredKeys },
  );
}

export const invalidValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(
    ...[
      null,
      true,
      '',
      ' ',
      '12',
      '#1',
      'NaN',
      '-1',
      'north',
      '\u0000',
      'a\u0000b',
      '\ud800',
      '‮',
      '😀'.repeat(300),
    ],
    ...[0, -1, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 63, 5e-324, -0],
    ...[[], {}, [[]], [null], [1e308, 1e308], { constructor: 1 }, { length: 3 }, [{}]],
    ...[
      '2026-02-30T10:00:00Z',
      '+275760-09-13T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '2026-07-01',
      'yesterday 6:30',
    ],
    JSON.parse('{"__proto__": {"polluted": true}}'),
    'x'.repeat(5000),
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

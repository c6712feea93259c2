import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonShape, MAX_JSON_VALUES } from '../../../src/schema/json-shape.ts';

it.each([
  ['1', 0, 1],
  ['[]', 1, 2],
  ['{"a":[1,2,{"b":"}],{["}]}', 3, 6],
  ['"a\\"],[\\\\"', 0, 1],
  ['["\\\\",1]', 1, 3],
  ['"unfinished, [', 0, 1],
])('measures %s', (text, depth, values) => expect(jsonShape(text)).toEqual({ depth, values }));

it('finds the depth of any value', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonShape(JSON.stringify(value)).depth).toBe(depthOf(value));
    }),
  );
});

it('stops counting beyond the greatest number of values', () => {
  expect(jsonShape(`[${'1,'.repeat(50_000)}1]`).values).toBe(MAX_JSON_VALUES + 1);
});

import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resolveModule } from '../../../src/operation/arguments/name-resolution.ts';
import { leastDistance, spellingLikeness } from '../../../src/operation/arguments/similar-names.ts';
import { propertyRuns } from '../../property-runs.ts';

afterEach(() => void vi.restoreAllMocks());

describe('the least distance of two texts', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcnorth 12é\u00a9'), maxLength: 20 });

  it('is never more than their distance', () => {
    fc.assert(
      fc.property(letters, letters, (some, other) => {
        expect(leastDistance(some, other)).toBeLessThanOrEqual(distance(some, other));
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it.each([
    ['', '', 0],
    ['north', 'nroth', 0],
    ['north', 'south', 2],
    ['blok', 'block', 1],
    ['', 'block', 5],
  ])('of %j and %j is %i', (some, other, least) => {
    expect(leastDistance(some, other)).toBe(least);
  });
});

it.each([
  ['blok', 'block', 0.8],
  ['nroth', 'north', 0.8],
  ['south', 'north', 0],
  ['north', 'north', 1],
])('%j is like %j by %d', (some, other, likeness) => {
  expect(spellingLikeness(some, other)).toBe(likeness);
});

it('compares the spelling of few of thousands of names with one that no probe has', async () => {
  const words = ['Almond', 'Bakehouse', 'Chardonnay', 'Dovecote', 'Elm tree', 'Foxglove', 'Gully'];
  const modules = Array.from({ length: 2_000 }, (_, n) => {
    const name = `${words[n % 7]} ${words[(n >> 3) % 7]} ${n}`;
    return { id: n, name, uid: `U${n}`, category: 'SOIL_PROBE', parcelId: null };
  });
  const directory = { modules: async () => modules, parcels: async () => [] };
  const field = { field: 'module', code: 'not_found' };
  const ask = (text: string): Promise<unknown> => resolveModule(text, directory, field);

  const letters = vi.spyOn(String.prototype, 'charCodeAt');
  const lettersRead = async (run: () => unknown): Promise<number> => {
    const before = letters.mock.calls.length;
    await run();
    return letters.mock.calls.length - before;
  };

  for (const [text, message] of [
    ['Riverbank willow', 'The probes are'],
    ['Chradonay hill', 'Nearest: "Chardonnay'],
  ] as const) {
    const counted = await lettersRead(() => {
      for (const { name } of modules) leastDistance(text, name);
    });
    // A distance reads the letters of both texts once more.
    expect(await lettersRead(() => expect(ask(text)).rejects.toThrow(message))).toBeLessThan(
      counted * 1.1,
    );
  }
});

import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { NamedModule } from '../../../src/language/summary-context.ts';
import { unknownEntity } from '../../../src/operation/arguments/name-errors.ts';
import {
  leastDistance,
  spellingLikeness,
} from '../../../src/operation/arguments/spelling-likeness.ts';
import { propertyRuns } from '../../property-runs.ts';

vi.mock('fastest-levenshtein', { spy: true });
beforeEach(() => {
  vi.mocked(distance).mockClear();
});

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

it('compares the spelling of few of thousands of names with one that no probe has', () => {
  const words = ['Almond', 'Bakehouse', 'Chardonnay', 'Dovecote', 'Elm tree', 'Foxglove', 'Gully'];
  const modules = Array.from({ length: 2_000 }, (_, n): NamedModule => {
    const name = `${words[n % 7]} ${words[(n >> 3) % 7]} ${n}`;
    return { id: n, name, uid: `U${n}`, category: 'SOIL_PROBE', parcelId: null };
  });

  const query = { field: 'module', code: 'not_found', missingScope: null };
  const ask = (text: string) => unknownEntity('module', { text, ...query }, modules).message;

  expect(ask('Riverbank willow')).toContain('The probes are');
  expect(ask('Chradonay hill')).toContain('Nearest: "Chardonnay');
  expect(vi.mocked(distance).mock.calls.length).toBeLessThan(20);
});

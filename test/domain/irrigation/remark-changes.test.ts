import { expect, it } from 'vitest';
import { remarkChanges } from '../../../src/domain/irrigation/remark-changes.ts';

it('names each field that a correction changed', () => {
  const fields = ['note', 'operator', 'weather', 'valve'];
  const before = { note: 'hose split', operator: null, weather: 'wind', valve: '3' };
  const after = { note: null, operator: 'Ana', weather: 'calm', valve: '3' };
  expect(remarkChanges(fields, before, after)).toEqual([
    { field: 'note', change: 'removed' },
    { field: 'operator', change: 'added' },
    { field: 'weather', change: 'changed' },
  ]);
});

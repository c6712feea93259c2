import { expect, it } from 'vitest';
import { dueBackup } from '../../../src/domain/backups/due-backups.ts';

const at = (text: string): number => Date.parse(text);
const instantOf = (text: string | null): number | null => (text === null ? null : at(text));
const NOW = at('2026-07-10T08:00:00Z');
const times = (
  copiedAt: string | null,
  drilledAt: string | null,
  failedAt: string | null = null,
) => ({
  copiedAt: instantOf(copiedAt),
  drilledAt: instantOf(drilledAt),
  failedAt: instantOf(failedAt),
});

it.each([
  ['the first copy', null, 'copy'],
  ['a copy of yesterday', times('2026-07-09T23:59:59Z', '2026-07-01T00:00:00Z'), 'copy'],
  [
    'a copy of today, the last drill days ago',
    times('2026-07-10T00:00:00Z', '2026-07-01T00:00:00Z'),
    null,
  ],
  ['a first copy that was never tried', times('2026-07-10T07:00:00Z', null), 'drill'],
  ['a drill of last month', times('2026-07-10T07:00:00Z', '2026-06-10T07:00:00Z'), 'drill'],
  [
    'a failure of half an hour ago',
    times('2026-07-09T07:00:00Z', null, '2026-07-10T07:30:00Z'),
    null,
  ],
  ['a failure of an hour ago', times('2026-07-09T07:00:00Z', null, '2026-07-10T07:00:00Z'), 'copy'],
  [
    'a failure while the clock was ahead',
    times('2026-07-09T07:00:00Z', null, '2027-01-01T00:00:00Z'),
    'copy',
  ],
  [
    'a copy while the clock was ahead',
    times('2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z'),
    'copy',
  ],
] as const)('after %s', (_, record, due) => {
  expect(dueBackup(record, NOW)).toBe(due);
});

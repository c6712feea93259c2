import fc from 'fast-check';
import { expect, it } from 'vitest';
import { remarksAsHeader, remarksInHeader } from '../../src/operation/remarks-header.ts';

it('carries remarks in any script as characters that every header takes', () => {
  const remarks = ['Une position à 6 h – « midi » 💧', 'plain'];
  const header = remarksAsHeader(remarks);
  expect(header).toMatch(/^[!-~]+$/);
  expect(remarksInHeader(header)).toEqual(remarks);
});

it('carries whole remarks, as many as fit into 4 KiB', () => {
  const remarks = Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(999)}`);
  // Four of 1,000 characters, with their quotes and commas percent-encoded, are 4,033 long; five are not.
  expect(remarksInHeader(remarksAsHeader(remarks))).toEqual(remarks.slice(0, 4));
  expect(remarksInHeader(remarksAsHeader(['y'.repeat(5_000), 'short']))).toEqual([]);
});

it('holds for any text, which comes out as one line', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (remarks) => {
      const header = remarksAsHeader(remarks);
      expect(header.length).toBeLessThanOrEqual(4096);
      const read = remarksInHeader(header);
      expect(read).toHaveLength(remarks.length);
      for (const each of read) expect(each).not.toMatch(/\p{C}/u);
    }),
  );
});

it.each([undefined, '', '%', '{}', '7', `%5B%22${'x'.repeat(5_000)}%22%5D`])('reads nothing from %s', (header) => {
  expect(remarksInHeader(header)).toEqual([]);
});

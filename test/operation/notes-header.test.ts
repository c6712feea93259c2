import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatNotesHeader, parseNotesHeader } from '../../src/operation/notes-header.ts';

it('carries remarks in any script as characters that every header takes', () => {
  const notes = ['Une position à 6 h – « midi » 💧', 'plain'];
  const header = formatNotesHeader(notes);
  expect(header).toMatch(/^[!-~]+$/);
  expect(parseNotesHeader(header)).toEqual(notes);
});

it('carries whole remarks, as many as fit into 4 KiB', () => {
  const notes = Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(999)}`);
  // Four of 1,000 characters, with their quotes and commas percent-encoded, are 4,033 long; five are not.
  expect(parseNotesHeader(formatNotesHeader(notes))).toEqual(notes.slice(0, 4));
  expect(parseNotesHeader(formatNotesHeader(['y'.repeat(5_000), 'short']))).toEqual([]);
});

it('holds for any text, which comes out as one line', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (notes) => {
      const header = formatNotesHeader(notes);
      expect(header.length).toBeLessThanOrEqual(4096);
      const read = parseNotesHeader(header);
      expect(read).toHaveLength(notes.length);
      for (const each of read) expect(each).not.toMatch(/\p{C}/u);
    }),
  );
});

it.each([undefined, '', '%', '{}', '7', `%5B%22${'x'.repeat(5_000)}%22%5D`])('reads nothing from %s', (header) => {
  expect(parseNotesHeader(header)).toEqual([]);
});

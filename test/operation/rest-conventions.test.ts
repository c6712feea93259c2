import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderedText } from '../../src/language/text/rendered-text.ts';
import {
  formatAdvisoriesHeader,
  parseAdvisoriesHeader,
} from '../../src/operation/advisories-header.ts';
import { parseAdvisoriesRequest } from '../../src/operation/rest-conventions.ts';
import type { Advisory } from '../../src/schema/advisory.ts';

it('carries facts', () => {
  const advisories: Advisory[] = [
    { kind: 'duplicate_schedule', id: 2 },
    { kind: 'similar_name', tool: 'set_parcel', existing: 'Zoé' },
  ];
  expect(parseAdvisoriesHeader(formatAdvisoriesHeader(advisories))).toEqual(advisories);
});

const textsIn = (header: string): unknown => JSON.parse(decodeURIComponent(header));

it.each([
  ['of an unknown kind', { kind: 'of_next_year', count: 1 }],
  ['without a field', { kind: 'duplicate_schedule' }],
  [
    'of a zone that does not exist',
    {
      kind: 'waterings_planned',
      count: 1,
      withoutDose: 0,
      withoutEquipment: 0,
      nextAt: 0,
      timezone: 'X',
    },
  ],
  ['of an instant beyond the calendar', { kind: 'past_version', from: null, to: 1e300 }],
])('leaves out a fact %s', (_, fact) => {
  const known = { kind: 'duplicate_schedule', id: 2 };
  const header = encodeURIComponent(JSON.stringify([fact, 'text', known]));
  expect(parseAdvisoriesHeader(header)).toEqual([known]);
});

it.each([
  [{}, null],
  [{ 'acequia-remarks': 'xx' }, null],
  [{ 'acequia-note-facts': '1' }, null],
  [{ 'acequia-remarks': '1' }, { lang: null, wantsFacts: false }],
  [{ 'acequia-remarks': 'fr' }, { lang: 'fr', wantsFacts: false }],
  [
    { 'acequia-remarks': 'fr', 'acequia-note-facts': '1' },
    { lang: 'fr', wantsFacts: true },
  ],
])('reads the request %j as %j', (headers, request) => {
  expect(parseAdvisoriesRequest(headers)).toEqual(request);
});

const headerOf = (texts: readonly string[]): string =>
  formatAdvisoriesHeader([], texts.map(renderedText));

it('carries texts in any script as characters that every header takes', () => {
  const notes = ['Une position à 6 h – « midi » 💧', 'plain'];
  const header = headerOf(notes);
  expect(header).toMatch(/^[!-~]+$/);
  expect(textsIn(header)).toEqual(notes);
});

it('carries whole notes, as many as fit into 4 KiB', () => {
  const notes = Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(999)}`);
  // Four of 1,000 characters, with their quotes and commas percent-encoded, are 4,033 long; five
  // are not.
  expect(textsIn(headerOf(notes))).toHaveLength(4);
  expect(textsIn(headerOf(['y'.repeat(5_000), 'short']))).toEqual([]);
});

it('reads any text as one line', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (names) => {
      const advisories = names.map((existing) => ({
        kind: 'similar_name' as const,
        tool: 'set_parcel' as const,
        existing,
      }));
      const header = formatAdvisoriesHeader(advisories);
      expect(header.length).toBeLessThanOrEqual(4096);
      const read = parseAdvisoriesHeader(header);
      expect(read).toHaveLength(names.length);
      for (const each of read) expect(JSON.stringify(each)).not.toMatch(/\p{C}/u);
    }),
  );
});

it.each([undefined, '', '%', '{}', '7', `%5B%22${'x'.repeat(5_000)}%22%5D`])(
  'reads nothing from %s',
  (header) => {
    expect(parseAdvisoriesHeader(header)).toEqual([]);
  },
);

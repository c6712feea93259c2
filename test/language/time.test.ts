import { describe, expect, it } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { formatUtcOffset } from '../../src/domain/time-zone.ts';
import { formatInstant, formatTimeSpan } from '../../src/language/time.ts';

const PARIS = 'Europe/Paris';
const NOW = Date.parse('2026-07-12T10:00+02:00');
const at = (text: string): number => Date.parse(text);
const inWords = (instant: string, { zone = PARIS, now = NOW, lang = 'en' as Lang } = {}): string =>
  formatInstant(at(instant), { zone, now, lang });
const spanInWords = (
  from: string,
  to: string | null,
  { now = NOW, lang = 'en' as Lang } = {},
): string => formatTimeSpan(at(from), to === null ? null : at(to), { zone: PARIS, now, lang });

describe('an instant in English', () => {
  it.each([
    ['2026-07-12T06:00+02:00', 'today 06:00'],
    ['2026-07-12T00:00+02:00', 'today 00:00'],
    ['2026-07-12T23:59:59+02:00', 'today 23:59'],
    ['2026-07-11T23:59+02:00', 'yesterday 23:59'],
    ['2026-07-13T05:00+02:00', 'tomorrow 05:00'],
    ['2026-07-10T06:00+02:00', '10 Jul 06:00'],
    ['2026-07-14T06:00+02:00', '14 Jul 06:00'],
    ['2026-01-01T00:30+01:00', '1 Jan 00:30'],
    ['2025-12-31T23:30+01:00', '31 Dec 2025 23:30'],
    ['2025-07-12T06:00+02:00', '12 Jul 2025 06:00'],
  ])('says %s as %j', (instant, words) => {
    expect(inWords(instant)).toBe(words);
  });

  it('counts days by the calendar of the zone', () => {
    const instant = '2026-07-12T01:00+02:00';
    expect(inWords(instant)).toBe('today 01:00');
    expect(inWords(instant, { zone: 'America/New_York' })).toBe('yesterday 19:00');
    expect(inWords(instant, { zone: 'Asia/Kolkata' })).toBe('today 04:30');
  });

  it.each([
    ['2025-10-26T02:30+02:00', PARIS, 'today 02:30 (summer time)'],
    ['2025-10-26T02:30+01:00', PARIS, 'today 02:30 (winter time)'],
    ['2025-10-26T03:00+01:00', PARIS, 'today 03:00'],
    ['2025-11-02T01:30-05:00', 'America/New_York', '2 Nov 01:30 (winter time)'],
  ])('says which one only in an hour that occurs twice: %s in %s', (instant, zone, words) => {
    expect(inWords(instant, { zone, now: at('2025-10-26T08:00+01:00') })).toBe(words);
  });

  it('says yesterday over a day of 25 hours', () => {
    expect(inWords('2025-10-26T00:10+02:00', { now: at('2025-10-27T00:05+01:00') })).toBe(
      'yesterday 00:10',
    );
  });
});

describe('a span in English', () => {
  it.each([
    ['2026-07-12T06:00+02:00', '2026-07-12T06:45+02:00', 'today 06:00 to 06:45'],
    ['2026-07-10T06:00+02:00', '2026-07-10T06:45+02:00', '10 Jul 06:00 to 06:45'],
    ['2026-07-11T23:30+02:00', '2026-07-12T00:15+02:00', 'yesterday 23:30 to today 00:15'],
    ['2026-07-11T23:30+02:00', '2026-07-12T00:00+02:00', 'yesterday 23:30 to today 00:00'],
    ['2025-12-31T23:30+01:00', '2026-01-01T00:15+01:00', '31 Dec 2025 23:30 to 1 Jan 00:15'],
    ['2026-07-12T06:00+02:00', null, 'today 06:00'],
  ])('says %s to %s as %j', (from, to, words) => {
    expect(spanInWords(from, to)).toBe(words);
  });

  it('distinguishes the passes of a repeated hour', () => {
    const now = at('2025-10-26T08:00+01:00');
    expect(spanInWords('2025-10-26T02:30+02:00', '2025-10-26T02:15+01:00', { now })).toBe(
      'today 02:30 (summer time) to 02:15 (winter time)',
    );
  });
});

describe('a span in a translation', () => {
  it.each<[Lang, string, string | null, string]>([
    ['es', '2026-06-01T06:00+02:00', null, 'hoy a las 06:00'],
    ['es', '2026-07-12T01:30+02:00', null, 'el 12 de julio a la 01:30'],
    ['es', '2025-12-01T06:00+01:00', null, 'el 1 de diciembre de 2025 a las 06:00'],
    ['es', '2026-06-01T06:00+02:00', '2026-06-01T06:45+02:00', 'hoy de 06:00 a 06:45'],
    [
      'es',
      '2026-05-31T22:00+02:00',
      '2026-06-01T05:00+02:00',
      'desde ayer a las 22:00 hasta hoy a las 05:00',
    ],
    ['fr', '2026-07-12T06:00+02:00', null, 'le 12 juillet à 06:00'],
    ['fr', '2025-12-01T06:00+01:00', null, 'le 1er décembre 2025 à 06:00'],
    ['fr', '2026-06-01T06:00+02:00', '2026-06-01T06:45+02:00', 'aujourd’hui de 06:00 à 06:45'],
    [
      'fr',
      '2026-05-31T22:00+02:00',
      '2026-06-01T05:00+02:00',
      'd’hier à 22:00 jusqu’à aujourd’hui à 05:00',
    ],
    [
      'fr',
      '2026-05-01T22:00+02:00',
      '2026-05-02T05:00+02:00',
      'du 1er mai à 22:00 jusqu’au 2 mai à 05:00',
    ],
    ['fr', '2026-06-02T22:00+02:00', null, 'demain à 22:00'],
    ['fr', '2026-10-25T02:30+02:00', null, 'le 25 octobre à 02:30 (heure d’été)'],
    ['es', '2026-10-25T02:30+01:00', null, 'el 25 de octubre a las 02:30 (horario de invierno)'],
  ])('in %s from %s to %s is %s', (lang, from, to, words) => {
    expect(spanInWords(from, to, { now: at('2026-06-01T12:00+02:00'), lang })).toBe(words);
  });
});

describe('an offset from UTC', () => {
  it.each([
    [0, 'UTC+00:00'],
    [330, 'UTC+05:30'],
    [-570, 'UTC-09:30'],
    [630, 'UTC+10:30'],
  ])('says %d minutes as %s', (minutes, words) => {
    expect(formatUtcOffset(minutes)).toBe(words);
  });
});

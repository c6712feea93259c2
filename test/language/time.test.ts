import { describe, expect, it } from 'vitest';
import { formatUtcOffset } from '../../src/domain/time-zone.ts';
import { formatInstant, formatTimeSpan } from '../../src/language/time.ts';

const PARIS = 'Europe/Paris';
const NOW = Date.parse('2026-07-12T10:00+02:00');
const at = (text: string): number => Date.parse(text);

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
    expect(formatInstant(at(instant), { zone: PARIS, now: NOW, lang: 'en' })).toBe(words);
  });

  it('counts days by the calendar of the zone', () => {
    const instant = at('2026-07-12T01:00+02:00');
    expect(formatInstant(instant, { zone: PARIS, now: NOW, lang: 'en' })).toBe('today 01:00');
    expect(formatInstant(instant, { zone: 'America/New_York', now: NOW, lang: 'en' })).toBe('yesterday 19:00');
    expect(formatInstant(instant, { zone: 'Asia/Kolkata', now: NOW, lang: 'en' })).toBe('today 04:30');
  });

  it('adds the offset only in an hour that occurs twice', () => {
    const now = at('2025-10-26T08:00+01:00');
    expect(formatInstant(at('2025-10-26T02:30+02:00'), { zone: PARIS, now: now, lang: 'en' })).toBe(
      'today 02:30 (UTC+02:00)',
    );
    expect(formatInstant(at('2025-10-26T02:30+01:00'), { zone: PARIS, now: now, lang: 'en' })).toBe(
      'today 02:30 (UTC+01:00)',
    );
    expect(formatInstant(at('2025-10-26T03:00+01:00'), { zone: PARIS, now: now, lang: 'en' })).toBe('today 03:00');
    expect(formatInstant(at('2025-11-02T01:30-05:00'), { zone: 'America/New_York', now: now, lang: 'en' })).toBe(
      '2 Nov 01:30 (UTC-05:00)',
    );
  });

  it('still says yesterday over a day of 25 hours', () => {
    expect(
      formatInstant(at('2025-10-26T00:10+02:00'), { zone: PARIS, now: at('2025-10-27T00:05+01:00'), lang: 'en' }),
    ).toBe('yesterday 00:10');
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
    expect(formatTimeSpan(at(from), to === null ? null : at(to), { zone: PARIS, now: NOW, lang: 'en' })).toBe(words);
  });

  it('distinguishes the passes of a repeated hour', () => {
    const now = at('2025-10-26T08:00+01:00');
    expect(
      formatTimeSpan(at('2025-10-26T02:30+02:00'), at('2025-10-26T02:15+01:00'), { zone: PARIS, now: now, lang: 'en' }),
    ).toBe('today 02:30 (UTC+02:00) to 02:15 (UTC+01:00)');
  });
});

describe('in Spanish', () => {
  it.each([
    ['2026-06-01T06:00+02:00', null, 'hoy a las 06:00'],
    ['2026-07-12T01:30+02:00', null, 'el 12 de julio a la 01:30'],
    ['2025-12-01T06:00+01:00', null, 'el 1 de diciembre de 2025 a las 06:00'],
    ['2026-06-01T06:00+02:00', '2026-06-01T06:45+02:00', 'hoy de 06:00 a 06:45'],
    ['2026-05-31T22:00+02:00', '2026-06-01T05:00+02:00', 'desde ayer a las 22:00 hasta hoy a las 05:00'],
  ])('the span from %s to %s is %s', (from, to, words) => {
    const now = at('2026-06-01T12:00+02:00');
    expect(formatTimeSpan(at(from), to === null ? null : at(to), { zone: PARIS, now, lang: 'es' })).toBe(words);
  });
});

describe('in French', () => {
  it.each([
    ['2026-07-12T06:00+02:00', 'le 12 juillet à 06:00'],
    ['2025-12-01T06:00+01:00', 'le 1er décembre 2025 à 06:00'],
  ])('%s is %s', (instant, words) => {
    expect(formatInstant(at(instant), { zone: PARIS, now: at('2026-06-01T12:00+02:00'), lang: 'fr' })).toBe(words);
  });

  it.each([
    ['2026-06-01T06:00+02:00', '2026-06-01T06:45+02:00', 'aujourd’hui de 06:00 à 06:45'],
    ['2026-05-31T22:00+02:00', '2026-06-01T05:00+02:00', 'd’hier à 22:00 jusqu’à aujourd’hui à 05:00'],
    ['2026-05-01T22:00+02:00', '2026-05-02T05:00+02:00', 'du 1er mai à 22:00 jusqu’au 2 mai à 05:00'],
    ['2026-06-02T22:00+02:00', null, 'demain à 22:00'],
  ])('the span from %s to %s is %s', (from, to, words) => {
    const now = at('2026-06-01T12:00+02:00');
    expect(formatTimeSpan(at(from), to === null ? null : at(to), { zone: PARIS, now: now, lang: 'fr' })).toBe(words);
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

import { describe, expect, it } from 'vitest';
import { countPoints, pointEnd, pointStart } from '../../../src/domain/moisture/series-points.ts';
import { offsetSpans } from '../../../src/domain/time-zone.ts';
import { DAY, HOUR } from '../../time.ts';

const at = (text: string): number => Date.parse(text);
const iso = (instant: number): string => new Date(instant).toISOString();

describe('points of local days', () => {
  it.each([
    ['of 24 hours', 'Europe/Paris', '2026-07-01T10:00Z', '2026-06-30T22:00Z', 24],
    ['of 23 hours', 'Europe/Paris', '2026-03-29T10:00Z', '2026-03-28T23:00Z', 23],
    ['of 25 hours', 'Europe/Paris', '2026-10-25T10:00Z', '2026-10-24T22:00Z', 25],
    ['half an hour off', 'Asia/Kolkata', '2026-07-01T18:29:59Z', '2026-06-30T18:30Z', 24],
    ['a quarter of an hour off', 'Asia/Kathmandu', '2026-07-01T10:00Z', '2026-06-30T18:15Z', 24],
    ['of 24.5 hours', 'Australia/Lord_Howe', '2026-04-05T01:00Z', '2026-04-04T13:00Z', 24.5],
    ['whose midnight is skipped', 'America/Santiago', '2026-09-06T12:00Z', '2026-09-06T04:00Z', 23],
  ])('begin at local midnight, on a day %s', (_, zone, instant, start, hours) => {
    expect(iso(pointStart(at(instant), DAY, zone))).toBe(iso(at(start)));
    expect(iso(pointEnd(at(instant), DAY, zone))).toBe(iso(at(start) + hours * HOUR));
  });

  it('begin weeks on a Monday', () => {
    expect(iso(pointStart(at('2026-07-05T21:59Z'), 7 * DAY, 'Europe/Paris'))).toBe('2026-06-28T22:00:00.000Z');
    expect(iso(pointStart(at('2026-07-05T22:00Z'), 7 * DAY, 'Europe/Paris'))).toBe('2026-07-05T22:00:00.000Z');
  });

  it('are counted by local dates', () => {
    const period = { start: at('2026-03-27T23:00Z'), end: at('2026-03-30T22:00Z') };
    expect(countPoints(period, DAY, 'Europe/Paris')).toBe(3);
    expect(countPoints(period, DAY, null)).toBe(4);
    expect(countPoints({ ...period, end: period.end + 1 }, DAY, 'Europe/Paris')).toBe(4);
  });

  it('do not exist within a day, or without a zone', () => {
    const noon = at('2026-07-01T10:20Z');
    expect(iso(pointStart(noon, 6 * HOUR, 'Europe/Paris'))).toBe('2026-07-01T06:00:00.000Z');
    expect(iso(pointStart(noon, DAY, null))).toBe('2026-07-01T00:00:00.000Z');
  });
});

describe('a period cut at the changes of its zone', () => {
  it('has one offset in each part', () => {
    const spans = offsetSpans({ start: at('2026-01-01T00:00Z'), end: at('2027-01-01T00:00Z') }, 'Europe/Paris');
    expect(spans.map(({ start, end, offsetMs }) => [iso(start), iso(end), offsetMs / HOUR])).toEqual([
      ['2026-01-01T00:00:00.000Z', '2026-03-29T01:00:00.000Z', 1],
      ['2026-03-29T01:00:00.000Z', '2026-10-25T01:00:00.000Z', 2],
      ['2026-10-25T01:00:00.000Z', '2027-01-01T00:00:00.000Z', 1],
    ]);
  });

  it('is whole where the clocks do not change, and empty if the period is', () => {
    const period = { start: at('2020-01-01T00:00Z'), end: at('2026-01-01T00:00Z') };
    expect(offsetSpans(period, 'Asia/Kolkata')).toEqual([{ ...period, offsetMs: 5.5 * HOUR }]);
    expect(offsetSpans({ start: 5, end: 5 }, 'Asia/Kolkata')).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Season, seasonOn } from '../../../src/domain/advice/watering-season.ts';
import { LocalDay } from '../../../src/domain/local-day.ts';
import type { Crop } from '../../../src/domain/soil/allowed-depletion.ts';

const on = (day: string, restFrom: string | null, restUntil: string | null): Season =>
  seasonOn(LocalDay.parse(day), { restFrom, restUntil }, null);

describe('a crop', () => {
  it.each([
    ['2026-11-14', null],
    ['2026-11-15', '2027-03-15'],
    ['2027-01-20', '2027-03-15'],
    ['2027-03-15', '2027-03-15'],
    ['2027-03-16', null],
  ])('that rests over New Year is on %s at rest until %s', (day, until) => {
    expect(on(day, '11-15', '03-15')).toEqual(
      until === null ? { kind: 'in_season' } : { kind: 'at_rest', until },
    );
  });

  it('rests within a year as well, until the last day of February in every year', () => {
    expect(on('2026-02-10', '01-10', '02-29')).toEqual({ kind: 'at_rest', until: '2026-02-28' });
    expect(on('2028-02-10', '01-10', '02-29')).toEqual({ kind: 'at_rest', until: '2028-02-29' });
    expect(on('2026-03-01', '01-10', '02-29')).toEqual({ kind: 'in_season' });
  });

  it('is in season where nobody said when it rests, or that it never does', () => {
    expect(on('2027-01-20', null, null)).toEqual({ kind: 'in_season' });
    expect(on('2027-01-20', 'never', null)).toEqual({ kind: 'in_season' });
  });

  it('ends its rest on the day that it says, and on no day before', () => {
    const dayOfYear = fc
      .integer({ min: 0, max: 364 })
      .map((days) => LocalDay.parse('2026-01-01').plus(days).iso.slice(5));
    fc.assert(
      fc.property(dayOfYear, dayOfYear, dayOfYear, (today, from, until) => {
        const season = on(`2026-${today}`, from, until);
        if (season.kind !== 'at_rest') return;
        expect(season.until.slice(5)).toBe(until);
        expect(season.until >= `2026-${today}`).toBe(true);
        const next = LocalDay.parse(season.until).next().iso;
        // A rest that begins the day after it ends lasts all year.
        if (next.slice(5) !== from) expect(on(next, from, until).kind).toBe('in_season');
      }),
    );
  });
});

describe('a harvest', () => {
  const kindOf = (crop: Crop | null, plantedOn: string | null = null): Season['kind'] =>
    seasonOn(LocalDay.parse('2026-08-01'), null, {
      crop,
      plantedOn,
      harvestedOn: '2026-07-01',
      stage: null,
      stageOn: null,
    }).kind;

  it('ends the season of an annual crop, until the next one is planted', () => {
    expect(kindOf('wheat')).toBe('harvested');
    expect(kindOf('maize', '2026-04-20')).toBe('harvested');
    expect(kindOf('maize', '2026-07-20')).toBe('in_season');
    expect(kindOf('maize', '2026-08-20')).toBe('at_rest');
  });

  it.each(['cherry', 'wineGrape', 'alfalfa', 'strawberry', 'asparagus', null] as const)(
    'does not end that of %s',
    (crop) => {
      expect(kindOf(crop)).toBe('in_season');
    },
  );
});

describe('a planting', () => {
  const seasonOf = (
    crop: Crop | null,
    plantedOn: string,
    harvestedOn: string | null = null,
  ): Season =>
    seasonOn(LocalDay.parse('2026-08-01'), null, {
      crop,
      plantedOn,
      harvestedOn,
      stage: 'mid',
      stageOn: '2026-08-01',
    });

  it('begins the season of an annual crop: before that day the land is bare', () => {
    const bare = { kind: 'at_rest', until: '2026-08-31' };
    expect(seasonOf('maize', '2026-09-01')).toEqual(bare);
    expect(seasonOf('maize', '2026-09-01', '2026-07-01')).toEqual(bare);
    expect(seasonOf('maize', '2026-09-01', '2026-11-01')).toEqual(bare);
    expect(seasonOf('maize', '2026-08-01').kind).toBe('in_season');
  });

  it('leaves the crop before it in season until its harvest', () => {
    expect(seasonOf('maize', '2026-09-01', '2026-08-20').kind).toBe('in_season');
    expect(seasonOf('maize', '2026-04-20', '2026-08-20').kind).toBe('in_season');
  });

  it.each(['cherry', 'wineGrape', null] as const)('is not waited for with %s', (crop) => {
    expect(seasonOf(crop, '2026-09-01').kind).toBe('in_season');
  });
});

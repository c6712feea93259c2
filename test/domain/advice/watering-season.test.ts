import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Season, seasonOn } from '../../../src/domain/advice/watering-season.ts';
import { cropTables } from '../../../src/domain/balance/crop-tables.ts';
import type { CropSeasonFacts } from '../../../src/domain/facts/probe-facts.ts';
import { LocalDay } from '../../../src/domain/local-day.ts';
import { CROPS, type Crop } from '../../../src/domain/soil/allowed-depletion.ts';
import { isAnnualCrop } from '../../../src/domain/soil/crop-kinds.ts';

const SITE = { latitude: 43.6, zone: 'Europe/Paris' };
const NO_REST = null;

const on = (day: string, restFrom: string | null, restUntil: string | null): Season =>
  seasonOn(LocalDay.parse(day), { restFrom, restUntil }, null, SITE);

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
    seasonOn(
      LocalDay.parse('2026-08-01'),
      NO_REST,
      {
        crop,
        plantedOn,
        harvestedOn: '2026-07-01',
        stage: null,
        stageOn: null,
        earlierStages: null,
      },
      SITE,
    ).kind;

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
    seasonOn(
      LocalDay.parse('2026-08-01'),
      NO_REST,
      {
        crop,
        plantedOn,
        harvestedOn,
        stage: null,
        stageOn: null,
        earlierStages: null,
      },
      SITE,
    );

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

describe('the end of a season', () => {
  const seasonOf = (
    today: string,
    crop: Crop,
    known: Partial<CropSeasonFacts>,
    rest: Parameters<typeof seasonOn>[1] = NO_REST,
  ): Season =>
    seasonOn(
      LocalDay.parse(today),
      rest,
      {
        crop,
        plantedOn: null,
        harvestedOn: null,
        stage: null,
        stageOn: null,
        earlierStages: null,
        ...known,
      },
      SITE,
    );
  const sown = { plantedOn: '2025-11-10' };

  it('of a crop that ripens is a third of the late stage before the end of table 11', () => {
    // 30 + 140 + 40 + 30 days of wheat that is sown in autumn end on 8 July.
    expect(seasonOf('2026-06-27', 'wheat', sown)).toEqual({ kind: 'in_season' });
    expect(seasonOf('2026-06-28', 'wheat', sown)).toEqual({ kind: 'ripe', since: '2026-06-28' });
    // 15 + 25 + 70 + 40 days of onions end on 29 August.
    const onions = { plantedOn: '2026-04-01' };
    expect(seasonOf('2026-08-15', 'onion', onions).kind).toBe('in_season');
    expect(seasonOf('2026-08-16', 'onion', onions).kind).toBe('ripe');
  });

  it('of a crop that is picked is that of table 11', () => {
    // 30 + 35 + 40 + 20 days.
    const peppers = { plantedOn: '2026-05-01' };
    expect(seasonOf('2026-09-02', 'pepper', peppers).kind).toBe('in_season');
    expect(seasonOf('2026-09-03', 'pepper', peppers).kind).toBe('ripe');
  });

  it('is put off by a stage that was said, and settled by a harvest', () => {
    const late = { ...sown, stage: 'late', stageOn: '2026-07-01' } as const;
    expect(seasonOf('2026-07-05', 'wheat', late).kind).toBe('in_season');
    expect(seasonOf('2026-07-06', 'wheat', late)).toEqual({ kind: 'ripe', since: '2026-07-06' });

    const planned = { ...sown, harvestedOn: '2026-07-20' };
    expect(seasonOf('2026-07-09', 'wheat', planned).kind).toBe('in_season');
    expect(seasonOf('2026-07-10', 'wheat', planned)).toEqual({
      kind: 'harvested',
      on: '2026-07-20',
    });
  });

  it('is that of the planting of the next crop, and hidden by a rest', () => {
    const rest = { restFrom: '06-20', restUntil: '08-31' };
    expect(seasonOf('2026-07-20', 'wheat', sown, rest).kind).toBe('at_rest');
    expect(seasonOf('2026-07-20', 'wheat', { plantedOn: '2026-07-15' }).kind).toBe('in_season');
  });

  it('is unknown without a planting or a stage, or a length in table 11', () => {
    expect(seasonOf('2026-07-20', 'wheat', {}).kind).toBe('in_season');
    expect(seasonOf('2026-12-20', 'chickpea', { plantedOn: '2026-03-01' }).kind).toBe('in_season');
  });

  it('never is that of a crop that lasts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CROPS.filter((crop) => !isAnnualCrop(crop))),
        fc.integer({ min: 0, max: 3000 }),
        (crop, days) => {
          const plantedOn = LocalDay.parse('2026-07-01').plus(-days).iso;
          expect(seasonOf('2026-07-01', crop, { plantedOn }).kind).toBe('in_season');
        },
      ),
    );
  });

  it('never comes before the late stage has begun', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CROPS.filter(isAnnualCrop)),
        fc.integer({ min: 0, max: 400 }),
        (crop, days) => {
          const planted = LocalDay.parse('2026-03-01');
          const today = planted.plus(days);
          const { lengths } = cropTables(crop);
          fc.pre(lengths !== null);
          const lateFrom = lengths.initial + lengths.development + lengths.mid;
          if (days > lateFrom) return;
          expect(seasonOf(today.iso, crop, { plantedOn: planted.iso }).kind).toBe('in_season');
        },
      ),
    );
  });
});

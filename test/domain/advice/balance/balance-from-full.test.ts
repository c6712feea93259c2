import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  balanceFromFullSoil,
  type FullSoilAnswer,
} from '../../../../src/domain/advice/balance/balance-from-full.ts';
import type { WettedRootZone } from '../../../../src/domain/advice/balance/zone-balance.ts';
import { FORESEEABLE_DAYS } from '../../../../src/domain/advice/watering-advice.ts';
import { availableMm } from '../../../../src/domain/balance/root-zone-soil.ts';
import { LocalDay } from '../../../../src/domain/local-day.ts';
import type { RainContribution } from '../../../../src/domain/weather/rain.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { DAY } from '../../../time.ts';
import { wateringOf } from '../farm/farm-probes.ts';

const NOW = Date.parse('2026-07-01T12:00:00Z');
const dayBefore = (days: number): string => LocalDay.parse('2026-07-01').plus(-days).iso;

const LAYERS = [{ topCm: 0, bottomCm: 100, fieldCapacity: 0.28, wiltingPoint: 0.14 }];
const ROOTS_CM = 60;
const AVAILABLE_MM = availableMm(LAYERS, ROOTS_CM);
const PLANTED_DAYS = 40;
/** A wetter surface evaporates more, even of water that has drained; here, at most so much a day. */
const EVAPORATION_MM = 1.2 * 9;

const season = {
  crop: 'tomato' as const,
  plantedOn: dayBefore(PLANTED_DAYS),
  harvestedOn: null,
  stage: null,
  stageOn: null,
  earlierStages: null,
};

/** Water on one of the days of the balance. */
interface Water {
  readonly days: number;
  readonly mm: number;
}

const rainOf = ({ days, mm }: Water): RainContribution => ({
  mm,
  record: {
    id: days,
    parcelId: null,
    moduleId: null,
    localDay: dayBefore(days),
    startedAt: NOW - days * DAY,
    endedAt: null,
    isWholeDay: true,
    mm,
  },
});
const doneWateringOf = ({ days, mm }: Water) =>
  wateringOf({ startedAt: NOW - days * DAY, waterMm: mm, status: 'done' });

interface Course {
  readonly et0Mm: readonly number[];
  readonly rain: readonly Water[];
  readonly waterings: readonly Water[];
  readonly fractionWetted: number;
}

const waters = fc.array(
  fc.record({
    days: fc.integer({ min: 1, max: PLANTED_DAYS - 1 }),
    mm: fc.integer({ max: 60, min: 1 }),
  }),
  { maxLength: 5 },
);
const courses: fc.Arbitrary<Course> = fc.record({
  et0Mm: fc.array(
    fc.integer({ min: 0, max: 90 }).map((tenths) => tenths / 10),
    {
      minLength: 120,
      maxLength: 120,
    },
  ),
  rain: waters,
  waterings: waters,
  fractionWetted: fc.constantFrom(0.3, 0.6, 1),
});

function answerFor(
  { et0Mm, rain, waterings, fractionWetted }: Course,
  zone: Partial<WettedRootZone> = {},
): FullSoilAnswer {
  const data = et0Mm.map((mm, index) => ({
    day: dayBefore(et0Mm.length - index),
    temperatureMin: null,
    temperatureMax: null,
    et0Mm: mm,
    method: null,
    missing: [],
  }));
  return balanceFromFullSoil(
    {
      season,
      rootDepthCm: ROOTS_CM,
      layers: LAYERS,
      allowedDepletion: null,
      fractionWetted,
      share: 1,
      waterings: waterings.map(doneWateringOf),
      rain: rain.map(rainOf),
      ...zone,
    },
    { now: NOW, zone: 'UTC', weather: { data }, filledOn: null },
  );
}

function deficitOf(course: Course): number {
  const answer = answerFor(course);
  if (!answer.ok) throw new Error(`Missing: ${answer.failure.join(', ')}`);
  return answer.value.deficitMm;
}

const holds = (property: (course: Course, water: Water) => void): void =>
  fc.assert(
    fc.property(
      courses,
      fc.record({
        days: fc.integer({ min: 1, max: PLANTED_DAYS - 2 }),
        mm: fc.integer({ min: 1, max: 60 }),
      }),
      property,
    ),
    { numRuns: propertyRuns(500) },
  );

describe('balanceFromFullSoil', () => {
  it('lacks between nothing and all the water that roots can take', () => {
    holds((course) => {
      const deficitMm = deficitOf(course);
      expect(deficitMm).toBeGreaterThanOrEqual(0);
      expect(deficitMm).toBeLessThanOrEqual(AVAILABLE_MM + 1e-6);
    });
  });

  it('lacks no more, but for evaporation, where more rain fell or more was given', () => {
    holds((plan, water) => {
      const course = { ...plan, fractionWetted: 1 };
      const deficitMm = deficitOf(course);
      const [rained, watered] = [
        { ...course, rain: [...course.rain, water] },
        { ...course, waterings: [...course.waterings, water] },
      ].map(deficitOf);
      expect(rained).toBeLessThanOrEqual(deficitMm + EVAPORATION_MM);
      expect(watered).toBeLessThanOrEqual(deficitMm + EVAPORATION_MM);
    });
  });

  it('is due by the depletion that was set, while the crop uses water by its own', () => {
    holds((course) => {
      const [own, early, late] = [null, 0.1, 0.9].map((allowedDepletion) =>
        answerFor(course, { allowedDepletion }),
      );
      if (!own?.ok || !early?.ok || !late?.ok) throw new Error('There is no balance');
      expect(early.value.deficitMm).toBe(own.value.deficitMm);
      expect(late.value.deficitsMm).toEqual(own.value.deficitsMm);
      const days = [early, own, late].map(({ value }) => value.daysToStress ?? FORESEEABLE_DAYS);
      expect(days).toEqual([...days].sort((a, b) => a - b));
      expect(early.value.daysToStress === 0).toBe(early.value.deficitMm >= 0.1 * AVAILABLE_MM);
    });
  });

  it('forgets what was before a rain that fills even a dry soil', () => {
    holds((course, { days }) => {
      // On the second day nothing depends on the surface before.
      const rain = [days + 1, days].map((day) => ({ days: day, mm: 3 * AVAILABLE_MM }));
      const filled = { ...course, rain: [...course.rain, ...rain] };
      const answer = answerFor({
        ...filled,
        waterings: [...course.waterings, { days: days + 2, mm: 30 }],
      });
      if (!answer.ok) throw new Error(`Missing: ${answer.failure.join(', ')}`);
      expect(answer.value.from).toBe('filled');
      expect(answer.value.since > dayBefore(days)).toBe(true);
      expect(answer.value.deficitMm).toBeCloseTo(deficitOf(filled), 0);

      const unknownDose = wateringOf({
        startedAt: NOW - (days + 2) * DAY,
        waterMm: null,
        status: 'done',
      });
      expect(
        answerFor(filled, { waterings: [...course.waterings.map(doneWateringOf), unknownDose] }),
      ).toMatchObject({ ok: true });
    });
  });

  it('takes nothing silently: it names each input that is missing', () => {
    holds((course) => {
      expect(answerFor(course, { season: null })).toEqual({ ok: false, failure: ['crop'] });
      expect(answerFor(course, { rootDepthCm: null })).toEqual({
        ok: false,
        failure: ['root_depth'],
      });
      expect(answerFor(course, { layers: null })).toEqual({ ok: false, failure: ['soil'] });
      expect(answerFor({ ...course, et0Mm: [] })).toMatchObject({
        ok: false,
        failure: ['weather'],
      });
      expect(answerFor(course, { season: { ...season, plantedOn: null } })).toEqual({
        ok: false,
        failure: ['stage'],
      });
    });
  });
});

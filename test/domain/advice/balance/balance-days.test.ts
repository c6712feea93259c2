import { describe, expect, it } from 'vitest';
import { balanceDays } from '../../../../src/domain/advice/balance/balance-days.ts';
import type { WateringFacts } from '../../../../src/domain/facts/watering-facts.ts';
import type { RainContribution } from '../../../../src/domain/weather/rain.ts';
import { wateringOf } from '../farm/farm-probes.ts';

const at = (text: string): number => Date.parse(`2026-07-${text}:00Z`);
const NOW = at('04T00:00');
const weather = {
  data: [1, 2, 3].map((day) => ({ day: `2026-07-0${day}`, et0Mm: 6 })),
} as unknown as Parameters<typeof balanceDays>[2]['weather'];

const rainOn = (startedAt: number, isWholeDay: boolean, mm: number): RainContribution => ({
  mm,
  record: {
    id: 1,
    parcelId: null,
    moduleId: null,
    localDay: '2026-07-01',
    startedAt,
    endedAt: null,
    isWholeDay,
    mm,
  },
});

function daysAfter(
  after: number | undefined,
  water: { rain?: RainContribution[]; waterings?: WateringFacts[] } = {},
) {
  const result = balanceDays(
    { day: '2026-07-01', after },
    { rain: [], waterings: [], fractionWetted: 1, share: 1, ...water },
    { now: NOW, zone: 'UTC', weather },
  );
  if (!result.ok) throw new Error(result.failure);
  return result.value;
}

describe('the days of a balance that begins with a reading', () => {
  it('has the demand of the hours after it alone', () => {
    const demand = (after?: number) => daysAfter(after).map(({ et0Mm }) => et0Mm);
    expect(demand()).toEqual([6, 6, 6, 0]);
    // The sun of the day is symmetric about 13:00.
    expect(demand(at('01T13:00'))[0]).toBeCloseTo(3);
    expect(demand(at('01T20:00'))).toEqual([0, 6, 6, 0]);
  });

  it('counts the waterings and rain after it, and rain of an unknown hour by its share', () => {
    const noon = at('01T12:00');
    const waterings = [at('01T06:00'), at('01T18:00')].map((startedAt) =>
      wateringOf({ startedAt, waterMm: 20, status: 'done' }),
    );
    expect(daysAfter(noon, { waterings })[0]!.irrigationMm).toBe(20);
    const rain = [rainOn(at('01T06:00'), false, 5), rainOn(at('01T15:00'), false, 7)];
    expect(daysAfter(noon, { rain })[0]!.rainMm).toBe(7);
    expect(daysAfter(noon, { rain: [rainOn(at('01T00:00'), true, 8)] })[0]!.rainMm).toBe(4);
  });
});

import { describe, expect, it } from 'vitest';
import {
  isWetterThanClass,
  tooWetSince,
} from '../../../../src/domain/advice/probe/response-conditions.ts';
import { wetSince } from '../../../../src/domain/advice/response/response-of-history.ts';
import type { RainContribution } from '../../../../src/domain/weather/rain.ts';
import { DAY, HOUR } from '../../../time.ts';
import { setupOf, stateOf, wateringOf } from '../farm/farm-probes.ts';

const NOW = 14 * DAY;
const LINE = stateOf({
  fieldCapacity: 28,
  basis: { ...stateOf().basis, fieldCapacity: 'annotation' },
});

const hoursAt = (moisture: (hour: number) => number) =>
  Array.from({ length: 14 * 24 }, (_, hour) => ({ at: hour * HOUR, value: moisture(hour) }));

describe('soil that is wetter than drained soil stays', () => {
  it('is so since it rose 4 points above a drawn field capacity', () => {
    expect(
      wetSince(
        hoursAt((hour) => (hour < 100 ? 31.9 : 32)),
        LINE,
      ),
    ).toBe(100 * HOUR);
    expect(
      wetSince(
        hoursAt((hour) => (hour === 300 ? 31.9 : 40)),
        LINE,
      ),
    ).toBe(301 * HOUR);
    expect(
      wetSince(
        hoursAt(() => 31.9),
        LINE,
      ),
    ).toBeNull();
  });

  it('is judged by a texture class only where it is 8 points above', () => {
    const ofClass = stateOf({ fieldCapacity: 28 });
    const wettest = (moisture: number) =>
      wetSince(
        hoursAt(() => moisture),
        ofClass,
      );
    expect([wettest(35.9), wettest(36)]).toEqual([null, 0]);
  });

  it('is not known over a gap of more than a day', () => {
    const curve = hoursAt(() => 35).filter(({ at }) => at < 5 * DAY || at > 7 * DAY);
    expect(wetSince(curve, LINE)).toBe(7 * DAY + HOUR);
  });

  const rainOf = (mm: number, daysBefore: number): RainContribution => {
    const startedAt = NOW - daysBefore * DAY;
    const record = {
      id: 1,
      parcelId: null,
      moduleId: null,
      localDay: '',
      startedAt,
      endedAt: startedAt + HOUR,
      isWholeDay: false,
      mm,
    };
    return { record, mm };
  };
  const since = (
    days: number,
    begun = [wateringOf({ startedAt: NOW - 4 * DAY, status: 'done' })],
  ) =>
    ({
      facts: {
        wetSince: NOW - days * DAY,
        freshness: { newestAt: NOW, isFresh: true },
        state: LINE,
        setup: setupOf(null, null),
      },
      begun,
    }) as const;

  const wateredTwoDaysAgo = (waterMmWetted: number | null) =>
    since(6, [
      wateringOf({
        startedAt: NOW - 2 * DAY,
        status: 'done',
        scope: 'module',
        waterMm: waterMmWetted,
        waterMmWetted,
      }),
    ]);

  it.each([
    ['for 5 days', since(5), [], NOW - 5 * DAY],
    ['for less', since(4.9), [], null],
    ['with 5 mm of rain 2 days ago', since(6), [rainOf(5, 2)], null],
    ['with less rain', since(6), [rainOf(4.9, 2)], NOW - 6 * DAY],
    ['with rain 4 days ago', since(6), [rainOf(30, 4)], NOW - 6 * DAY],
    ['with a watering 2 days ago', wateredTwoDaysAgo(5), [], null],
    ['with a smaller watering', wateredTwoDaysAgo(4.9), [], NOW - 6 * DAY],
    ['with one of unknown dose', wateredTwoDaysAgo(null), [], null],
    ['with rain and a watering of 5 mm together', wateredTwoDaysAgo(3), [rainOf(2, 2)], null],
  ] as const)('%s without water', (_, { facts, begun }, rain, expected) => {
    expect(tooWetSince(facts, begun, rain, NOW)).toBe(expected);
  });

  const neverDrained = (days: number, state = stateOf({ fieldCapacity: 28 })) => ({
    ...since(days).facts,
    state,
    setup: setupOf(null, null),
  });

  it('says after 13 days that it is not of its texture class, unless a line was drawn', () => {
    expect(isWetterThanClass(neverDrained(13), NOW)).toBe(true);
    expect(isWetterThanClass(neverDrained(12.9), NOW)).toBe(false);
    expect(isWetterThanClass(neverDrained(14, LINE), NOW)).toBe(false);
  });
});

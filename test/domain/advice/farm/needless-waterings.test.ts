import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { needlessWaterings } from '../../../../src/domain/advice/farm/needless-waterings.ts';
import { ParcelRain } from '../../../../src/domain/weather/parcel-rain.ts';
import { DAY, FARM_NOW, HOUR } from '../../../farm.ts';
import { adviceOf, probeOf, wateringOf } from './farm-probes.ts';

const rainOf = (...amounts: (readonly [mm: number, hoursAgo: number, parcelId?: number])[]) =>
  new ParcelRain({
    from: FARM_NOW - 3 * DAY,
    to: FARM_NOW + 1,
    records: amounts.map(([mm, hoursAgo, parcelId = null], index) => ({
      id: index + 1,
      parcelId,
      moduleId: null,
      localDay: new Date(FARM_NOW - hoursAgo * HOUR).toISOString().slice(0, 10),
      startedAt: FARM_NOW - hoursAgo * HOUR,
      endedAt: FARM_NOW - hoursAgo * HOUR + HOUR,
      isWholeDay: false,
      mm,
    })),
  });

/** 8 mm in eight hours, for a soil that lacks nothing. */
const planned = wateringOf({ startedAt: FARM_NOW + 8 * HOUR, waterMm: 8 });
const wet = adviceOf({ waterMm: 0, daysToStress: 9 });

const needless = (
  probes: ReturnType<typeof probeOf>[],
  upcoming: ReturnType<typeof wateringOf>[],
  rain = rainOf([12, 20]),
) => needlessWaterings({ now: FARM_NOW, zone: 'UTC', probes, upcoming, rain });

describe('a watering that the rain made needless', () => {
  // 80 % of 12 mm.
  it('is proposed with its figures', () => {
    expect(needless([probeOf({ advice: wet })], [planned])).toEqual([
      {
        eventId: planned.id,
        at: planned.startedAt,
        moduleIds: [1],
        rainMm: 12,
        effectiveMm: 9.6,
        neededMm: 0,
        plannedMm: 8,
        since: null,
      },
    ]);
  });

  it('takes no rain before the last watering into account', () => {
    const done = wateringOf({ startedAt: FARM_NOW - 15 * HOUR, durationMin: 60, status: 'done' });
    const probe = probeOf({ advice: wet, waterings: [done] });
    expect(needless([probe], [planned])).toEqual([]);
    expect(needless([probe], [planned], rainOf([12, 20], [6, 9]))).toMatchObject([
      { rainMm: 6, since: FARM_NOW - 14 * HOUR },
    ]);
  });

  it('is none while the need is uncertain or unknown', () => {
    const without = [
      adviceOf({ ...wet, reasons: [{ kind: 'SENSOR_STUCK' }] }),
      adviceOf({ ...wet, waterMm: null }),
      null,
    ];
    for (const advice of without) expect(needless([probeOf({ advice })], [planned])).toEqual([]);
    expect(needless([probeOf({ advice: wet })], [{ ...planned, waterMm: null }])).toEqual([]);
  });

  it('is proposed for all probes of its valve, or for none', () => {
    const dry = adviceOf({ waterMm: 12, daysToStress: 0 });
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }), (areDry) => {
        const probes = areDry.map((isDry, index) =>
          probeOf({ id: index + 1, parcelId: 7, scope: 'parcel', advice: isDry ? dry : wet }),
        );
        const upcoming = probes.map(({ module: { id } }) => ({ ...planned, id, moduleId: id }));
        expect(needless(probes, upcoming).map(({ moduleIds }) => moduleIds)).toEqual(
          areDry.includes(true) ? [] : [probes.map(({ module }) => module.id)],
        );
      }),
    );
  });

  it('is the next one of a probe, and one of three at most', () => {
    const probes = [1, 2, 3, 4, 5].map((id) => probeOf({ id, advice: wet }));
    const ofEach = probes.map(({ module: { id } }) => ({ ...planned, id, moduleId: id }));
    const [first] = ofEach;
    const later = { ...first!, id: 9, startedAt: planned.startedAt + HOUR };
    expect(needless(probes.slice(0, 1), [first!, later])).toHaveLength(1);
    expect(needless(probes, ofEach).map(({ eventId }) => eventId)).toEqual([1, 2, 3]);
  });

  // 50 mm of a turn every eight days, 28 mm of rain two days ago: the crop lasts for 5.6 days.
  it('is none where the crop may suffer before the watering after it', () => {
    const turn = wateringOf({ startedAt: FARM_NOW + 3 * HOUR, waterMm: 50 });
    const next = { ...turn, id: 9, startedAt: turn.startedAt + 8 * DAY };
    const almonds = { waterMm: 6.2, daysToStress: 5.6 };
    const rain = rainOf([28, 48]);
    const withNext = (days: number, upcoming = [turn, next]) =>
      needless(
        [probeOf({ advice: adviceOf({ ...almonds, daysToStress: days }), waterings: upcoming })],
        [turn],
        rain,
      );

    expect(withNext(5.6)).toEqual([]);
    // Eight days and the 4.7 of the error.
    expect(withNext(13.5)).toHaveLength(1);
    // A tap that opens at any time can still be opened later.
    expect(withNext(5.6, [turn])).toHaveLength(1);
    expect(withNext(5.6, [turn, { ...next, startedAt: turn.startedAt + 2 * DAY }])).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { responseOfTension } from '../../../../src/domain/advice/response/tension-response.ts';
import type { TensionFacts } from '../../../../src/domain/facts/probe-facts.ts';
import type { ProbeHistory } from '../../../../src/domain/facts/probe-history.ts';
import { HOUR } from '../../../time.ts';
import { stateOf, wateringOf } from '../farm/farm-probes.ts';

const HOURS = 14 * 24;
const WATERED = [100, 200];

/** One sensor at 30 cm of loam, unless the soil is unknown. */
function history(tensionAt: (hour: number) => number, hasSoil = true): ProbeHistory {
  const points = Array.from({ length: HOURS }, (_, hour) => ({
    at: hour * HOUR,
    value: tensionAt(hour),
  }));
  const soil = hasSoil
    ? { fieldCapacity: 0.28, wiltingPoint: 0.14, saturation: 0.46 }
    : { fieldCapacity: null, wiltingPoint: null, saturation: null };
  const depth = { depthCm: 30, slice: null, weight: 1, ...soil, points, soilTemperature: [] };
  return { curve: points, depths: [depth], thermometers: [] };
}

const respond = (of: ProbeHistory, tension: Partial<TensionFacts> = {}, mm = 15) =>
  responseOfTension(of, {
    state: stateOf({
      tension: { value: null, wetLevel: null, dryLevel: null, isDry: null, ...tension },
    }),
    done: WATERED.map((hour) => ({
      ...wateringOf({ startedAt: hour * HOUR, status: 'done' }),
      wettedMm: mm,
    })),
    zone: 'UTC',
  });
const areUnseen = (...args: Parameters<typeof respond>) =>
  respond(...args).response.unseen !== null;

describe('the response of a tensiometer to waterings', () => {
  it('is a fall by a fifth within a day', () => {
    const falling = (share: number, hours: number) =>
      history((hour) =>
        WATERED.some((at) => hour >= at + hours && hour < at + hours + 40) ? 80 * (1 - share) : 80,
      );
    expect(areUnseen(falling(0.21, 5))).toBe(false);
    expect(areUnseen(falling(0.19, 5))).toBe(true);
    expect(areUnseen(falling(0.5, 30))).toBe(true);
    expect(respond(falling(0.21, 5)).wettedAt).toEqual(WATERED.map((hour) => (hour + 5) * HOUR));
  });

  it('is expected from 2 points below field capacity on, or from a lower dry level', () => {
    expect(areUnseen(history(() => 51))).toBe(true);
    expect(areUnseen(history(() => 48))).toBe(false);
    expect(
      areUnseen(
        history(() => 48),
        { dryLevel: 40 },
      ),
    ).toBe(true);
    expect(areUnseen(history(() => 48, false))).toBe(false);
    expect(
      areUnseen(
        history(() => 48, false),
        { dryLevel: 40 },
      ),
    ).toBe(true);
  });

  it('is expected of doses that can reach the sensor', () => {
    // At 200 kPa loam holds 20.2 %, so that 30 cm lack 23 mm; half of it is expected.
    expect(
      areUnseen(
        history(() => 200),
        {},
        11,
      ),
    ).toBe(false);
    expect(
      areUnseen(
        history(() => 200),
        {},
        12,
      ),
    ).toBe(true);
  });

  it('is not expected of a sensor that stands still', () => {
    const suspect = { depthCm: 30, value: 239, from: null, since: 0 };
    const reason = 'TENSION_AT_LIMIT';
    expect(
      areUnseen(
        history(() => 239),
        { suspect: [{ reason, ...suspect }] },
      ),
    ).toBe(false);
  });
});

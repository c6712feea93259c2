import {
  lackAboveMm,
  responseFacts,
} from '../../../../src/domain/advice/response/unseen-waterings.ts';
import type { DepthCurve } from '../../../../src/domain/advice/watering-response.ts';
import { minRiseHeight } from '../../../../src/domain/moisture/wetting-events.ts';
import { HOUR } from '../../../time.ts';
import { wateringOf } from '../farm/farm-probes.ts';

export const FIELD_CAPACITY = 28;
export const HOURS = 14 * 24;

/** Hourly means of 14 days that jump by 4 points at some hours. */
export function curve(depthCm: number, jumps: readonly number[] = [], from = 20): DepthCurve {
  const points = Array.from({ length: HOURS }, (_, hour) => ({
    at: hour * HOUR,
    value: from - hour / 100 + 4 * jumps.filter((jump) => jump <= hour).length,
  }));
  const slice = { topCm: depthCm - 10, bottomCm: depthCm + 10 };
  const fieldCapacity = FIELD_CAPACITY / 100;
  return { depthCm, slice, fieldCapacity, points, frozen: [], minRise: minRiseHeight(points) };
}

/** Waterings of an hour with `mm` in the wetted zone. */
export const watered = (hours: readonly number[], mm: number | null = 15, fields = {}) =>
  hours.map((hour) => ({
    ...wateringOf({
      startedAt: hour * HOUR,
      durationMin: 60,
      status: 'done',
      isConfirmed: true,
      ...fields,
    }),
    wettedMm: mm,
  }));

export const judge = (
  curves: readonly DepthCurve[],
  done = watered([100, 200]),
  sensorSteps: ReadonlyMap<number, number> = new Map(),
) => {
  const [{ points }] = curves as [DepthCurve];
  const soil = {
    curves,
    sensorSteps,
    meanCurve: points,
    dryEnough: FIELD_CAPACITY - 2,
    dryEnoughAt: () => null,
    lackMm: ({ depthCm }: DepthCurve, moisture: number) =>
      lackAboveMm(depthCm, moisture, FIELD_CAPACITY / 100),
  };
  return responseFacts(soil, done, 'UTC');
};

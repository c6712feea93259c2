import { ageOf } from '../domain/coverage.ts';
import { daysUntil, dryDays, dryingPace } from '../domain/dry-days.ts';
import type { Call } from '../operation/call.ts';
import type { AdviceReason } from '../schema/advice.ts';
import type { MoistureSeriesBody } from '../schema/series.ts';
import { type Grounds, PACE_DAYS } from './advice-grounds.ts';
import { runOf } from './every-watering.ts';
import { summaryOf } from './probe-depths.ts';
import { isoOf } from './wire.ts';

const DAY_MS = 86_400_000;
const HOUR_S = 3600;

/** Days until a probe's curve is at the stress point; null with a reason where that cannot be foreseen. */
export interface DaysToStress {
  readonly days: number | null;
  readonly reason: AdviceReason | null;
}

/** By the pace at which the soil dried on the dry days of the last two weeks. */
export async function daysToStress(call: Call, moduleId: number, { state, done }: Grounds): Promise<DaysToStress> {
  const { value_vwc: value, time, stressPoint } = state;
  if (stressPoint === null) return { days: null, reason: 'NO_STRESS_POINT' };
  // Without a value of now, the age of the data is what there is to say.
  if (value === null || time === null || !ageOf(Date.parse(time), call.now).isFresh)
    return { days: null, reason: null };
  if (value <= stressPoint) return { days: 0, reason: null };
  const days = dryDays(await hourlyCurve(call, moduleId), done.map(runOf), call.zone);
  const pace = dryingPace(days);
  if (pace === null) return { days: null, reason: 'FEW_DRY_DAYS' };
  const until = daysUntil(stressPoint, value, pace);
  return { days: until, reason: until === null ? 'NOT_DRYING' : null };
}

async function hourlyCurve(call: Call, moduleId: number) {
  const asked = { moduleId, start: isoOf(call.now - PACE_DAYS * DAY_MS), interval: HOUR_S, depths: true };
  return summaryOf((await call.perform('get_moisture_series', asked)) as MoistureSeriesBody);
}

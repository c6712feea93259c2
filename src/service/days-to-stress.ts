import { ageOf } from '../domain/coverage.ts';
import { drySpells } from '../domain/dry-spells.ts';
import { type DryingPace, daysUntil, dryingPace } from '../domain/drying-pace.ts';
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
  /** What they rest on, where they rest on a pace. */
  readonly pace: DryingPace | null;
  readonly reason: AdviceReason | null;
}

const unknown = (reason: AdviceReason | null): DaysToStress => ({ days: null, pace: null, reason });

/** By the pace at which the soil dried in the dry spells of the last two weeks. */
export async function daysToStress(call: Call, moduleId: number, { state, done }: Grounds): Promise<DaysToStress> {
  const { value_vwc: value, time, stressPoint } = state;
  if (stressPoint === null) return unknown('NO_STRESS_POINT');
  // Without a value of now, the age of the data is what there is to say.
  if (value === null || time === null) return unknown(null);
  const { ageMs, isFresh } = ageOf(Date.parse(time), call.now);
  if (!isFresh) return unknown(null);
  if (value <= stressPoint) return { days: 0, pace: null, reason: null };
  const pace = dryingPace(drySpells(await hourlyCurve(call, moduleId), done.map(runOf)), call.zone);
  if (pace === null) return unknown('FEW_DRY_DAYS');
  const days = daysUntil(stressPoint, { value, ageDays: ageMs / DAY_MS }, pace.perDay);
  return days === null ? unknown('NOT_DRYING') : { days, pace, reason: null };
}

async function hourlyCurve(call: Call, moduleId: number) {
  const asked = { moduleId, start: isoOf(call.now - PACE_DAYS * DAY_MS), interval: HOUR_S, depths: true };
  return summaryOf((await call.perform('get_moisture_series', asked)) as MoistureSeriesBody);
}

import { type DryingRate, daysUntilStress, drySpells, estimateDryingRate } from '../../domain/advice/drying-rate.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { DAY_MS } from '../../domain/periods.ts';

import type { ComposedCall } from '../../operation/call.ts';
import type { AdviceReason } from '../../schema/advice.ts';
import { unroundedSummaryCurve } from '../moisture/probe-depths.ts';
import { toIso } from '../wire-format.ts';
import { type AdviceInputs, type AdviceOperations, DRYING_PACE_DAYS } from './advice-inputs.ts';
import { runPeriod } from './operation-reads.ts';

const HOUR_S = 3600;

export interface StressForecast {
  readonly days: number | null;
  readonly pace: DryingRate | null;
  readonly reason: AdviceReason | null;
}

const unknownForecast = (reason: AdviceReason | null): StressForecast => ({ days: null, pace: null, reason });

/** Extrapolates the drying rate in the dry spells of the last two weeks. */
export async function forecastStress(
  call: ComposedCall,
  operations: AdviceOperations,
  moduleId: number,
  { state, done }: AdviceInputs,
): Promise<StressForecast> {
  const { value_vwc: value, time, stressPoint } = state;
  if (stressPoint === null) return unknownForecast('NO_STRESS_POINT');
  if (value === null || time === null) return unknownForecast(null);
  const { ageMs, isFresh } = readingAge(Date.parse(time), call.now);
  if (!isFresh) return unknownForecast(null);
  if (value <= stressPoint) return { days: 0, pace: null, reason: null };
  const pace = estimateDryingRate(
    drySpells(await hourlyMoisture(call.now, operations, moduleId), done.map(runPeriod)),
    call.zone,
  );
  if (pace === null) return unknownForecast('FEW_DRY_DAYS');
  const days = daysUntilStress(stressPoint, { value, ageDays: ageMs / DAY_MS }, pace.pointsPerDay);
  return days === null ? unknownForecast('NOT_DRYING') : { days, pace, reason: null };
}

async function hourlyMoisture(now: number, { getMoistureSeries }: AdviceOperations, moduleId: number) {
  const query = { moduleId, start: toIso(now - DRYING_PACE_DAYS * DAY_MS), interval: HOUR_S, depths: true };
  return unroundedSummaryCurve(await getMoistureSeries(query));
}

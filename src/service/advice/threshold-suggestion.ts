import {
  doubtCapacity,
  drainedWettings,
  fieldCapacityOf,
} from '../../domain/advice/field-capacity.ts';
import { roundTo } from '../../domain/decimal.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { stressPointOf } from '../../domain/soil/allowed-depletion.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { ThresholdSuggestionBody } from '../../schema/advice/threshold-suggestion.ts';
import { toIso } from '../wire-format.ts';
import { type PartReads, runPeriod, wateringsBetween } from './operation-reads.ts';
import { probeDepths, unroundedSummaryCurve, withMinRise } from './probe-depths.ts';

type SuggestionOperations = Pick<
  PartReads,
  'getModule' | 'getMoistureSeries' | 'getAgronomicState' | 'listWaterings'
>;

const PERIOD_DAYS = 365;
const HOUR_S = 3600;
const LEVEL_DECIMALS = 2;

function suggestedStressPoint(
  fieldCapacity: number,
  wiltingPoint: number | null,
  allowedDepletion: number,
): number | null {
  if (wiltingPoint === null || wiltingPoint >= fieldCapacity) return null;
  return roundTo(stressPointOf(fieldCapacity, wiltingPoint, allowedDepletion), LEVEL_DECIMALS);
}

export async function suggestThresholds(
  call: ComposedCall,
  operations: SuggestionOperations,
  moduleId: number,
): Promise<ThresholdSuggestionBody> {
  const { now } = call;
  const module = await operations.getModule({ moduleId });
  const period = { start: now - PERIOD_DAYS * DAY_MS, end: now };
  const series = await operations.getMoistureSeries({
    moduleId,
    start: toIso(period.start),
    end: toIso(now + 1),
    interval: HOUR_S,
    depths: true,
  });

  const measuresSoilMoisture = isSoilMoisture(series, module);
  const curves = measuresSoilMoisture
    ? await withMinRise(operations, moduleId, probeDepths(series), period)
    : [];
  const done = await wateringsBetween(
    operations,
    { moduleId },
    { from: period.start, to: now + 1, status: 'done' },
  );

  const { wettings, unused } = drainedWettings(
    curves,
    unroundedSummaryCurve(series),
    done.map(runPeriod),
    now,
  );
  const capacity = fieldCapacityOf(wettings);
  const {
    fieldCapacity: inForce,
    wiltingPoint,
    allowedDepletion,
  } = await operations.getAgronomicState({ moduleId });

  const doubt = capacity && doubtCapacity(capacity, inForce);
  return {
    moduleId,
    fieldCapacity: capacity && roundTo(capacity.value, LEVEL_DECIMALS),
    doubt: measuresSoilMoisture ? doubt : 'noMoisture',
    least: capacity && roundTo(capacity.least, LEVEL_DECIMALS),
    most: capacity && roundTo(capacity.most, LEVEL_DECIMALS),
    stressPoint:
      capacity === null || doubt !== null
        ? null
        : suggestedStressPoint(capacity.value, wiltingPoint, allowedDepletion),
    inForce,
    wettings: wettings
      .map(({ at, value }) => ({ time: toIso(at), value_vwc: roundTo(value, LEVEL_DECIMALS) }))
      .reverse(),
    unused,
  };
}

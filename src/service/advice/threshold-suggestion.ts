import { thresholdsFromFacts } from '../../domain/advice/threshold-suggestion.ts';
import { wettedDoseMm, withFractionsOfSpacing } from '../../domain/advice/wetted-fraction.ts';
import { roundTo } from '../../domain/decimal.ts';
import { hasSoilMoisture } from '../../domain/facts/probe-series.ts';
import { runPeriod } from '../../domain/facts/watering-facts.ts';
import { DAY_MS, HOUR_MS } from '../../domain/periods.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { ThresholdSuggestionBody } from '../../schema/advice/threshold-suggestion.ts';
import { toIso } from '../../schema/wire-format.ts';
import { loadFrozenSoil } from './frozen-periods.ts';
import { measuredCurves } from './measured-curves.ts';

const PERIOD_DAYS = 365;
const LEVEL_DECIMALS = 2;

type SuggestionSource = Pick<
  FactSource,
  'module' | 'series' | 'readings' | 'waterings' | 'setup' | 'state' | 'thermometers' | 'weather'
>;

export async function suggestThresholds(
  call: ComposedCall,
  facts: SuggestionSource,
  moduleId: number,
): Promise<ThresholdSuggestionBody> {
  const { now } = call;
  const module = await facts.module(moduleId);
  const period = { start: now - PERIOD_DAYS * DAY_MS, end: now };
  const series = await facts.series(moduleId, { ...period, end: now + 1 }, HOUR_MS);
  const waterings = await facts.waterings({
    targets: [{ moduleId }],
    from: period.start,
    to: now + 1,
    status: 'done',
  });
  const state = await facts.state(moduleId);
  const setup = withFractionsOfSpacing(await facts.setup(moduleId), series.depths);

  const { capacity, doubt, stressPoint, wettings, unused } = thresholdsFromFacts(
    {
      curves: hasSoilMoisture(series, module)
        ? await measuredCurves(facts, moduleId, series, period, {
            frozenAt: await loadFrozenSoil(call, facts, moduleId, period),
          })
        : null,
      curve: series.curve,
      given: waterings.map((watering) => ({
        ...runPeriod(watering),
        wettedMm: wettedDoseMm(watering, setup),
      })),
      rootDepthCm: series.rootDepthCm,
      state,
    },
    now,
  );
  return {
    moduleId,
    fieldCapacity: capacity && roundTo(capacity.value, LEVEL_DECIMALS),
    doubt,
    least: capacity && roundTo(capacity.least, LEVEL_DECIMALS),
    most: capacity && roundTo(capacity.most, LEVEL_DECIMALS),
    stressPoint,
    inForce: state.fieldCapacity,
    wettings: wettings
      .map(({ at, value }) => ({ time: toIso(at), value_vwc: roundTo(value, LEVEL_DECIMALS) }))
      .reverse(),
    unused,
  };
}

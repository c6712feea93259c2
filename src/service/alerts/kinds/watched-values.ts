import type { AlertKind } from '../../../domain/alerts/alert-kinds.ts';
import { isSoilMoisture } from '../../../domain/moisture/measurement.ts';
import { NO_SETTINGS, settingsVersionAt } from '../../../domain/moisture/probe-settings.ts';
import { type SummarySource, summarySource } from '../../../domain/moisture/summary-source.ts';
import type { SoilFigure } from '../../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../../operation/call.ts';
import type { Module } from '../../../store/company/modules.ts';
import { loadSummarySeriesSource } from '../../moisture/summary-series.ts';
import { loadSuspectReadings } from '../../moisture/suspect-readings.ts';
import { largestEtc } from '../../weather/largest-etc.ts';
import { evaluateCycles, NO_CYCLES } from '../cycle-evaluation.ts';
import { adviseOfAlertBelowStressPoint, currentThresholds } from '../drawn-thresholds.ts';
import type { WatchedValue } from './watched-value.ts';

/** Alerts on the summary curve of soil moisture, in % of volume. Source: spec, "Events", rule 1. */
const moistureAlerts: WatchedValue = {
  isMeasuredBy: async (context, module) => (await loadMoisture(context, module)) !== null,

  async evaluate(context, probe, alert, state) {
    const settings = settingsVersionAt(probe.settings, context.now) ?? NO_SETTINGS;
    const source = summarySource(probe.sensors, settings, probe.layers, 'humidity');
    return isSoilMoisture(source, probe)
      ? evaluateCycles(context, source, alert, state)
      : NO_CYCLES;
  },

  adviseOfThreshold: adviseOfAlertBelowStressPoint,

  async suspectReadings(context, module) {
    const source = await loadMoisture(context, module);
    if (source === null) return [];
    return loadSuspectReadings(context, module, source, await largestEtc(context));
  },

  async soilFigures(context, module) {
    const { fieldCapacity, wiltingPoint, stressPoint, basis } = await currentThresholds(
      context,
      module,
    );
    const figure = (
      name: 'fieldCapacity' | 'wiltingPoint',
      value: number | null,
    ): SoilFigure | null => (value === null ? null : { value, basis: basis[name]! });

    return {
      fieldCapacity: figure('fieldCapacity', fieldCapacity),
      wiltingPoint: figure('wiltingPoint', wiltingPoint),
      stressPoint,
    };
  },
};

export const WATCHED_VALUES: Readonly<Record<AlertKind, WatchedValue>> = {
  moisture: moistureAlerts,
};

async function loadMoisture(
  { db, now }: WriteContext,
  module: Module,
): Promise<SummarySource | null> {
  const source = await loadSummarySeriesSource(db, module.id, 'humidity', now);
  return isSoilMoisture(source, module) ? source : null;
}

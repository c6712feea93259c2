import type { ShownMoistureBody } from '../../schema/advice.ts';
import { summarizeSeries } from '../moisture/series-summary.ts';
import { summarizeAgronomicState } from '../monitoring/agronomic-state-summary.ts';
import type { SummaryContext } from '../summary-context.ts';

/** Of a weather station there is no state to tell. */
export async function summarizeShownMoisture(
  { moduleId, series, state }: ShownMoistureBody,
  context: SummaryContext,
): Promise<string> {
  const seriesSummary = await summarizeSeries(series, context, { moduleId, type: series.type, align: 'local' });
  const hasState = state.state !== null || state.value_vwc !== null || state.tension !== undefined;
  return hasState ? `${await summarizeAgronomicState(state, context)} ${seriesSummary}` : seriesSummary;
}

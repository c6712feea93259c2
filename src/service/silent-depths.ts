import type { SeriesRows } from '../domain/buckets.ts';
import type { SummaryContext } from '../operation/call.ts';
import { joinList } from './say-lists.ts';
import { seriesPhrases } from './say-series.ts';
import type { SummarySeriesSource } from './served-curve.ts';

/** Sensors with a say in the curve that a row has no value of. */
export const silentSensors = ({ sensors, curve }: SummarySeriesSource, rows: SeriesRows, row: number): number[] =>
  sensors.flatMap((_, place) => (curve.weights[place]! > 0 && Number.isNaN(rows.means[place]![row]) ? [place] : []));

/** Share of the weights that a row rests on, 0 to 1. */
export const weightShareWithData = (source: SummarySeriesSource, rows: SeriesRows, row: number): number =>
  1 - silentSensors(source, rows, row).reduce((sum, place) => sum + source.curve.weights[place]!, 0);

/** "10 and 30 cm", "10, 30 and 60 cm". */
export function formatDepths(
  { sensors }: SummarySeriesSource,
  places: readonly number[],
  context: Pick<SummaryContext, 'lang'>,
): string {
  const depths = places.map((place) => sensors[place]!.depth ?? seriesPhrases(context).unknownDepth);
  return `${joinList(depths, context.lang)} cm`;
}

/** What a row does not rest on, fit to be read aloud; null where nothing is missing. */
export function describeSilentDepths(
  source: SummarySeriesSource,
  rows: SeriesRows,
  row: number,
  context: Pick<SummaryContext, 'lang'>,
): string | null {
  const silent = silentSensors(source, rows, row);
  if (silent.length === 0) return null;
  const share = Math.round(weightShareWithData(source, rows, row) * 100);
  return seriesPhrases(context).silentDepths(formatDepths(source, silent, context), share);
}

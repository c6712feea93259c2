import type { SeriesRows } from '../domain/buckets.ts';
import type { Saying } from '../operation/call.ts';
import { joined } from './say-lists.ts';
import { seriesWords } from './say-series.ts';
import type { ServedCurve } from './served-curve.ts';

/** Sensors with a say in the curve that a row has no value of. */
export const silentIn = ({ sensors, curve }: ServedCurve, rows: SeriesRows, row: number): number[] =>
  sensors.flatMap((_, place) => (curve.weights[place]! > 0 && Number.isNaN(rows.means[place]![row]) ? [place] : []));

/** Share of the weights that a row rests on, 0 to 1. */
export const weightIn = (served: ServedCurve, rows: SeriesRows, row: number): number =>
  1 - silentIn(served, rows, row).reduce((sum, place) => sum + served.curve.weights[place]!, 0);

/** "10 and 30 cm", "10, 30 and 60 cm". */
export function sayDepthsOf({ sensors }: ServedCurve, places: readonly number[], call: Pick<Saying, 'lang'>): string {
  const depths = places.map((place) => sensors[place]!.depth ?? seriesWords(call).unknownDepth);
  return `${joined(depths, call.lang)} cm`;
}

/** What a row does not rest on, fit to be read aloud; null where nothing is missing. */
export function saySilent(
  served: ServedCurve,
  rows: SeriesRows,
  row: number,
  call: Pick<Saying, 'lang'>,
): string | null {
  const silent = silentIn(served, rows, row);
  if (silent.length === 0) return null;
  const share = Math.round(weightIn(served, rows, row) * 100);
  return seriesWords(call).silent(sayDepthsOf(served, silent, call), share);
}

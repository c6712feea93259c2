import type { StateFacts } from '../../facts/probe-facts.ts';
import { itemAt } from '../../items.ts';
import type { TimedValue } from '../../moisture/series.ts';
import { DAY_MS } from '../../periods.ts';

/**
 * Points above a field capacity that was drawn, not that of a texture class, which is often as far
 * off. Drained soil does not stay there: on a prairie it never did for more than 8 hours in two
 * years (Kings Creek), in the sand of OpenAgri for more than 5 in a year, and 22 of 23 probes of a
 * drip vineyard never for more than a day and a half.
 */
const MIN_POINTS_ABOVE = 4;
/** Over a longer gap it may have drained and been watered again. */
const MAX_GAP_MS = DAY_MS;

/** `mean` is the curve in hourly means. */
export function wetSince(
  mean: readonly TimedValue[],
  { fieldCapacity, basis }: Pick<StateFacts, 'fieldCapacity' | 'basis'>,
): number | null {
  if (basis.fieldCapacity !== 'annotation' || fieldCapacity === null) return null;

  let since: number | null = null;
  for (let row = mean.length - 1; row >= 0; row--) {
    const { at, value } = itemAt(mean, row);
    if (value < fieldCapacity + MIN_POINTS_ABOVE) break;
    if (since !== null && since - at > MAX_GAP_MS) break;
    since = at;
  }
  return since;
}

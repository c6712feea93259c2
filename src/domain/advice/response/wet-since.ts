import type { StateFacts } from '../../facts/probe-facts.ts';
import { itemAt } from '../../items.ts';
import type { TimedValue } from '../../moisture/series.ts';
import { DAY_MS } from '../../periods.ts';

/**
 * Points above a field capacity that was drawn. Drained soil does not stay there: on a prairie it never did for more than 8 hours in two
 * years (Kings Creek), in the sand of OpenAgri for more than 5 in a year, and 22 of 23 probes of a
 * drip vineyard never for more than a day and a half.
 */
const MIN_ABOVE_LINE = 4;
/** That of a texture class may be off by as much as a drawn line may differ from it. */
const MIN_ABOVE_CLASS = 8;
/** Over a longer gap it may have drained and been watered again. */
const MAX_GAP_MS = DAY_MS;

/** `mean` is the curve in hourly means. */
export function wetSince(
  mean: readonly TimedValue[],
  { fieldCapacity, basis }: Pick<StateFacts, 'fieldCapacity' | 'basis'>,
): number | null {
  if (fieldCapacity === null) return null;

  const minAbove = basis.fieldCapacity === 'annotation' ? MIN_ABOVE_LINE : MIN_ABOVE_CLASS;
  let since: number | null = null;
  for (let row = mean.length - 1; row >= 0; row--) {
    const { at, value } = itemAt(mean, row);
    if (value < fieldCapacity + minAbove) break;
    if (since !== null && since - at > MAX_GAP_MS) break;
    since = at;
  }
  return since;
}

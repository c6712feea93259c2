import { CM_PER_INCH } from '../../../domain/units.ts';
import type { InterpretedColumn } from './column-meanings.ts';
import { canonicalSensor } from './column-names.ts';

/** What people count an inch as where they place a sensor: "12 in" is 30 cm. */
const ROUNDED_CM_PER_INCH = 2.5;
/** In cm: depths of sensors are whole. */
const ROUNDING_CM = 0.5;

/**
 * Gives a column of a depth in inches the depth in cm of the nearest sensor that is placed there:
 * at 12 in, between 29.5 and 31 cm. Other columns stay as they are.
 */
export function atKnownDepth(
  column: InterpretedColumn,
  knownColumns: readonly string[],
): InterpretedColumn {
  const { meaning } = column;
  if (meaning?.kind !== 'sensor' || meaning.depth === null || !isOfInches(meaning.depth))
    return column;

  const { type, depth } = meaning;
  const lowest = (depth / CM_PER_INCH) * ROUNDED_CM_PER_INCH - ROUNDING_CM;
  const [nearest] = knownColumns
    .map(canonicalSensor)
    .flatMap((sensor) => (sensor?.type === type && sensor.depth !== null ? [sensor.depth] : []))
    .filter((known) => known >= lowest && known <= depth + ROUNDING_CM)
    .sort((one, other) => Math.abs(one - depth) - Math.abs(other - depth));

  return nearest === undefined ? column : { ...column, meaning: { ...meaning, depth: nearest } };
}

/** True for half and whole inches in cm that no file would give as cm: 30.48, but not 127. */
function isOfInches(depthCm: number): boolean {
  const halfInches = (depthCm * 2) / CM_PER_INCH;
  return !Number.isInteger(depthCm) && Math.abs(halfInches - Math.round(halfInches)) < 1e-3;
}

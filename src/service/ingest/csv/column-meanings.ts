import { entryOf } from '../../../domain/items.ts';
import { singleLine } from '../../../domain/strings.ts';
import { CM_PER_INCH } from '../../../domain/units.ts';
import type { SkipCode } from '../../../schema/ingest/rejection.ts';
import {
  type ColumnMeaning,
  canonicalSensor,
  columnMeaning,
  isOfSoil,
  type TimeMeaning,
} from './column-names.ts';
import { hasOtherUnit, type Unit, unitOf } from './column-units.ts';
import { type DetectedProfile, type RecognizedColumn, recognizeColumn } from './csv-profiles.ts';

/** Added to the rejects file, and ignored when the corrected file is imported. */
export const REJECT_COLUMNS = ['reject_line', 'reject_reason'];

/** The map gives only the depth of the column, whose name says what it measures. */
export interface MappedDepth {
  readonly kind: 'at_depth';
  /** In cm. */
  readonly depth: number;
}

/** By the folded column name; null ignores the column. */
export type ColumnMap = ReadonlyMap<string, ColumnMeaning | MappedDepth | null>;

/** The sources of a meaning of columns, besides their names. */
export interface Vocabulary {
  readonly map: ColumnMap;
  readonly detected: DetectedProfile | null;
}

export interface InterpretedColumn {
  readonly index: number;
  /** Empty for a column that is not reported as unread. */
  readonly name: string;
  /** The key of the map that names the column. */
  readonly mappedBy: string | null;
  /** False if moisture could be a fraction: the unit is neither stated nor implied by the name. */
  readonly isUnitCertain: boolean;
  readonly meaning: ColumnMeaning | null;
  /** Why the column is not read, if a profile says so. */
  readonly why?: SkipCode;
  /** The input of the logger, if the file does not give the depth of the sensor. */
  readonly input?: string | null;
  /** Codes of a failed measurement. */
  readonly missing?: RecognizedColumn['missing'];
  /** The largest value that the sensor measures. */
  readonly max?: number | null;
}

/**
 * The map of the person takes precedence over the profile, and that over the name. `parts` are the
 * cells of a name that stands on several lines.
 */
export function interpretColumn(
  name: string,
  index: number,
  parts: readonly string[],
  { map, detected }: Vocabulary,
): InterpretedColumn {
  const recognized = detected === null ? null : recognizeColumn(detected.profile, name);
  const isUnitCertain = canonicalSensor(name) !== null;
  const profile = detected?.profile ?? null;
  const limits = recognized ?? { missing: profile?.missing ?? [], max: null };
  const column = { index, name, mappedBy: null, isUnitCertain, meaning: null, ...limitsOf(limits) };

  const names = recognized?.input == null ? [name, ...parts] : [name, ...parts, recognized.input];
  const mappedBy = names.map(mapKey).find((key) => map.has(key));
  if (mappedBy !== undefined)
    return { ...column, mappedBy, ...mappedMeaning(entryOf(map, mappedBy), name, recognized) };
  if (REJECT_COLUMNS.includes(mapKey(name))) return { ...column, name: '' };
  if (recognized !== null) return { ...column, ...profileMeaning(recognized) };

  // Units or kinds ("TS", "Avg") below its name do not change what a time column means.
  const meaning = columnMeaning(name) ?? parts.map(columnMeaning).find(isTimeMeaning) ?? null;
  // In an export with a profile, a column that the profile lacks is not taken for a sensor by the
  // words of its name alone.
  const isGuess = meaning?.kind === 'sensor' && !isUnitCertain;

  const isRead = !isGuess || profile === null || profile.readsOtherNames;
  return { ...column, meaning: isRead ? meaning : null };
}

type Meaning = Pick<InterpretedColumn, 'meaning' | 'isUnitCertain' | 'why'>;

/**
 * The meaning of a column by the map. A unit that only the name gives is not certain: a column
 * headed "%" may hold fractions.
 */
function mappedMeaning(
  mapped: ColumnMeaning | MappedDepth | null,
  name: string,
  recognized: RecognizedColumn | null,
): Meaning {
  if (mapped?.kind !== 'at_depth') {
    const isSensor = mapped?.kind === 'sensor';
    if (isSensor && mapped.unit === null && hasOtherUnit(name, mapped.type))
      return { isUnitCertain: false, meaning: null, why: 'unknown_unit' };
    return {
      isUnitCertain: isSensor && mapped.unit !== null,
      meaning: withUnit(mapped, unitOf(name)),
    };
  }

  const sensor = recognized?.sensor ?? columnMeaning(name);
  if (sensor?.kind !== 'sensor') return { isUnitCertain: false, meaning: null };

  return {
    isUnitCertain: recognized !== null && sensor.unit !== null,
    meaning: { ...sensor, depth: mapped.depth },
  };
}

const limitsOf = ({
  missing,
  max,
}: Pick<RecognizedColumn, 'missing' | 'max'>): Pick<InterpretedColumn, 'missing' | 'max'> => ({
  missing,
  max,
});

function profileMeaning({
  sensor,
  input,
}: RecognizedColumn): Pick<InterpretedColumn, 'meaning' | 'isUnitCertain' | 'why' | 'input'> {
  if (sensor === null) return { meaning: null, isUnitCertain: false, why: 'other_measurement' };
  if (input !== null) return { meaning: null, isUnitCertain: false, why: 'no_depth', input };
  return { meaning: sensor, isUnitCertain: sensor.unit !== null };
}

export const mapKey = (name: string): string => singleLine(name).toLowerCase();

function withUnit(meaning: ColumnMeaning | null, unit: Unit | null): ColumnMeaning | null {
  if (meaning === null || unit === null) return meaning;
  const takesUnit =
    meaning.kind === 'value' || (meaning.kind === 'sensor' && unit.type === meaning.type);
  return takesUnit && meaning.unit === null ? { ...meaning, unit } : meaning;
}

export function isTimeMeaning(meaning: ColumnMeaning | null): meaning is TimeMeaning {
  return meaning?.kind === 'instant' || meaning?.kind === 'date' || meaning?.kind === 'clock';
}

/** People count an inch as this where they place a sensor: "12 in" is 30 cm. */
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
  if (
    meaning?.kind !== 'sensor' ||
    meaning.depth === null ||
    !isOfInches(meaning.depth, column.name)
  )
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

/**
 * Gives the only column of its kind that names no depth that of the only sensor of the kind: a file
 * of one tensiometer says "Tension (cb)".
 */
export function atOnlyDepth(
  column: InterpretedColumn,
  columns: readonly InterpretedColumn[],
  knownColumns: readonly string[],
): InterpretedColumn {
  const { meaning, name } = column;
  if (meaning?.kind !== 'sensor' || meaning.depth !== null || !isOfSoil(name, meaning.type))
    return column;

  const { type } = meaning;
  const ofType = columns.filter(
    (other) => other.meaning?.kind === 'sensor' && other.meaning.type === type,
  );
  const sensors = knownColumns.map(canonicalSensor).filter((sensor) => sensor?.type === type);
  const [only] = sensors;
  const isOnly = ofType.length === 1 && sensors.length === 1;
  return isOnly && only != null
    ? { ...column, meaning: { ...meaning, depth: only.depth } }
    : column;
}

const NAMES_INCHES = /\d ?in(?:ch(?:es)?)?\b/i;

/** True for half and whole inches in cm: 30.48, but 127 only if the name says 50 in. */
function isOfInches(depthCm: number, name: string): boolean {
  const halfInches = (depthCm * 2) / CM_PER_INCH;
  const isExact = Math.abs(halfInches - Math.round(halfInches)) < 1e-3;
  return isExact && (!Number.isInteger(depthCm) || NAMES_INCHES.test(name));
}

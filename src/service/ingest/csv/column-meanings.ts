import { singleLine } from '../../../language/text.ts';
import type { SkipCode } from '../../../schema/imports/rejection.ts';
import {
  type ColumnMeaning,
  canonicalSensor,
  columnMeaning,
  type TimeMeaning,
  type Unit,
  unitOf,
} from './column-names.ts';
import { type FoundProfile, type RecognizedColumn, recognizeColumn } from './csv-profiles.ts';

/** Added to the rejects file, and ignored when a corrected one is imported. */
export const REJECT_COLUMNS = ['reject_line', 'reject_reason'];

/** A depth for a column whose name tells what it measures. */
export interface MappedDepth {
  readonly kind: 'at_depth';
  /** In cm. */
  readonly depth: number;
}

/** By the folded column name; null ignores the column. */
export type ColumnMap = ReadonlyMap<string, ColumnMeaning | MappedDepth | null>;

/** What the names of columns are understood by. */
export interface Vocabulary {
  readonly map: ColumnMap;
  readonly found: FoundProfile | null;
}

export interface MeantColumn {
  readonly index: number;
  readonly name: string;
  readonly mappedBy: string | null;
  readonly isUnitCertain: boolean;
  readonly meaning: ColumnMeaning | null;
  /** Why it is not read, where the profile knows. */
  readonly why?: SkipCode;
  /** What it was plugged into, where the file does not tell its depth. */
  readonly input?: string | null;
  readonly missing?: RecognizedColumn['missing'];
  readonly max?: number | null;
}

export function meantColumn(
  name: string,
  index: number,
  parts: readonly string[],
  { map, found }: Vocabulary,
): MeantColumn {
  const known = found === null ? null : recognizeColumn(found.profile, name);
  const facts = known === null ? {} : { missing: known.missing, max: known.max };
  const keys = [name, ...parts, ...(known?.input ? [known.input] : [])].map(mapKey);
  const mappedBy = keys.find((key) => map.has(key)) ?? null;
  const base = { index, name, mappedBy, isUnitCertain: canonicalSensor(name) !== null, meaning: null };
  if (mappedBy !== null) {
    const mapped = map.get(mappedBy)!;
    if (mapped?.kind === 'at_depth') {
      const sensor = known?.sensor ?? columnMeaning(name);
      if (sensor?.kind !== 'sensor') return base;
      return {
        ...base,
        ...facts,
        isUnitCertain: known !== null && sensor.unit !== null,
        meaning: { ...sensor, depth: mapped.depth },
      };
    }
    const isUnitCertain = mapped?.kind === 'sensor' && mapped.unit !== null;
    return { ...base, ...facts, isUnitCertain, meaning: withUnit(mapped, unitOf(name)) };
  }
  if (REJECT_COLUMNS.includes(mapKey(name))) return { ...base, name: '' };
  if (known !== null) return { ...base, ...facts, ...profileMeaning(known) };
  // Units or kinds ("TS", "Avg") below its name do not change what a time column means.
  const meaning = columnMeaning(name) ?? parts.map(columnMeaning).find(isTimeMeaning) ?? null;
  // Of a provider whose columns are known, the sensor of another column is not guessed from its words.
  const isGuess = meaning?.kind === 'sensor' && !base.isUnitCertain;
  return { ...base, meaning: found !== null && isGuess ? null : meaning };
}

function profileMeaning({
  sensor,
  input,
}: RecognizedColumn): Pick<MeantColumn, 'meaning' | 'isUnitCertain' | 'why' | 'input'> {
  if (sensor === null) return { meaning: null, isUnitCertain: false, why: 'other_measurement' };
  if (input !== null) return { meaning: null, isUnitCertain: false, why: 'no_depth', input };
  return { meaning: sensor, isUnitCertain: sensor.unit !== null };
}

export const mapKey = (name: string): string => singleLine(name).toLowerCase();

function withUnit(meaning: ColumnMeaning | null, unit: Unit | null): ColumnMeaning | null {
  if (meaning === null || unit === null) return meaning;
  const takesUnit = meaning.kind === 'value' || (meaning.kind === 'sensor' && unit.type === meaning.type);
  return takesUnit && meaning.unit === null ? { ...meaning, unit } : meaning;
}

export function isTimeMeaning(meaning: ColumnMeaning | null): meaning is TimeMeaning {
  return meaning?.kind === 'instant' || meaning?.kind === 'date' || meaning?.kind === 'clock';
}

import { roundTo } from '../../../domain/decimal.ts';
import {
  CSV_PROFILE_NAMES,
  CSV_PROFILES,
  type CsvProfileName,
} from '../../../domain/ingest/import-options.ts';
import { entryOf } from '../../../domain/items.ts';
import { MEASUREMENTS } from '../../../domain/moisture/series.ts';
import { singleLine } from '../../../domain/text.ts';
import { invalidInputError } from '../../../schema/error.ts';
import {
  type CsvProfile,
  csvProfile,
  type ProfileColumn,
  type SkipCode,
} from '../../../schema/ingest/csv-import.ts';
import davis from '../presets/davis/export.json' with { type: 'json' };
import ecowitt from '../presets/ecowitt/export.json' with { type: 'json' };
import irrimax from '../presets/irrimax/export.json' with { type: 'json' };
import openagri from '../presets/openagri/export.json' with { type: 'json' };
import zentra from '../presets/zentra/export.json' with { type: 'json' };
import {
  type ColumnMeaning,
  canonicalSensor,
  columnMeaning,
  type SensorMeaning,
  type TimeMeaning,
} from './column-names.ts';
import { type Unit, unitOf } from './column-units.ts';

/** Added to the rejects file, and ignored when a corrected one is imported. */
export const REJECT_COLUMNS = ['reject_line', 'reject_reason'];

/** A depth for a column whose name says what it measures. */
export interface MappedDepth {
  readonly kind: 'at_depth';
  /** In cm. */
  readonly depth: number;
}

/** By the folded column name; null ignores the column. */
export type ColumnMap = ReadonlyMap<string, ColumnMeaning | MappedDepth | null>;

/** What gives the names of columns their meaning. */
export interface Vocabulary {
  readonly map: ColumnMap;
  readonly detected: DetectedProfile | null;
}

export interface InterpretedColumn {
  readonly index: number;
  readonly name: string;
  readonly mappedBy: string | null;
  readonly isUnitCertain: boolean;
  readonly meaning: ColumnMeaning | null;
  /** Why it is not read, if a profile says so. */
  readonly why?: SkipCode;
  /** The input of the logger, if the file does not give the depth of the sensor. */
  readonly input?: string | null;
  readonly missing?: RecognizedColumn['missing'];
  readonly max?: number | null;
}

export function interpretColumn(
  name: string,
  index: number,
  parts: readonly string[],
  { map, detected }: Vocabulary,
): InterpretedColumn {
  const recognized = detected === null ? null : recognizeColumn(detected.profile, name);
  const isUnitCertain = canonicalSensor(name) !== null;
  const column = { index, name, mappedBy: null, isUnitCertain, meaning: null };

  const names = recognized?.input == null ? [name, ...parts] : [name, ...parts, recognized.input];
  const mappedBy = names.map(mapKey).find((key) => map.has(key));
  if (mappedBy !== undefined)
    return { ...column, mappedBy, ...mappedMeaning(entryOf(map, mappedBy), name, recognized) };
  if (REJECT_COLUMNS.includes(mapKey(name))) return { ...column, name: '' };
  if (recognized !== null)
    return { ...column, ...limitsOf(recognized), ...profileMeaning(recognized) };

  // Units or kinds ("TS", "Avg") below its name do not change what a time column means.
  const meaning = columnMeaning(name) ?? parts.map(columnMeaning).find(isTimeMeaning) ?? null;
  // In an export whose columns are known, the words in its name alone do not make another column a
  // sensor.
  const isGuess = meaning?.kind === 'sensor' && !isUnitCertain;

  return { ...column, meaning: detected !== null && isGuess ? null : meaning };
}

type Meaning = Pick<InterpretedColumn, 'meaning' | 'isUnitCertain' | 'missing' | 'max'>;

/** What the map says that a column means. */
function mappedMeaning(
  mapped: ColumnMeaning | MappedDepth | null,
  name: string,
  recognized: RecognizedColumn | null,
): Meaning {
  if (mapped?.kind !== 'at_depth')
    return {
      ...limitsOf(recognized),
      isUnitCertain: mapped?.kind === 'sensor' && mapped.unit !== null,
      meaning: withUnit(mapped, unitOf(name)),
    };

  const sensor = recognized?.sensor ?? columnMeaning(name);
  if (sensor?.kind !== 'sensor')
    return { isUnitCertain: canonicalSensor(name) !== null, meaning: null };
  return {
    ...limitsOf(recognized),
    isUnitCertain: recognized !== null && sensor.unit !== null,
    meaning: { ...sensor, depth: mapped.depth },
  };
}

const limitsOf = (recognized: RecognizedColumn | null): Pick<Meaning, 'missing' | 'max'> =>
  recognized === null ? {} : { missing: recognized.missing, max: recognized.max };

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

const PROFILE_FILES: Readonly<Record<CsvProfileName, unknown>> = {
  irrimax,
  zentra,
  davis,
  ecowitt,
  openagri,
};

const parsedProfiles = new Map<CsvProfileName, CsvProfile>();

function loadProfile(name: CsvProfileName): CsvProfile {
  const profile = parsedProfiles.get(name) ?? csvProfile.parse(PROFILE_FILES[name]);
  parsedProfiles.set(name, profile);
  return profile;
}

interface DetectedProfile {
  readonly name: CsvProfileName;
  readonly profile: CsvProfile;
  /** The index of the first line of its header. */
  readonly headerIndex: number;
}

/** In characters: only the start of a longer line is searched. */
const MAX_SEARCHED_LINE = 16_384;

/** The profile that a person named, or else the first whose header is among these lines. */
export function findProfile(
  lines: readonly string[],
  requested: CsvProfileName | undefined,
): DetectedProfile | null {
  for (const name of requested === undefined ? CSV_PROFILE_NAMES : [requested]) {
    const profile = loadProfile(name);
    const headerIndex = lines.findIndex((line) =>
      profile.header.test(line.slice(0, MAX_SEARCHED_LINE)),
    );
    if (headerIndex >= 0) return { name, profile, headerIndex };
  }

  if (requested === undefined) return null;

  throw invalidInputError(
    'invalid_parameter',
    `No line is the header of an export of ${CSV_PROFILES[requested]}.`,
    {
      hint: 'Leave --profile out: an export that is known is recognized. For another file, say with --map what its columns are.',
      field: '--profile',
    },
  );
}

interface RecognizedColumn {
  /** Null for a measurement that is not stored. */
  readonly sensor: SensorMeaning | null;
  /** The input of the logger, such as "CH1": the depth of the sensor is not in the file. */
  readonly input: string | null;
  readonly missing: NonNullable<ProfileColumn['missing']>;
  readonly max: number | null;
}

function recognizeColumn({ columns }: CsvProfile, name: string): RecognizedColumn | null {
  for (const column of columns) {
    const match = column.name.exec(name);
    if (match === null) continue;

    const { depth, input = null } = match.groups ?? {};
    const { type, missing = [], max = null } = column;
    if (type === undefined) return { sensor: null, input: null, missing, max };

    const unit = unitOfColumn({ ...column, type }, name);
    return {
      sensor: { kind: 'sensor', type, depth: depth === undefined ? null : Number(depth), unit },
      input,
      missing,
      max,
    };
  }

  return null;
}

const SCALED_DECIMALS = 9;

function unitOfColumn(
  { type, unit: fallback = '', scale = 1 }: ProfileColumn & Pick<Unit, 'type'>,
  name: string,
): Unit | null {
  const unitInName = unitOf(name);
  const unit = unitInName?.type === type ? unitInName : unitOf(fallback);
  if (scale === 1) return unit;
  const { symbol, convert = (value: number) => value } = unit ?? {
    symbol: MEASUREMENTS[type].unit,
  };
  return { type, symbol, convert: (value) => roundTo(convert(value) * scale, SCALED_DECIMALS) };
}

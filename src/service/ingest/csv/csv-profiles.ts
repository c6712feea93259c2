import davis from '../../../../presets/davis/export.json' with { type: 'json' };
import ecowitt from '../../../../presets/ecowitt/export.json' with { type: 'json' };
import irrimax from '../../../../presets/irrimax/export.json' with { type: 'json' };
import openagri from '../../../../presets/openagri/export.json' with { type: 'json' };
import zentra from '../../../../presets/zentra/export.json' with { type: 'json' };
import { roundTo } from '../../../domain/decimal.ts';
import { CSV_PROFILE_NAMES, CSV_PROFILES, type CsvProfileName } from '../../../domain/ingest/import-options.ts';
import { invalidInput } from '../../../schema/error.ts';
import { type CsvProfile, csvProfile, type ProfileColumn } from '../../../schema/imports/csv-profile.ts';
import { type SensorMeaning, UNIT_SYMBOLS, type Unit, unitOf } from './column-names.ts';

const FILES: Readonly<Record<CsvProfileName, unknown>> = { irrimax, zentra, davis, ecowitt, openagri };

const loaded = new Map<CsvProfileName, CsvProfile>();

function profileNamed(name: CsvProfileName): CsvProfile {
  const profile = loaded.get(name) ?? csvProfile.parse(FILES[name]);
  loaded.set(name, profile);
  return profile;
}

export interface FoundProfile {
  readonly name: CsvProfileName;
  readonly profile: CsvProfile;
  /** The index of the first line of its header. */
  readonly headerAt: number;
}

/** Lines longer than this, in characters, are searched to here. */
const MAX_SEARCHED_LINE = 16_384;

/** Of the profile that a person named, or else of the first whose header is among these lines. */
export function findProfile(lines: readonly string[], wanted: CsvProfileName | undefined): FoundProfile | null {
  for (const name of wanted === undefined ? CSV_PROFILE_NAMES : [wanted]) {
    const profile = profileNamed(name);
    const headerAt = lines.findIndex((line) => profile.header.test(line.slice(0, MAX_SEARCHED_LINE)));
    if (headerAt >= 0) return { name, profile, headerAt };
  }
  if (wanted === undefined) return null;
  throw invalidInput('invalid_parameter', `No line is the header of an export of ${CSV_PROFILES[wanted]}.`, {
    hint: 'Leave --profile out: an export that is known is recognized. For another file, say with --map what its columns are.',
    field: '--profile',
  });
}

export interface RecognizedColumn {
  /** Null for a measurement that is not stored. */
  readonly sensor: SensorMeaning | null;
  /** What the column was plugged into, such as "CH1": its depth is not in the file. */
  readonly input: string | null;
  readonly missing: NonNullable<ProfileColumn['missing']>;
  readonly max: number | null;
}

export function recognizeColumn({ columns }: CsvProfile, name: string): RecognizedColumn | null {
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
  const named = unitOf(name);
  const unit = named?.type === type ? named : unitOf(fallback);
  if (scale === 1) return unit;
  const { symbol, convert = (value: number) => value } = unit ?? { symbol: UNIT_SYMBOLS[type] };
  return { type, symbol, convert: (value) => roundTo(convert(value) * scale, SCALED_DECIMALS) };
}

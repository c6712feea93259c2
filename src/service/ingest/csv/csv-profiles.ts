import { roundTo } from '../../../domain/decimal.ts';
import {
  CSV_PROFILE_NAMES,
  CSV_PROFILES,
  type CsvProfileName,
} from '../../../domain/ingest/import-options.ts';
import { MEASUREMENTS, type MeasurementType } from '../../../domain/moisture/measurement.ts';
import { FileError } from '../../../language/ingest/file-error.ts';
import {
  type CsvProfile,
  csvProfile,
  type ProfileColumn,
} from '../../../schema/ingest/csv-profile.ts';
import ambient from '../presets/ambient/export.json' with { type: 'json' };
import campbell from '../presets/campbell/export.json' with { type: 'json' };
import weatherlink from '../presets/davis/desktop-export.json' with { type: 'json' };
import davis from '../presets/davis/export.json' with { type: 'json' };
import ecowitt from '../presets/ecowitt/export.json' with { type: 'json' };
import ecowittNet from '../presets/ecowitt/website-export.json' with { type: 'json' };
import fieldclimate from '../presets/fieldclimate/export.json' with { type: 'json' };
import hobo from '../presets/hobo/export.json' with { type: 'json' };
import hobolink from '../presets/hobo/hobolink-export.json' with { type: 'json' };
import irrimax from '../presets/irrimax/export.json' with { type: 'json' };
import openagri from '../presets/openagri/export.json' with { type: 'json' };
import zentra from '../presets/zentra/export.json' with { type: 'json' };
import { depthInCm, type SensorMeaning } from './column-names.ts';
import { type Unit, unitOf } from './column-units.ts';

const PROFILE_FILES: Readonly<Record<CsvProfileName, unknown>> = {
  irrimax,
  zentra,
  davis,
  'ecowitt-net': ecowittNet,
  ecowitt,
  ambient,
  openagri,
  campbell,
  hobo,
  hobolink,
  weatherlink,
  fieldclimate,
};

const parsedProfiles = new Map<CsvProfileName, CsvProfile>();

function loadProfile(name: CsvProfileName): CsvProfile {
  const profile = parsedProfiles.get(name) ?? csvProfile.parse(PROFILE_FILES[name]);
  parsedProfiles.set(name, profile);
  return profile;
}

export interface DetectedProfile {
  readonly name: CsvProfileName;
  readonly profile: CsvProfile;
  /** The index of the first line of its header. */
  readonly headerIndex: number;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** The groups of the patterns if they are found one after another in the text, else null. */
function matchInOrder(patterns: readonly RegExp[], text: string): Groups | null {
  let groups: Groups = {};
  let end = 0;
  for (const pattern of patterns) {
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    if (match === null) return null;
    end = pattern.lastIndex;
    groups = { ...groups, ...match.groups };
  }
  return groups;
}

/** The profile that a person named, or else the first whose header is among these lines. */
export function findProfile(
  lines: readonly string[],
  requested: CsvProfileName | undefined,
): DetectedProfile | null {
  const names = requested === undefined ? CSV_PROFILE_NAMES : [requested];
  const profiles = names.map((name) => ({ name, profile: loadProfile(name) }));
  for (const { name, profile } of profiles) {
    const headerIndex = lines.findIndex((line) => matchInOrder(profile.header, line) !== null);
    if (headerIndex >= 0) return { name, profile, headerIndex };
  }

  if (requested === undefined) return null;

  throw new FileError(({ fileFaults }) => fileFaults.noExportHeader(CSV_PROFILES[requested]), {
    field: '--profile',
  });
}

export interface RecognizedColumn {
  /** Null for a measurement that is not stored. */
  readonly sensor: SensorMeaning | null;
  /** The input of the logger, such as "CH1": the depth of the sensor is not in the file. */
  readonly input: string | null;
  readonly missing: NonNullable<ProfileColumn['missing']>;
  readonly max: number | null;
}

export function recognizeColumn({ columns }: CsvProfile, name: string): RecognizedColumn | null {
  for (const column of columns) {
    const groups = matchInOrder(column.name, name);
    if (groups === null) continue;

    const { depth, input = null } = groups;
    const { type, missing = [], max = null } = column;
    if (type === undefined) return { sensor: null, input: null, missing, max };

    const unit = unitOfColumn(type, column, name);
    const depthCm = depth === undefined ? null : (depthInCm(depth) ?? Number(depth));
    return { sensor: { kind: 'sensor', type, depth: depthCm, unit }, input, missing, max };
  }

  return null;
}

const SCALED_DECIMALS = 9;

/** The unit in the name takes precedence over that of the profile. */
function unitOfColumn(
  type: MeasurementType,
  { unit: unitInProfile = '', scale = 1 }: ProfileColumn,
  name: string,
): Unit | null {
  const unitInName = unitOf(name);
  const unit = unitInName?.type === type ? unitInName : unitOf(unitInProfile);
  if (scale === 1) return unit;

  const symbol = unit?.symbol ?? MEASUREMENTS[type].unit;
  const convert = unit?.convert ?? ((value: number) => value);
  return { type, symbol, convert: (value) => roundTo(convert(value) * scale, SCALED_DECIMALS) };
}

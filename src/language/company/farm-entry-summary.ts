import type { GrowthStage } from '../../domain/balance/growth-stages.ts';
import { keysOf } from '../../domain/records.ts';
import { area, exact } from '../../domain/text/figures.ts';
import {
  call,
  capitalized,
  commaSeparated,
  list,
  name,
  nameOrNull,
  type Sayable,
  say,
  sentences,
} from '../../domain/text/say.ts';
import type { List, Text } from '../../domain/text/text.ts';
import { localDay, timeOf } from '../../domain/text/times.ts';
import type { CompanyBody, ModuleBody } from '../../schema/company/company.ts';
import type { SeasonBody } from '../../schema/company/season.ts';
import type { CompanyAnswer, ModuleAnswer, ParcelAnswer } from '../../schema/farm/farm-entry.ts';
import { readFigures } from '../../schema/moisture/setting-fields.ts';
import type { AdvisoryOf } from '../advisory-sentences.ts';
import { englishMeasurements } from '../en/measurements.ts';
import type { SummaryContext } from '../summary-context.ts';
import { describeMembers, summarizeCompany, summarizeModule } from './place-summary.ts';

/** Leaves out the earlier values: the body has them, in the form that restores them. */
function describeOutcome(before: object | null): Text {
  if (before === null) return say`Added:`;
  return Object.keys(before).length > 0 ? say`Changed:` : say`Nothing changed:`;
}

type SensorNames = AdvisoryOf<'sensors_with_readings_kept'>['sensors'][number];

export const describeKeptSensors = ({
  sensors,
}: Pick<AdvisoryOf<'sensors_with_readings_kept'>, 'sensors'>): Text =>
  say`These sensors have readings and are kept: ${list(sensors.map(sensorText))}.`;

function sensorText({ label, type, depth }: SensorNames): Text {
  if (label !== null || type === null) return say`${name(label)}`;
  const measure = name(englishMeasurements[type].label);
  return depth === null ? say`${measure}` : say`${measure} ${exact(depth, 'cm')}`;
}

export const describeSimilarName = (tool: string, existing: string): Text =>
  say`The name is nearly that of ${name(existing)}, which exists too. One of them can be renamed.${call(tool, 'name', 'newName')}`;

export const summarizeCompanyEntry = (
  { company, owner, before }: CompanyAnswer,
  context: SummaryContext,
): Text =>
  sentences([
    describeOutcome(before),
    summarizeCompany(company, context),
    ...describeCompany(company, before).map((text) => say`${capitalized(text)}.`),
    owner ? describeMembers([owner]) : null,
    before === null ? say`Next, add its parcels and probes.` : null,
  ]);

/** The name of a setting, and the words for no value. */
type SettingWords = readonly [label: Text, none: Text];

const NONE = say`none`;

const COMPANY_SETTINGS: Readonly<Record<Exclude<keyof CompanyBody, 'id'>, SettingWords>> = {
  name: [say`name`, NONE],
  legalName: [say`legal name`, NONE],
  countryCode: [say`country`, NONE],
  currency: [say`currency`, NONE],
  city: [say`city`, NONE],
  postalCode: [say`postal code`, NONE],
  region: [say`region`, NONE],
  timezone: [say`time zone`, NONE],
  units: [say`units`, say`those of the country`],
};

/** Leaves out the name, city and zone of a new company, which are in the first sentence. */
function describeCompany(
  { id: _, name: called, city, timezone, ...others }: CompanyBody,
  before: CompanyAnswer['before'],
): Text[] {
  const describe = (field: keyof typeof COMPANY_SETTINGS, value: string | null | undefined) => {
    const [label, none] = COMPANY_SETTINGS[field];
    return say`${label}: ${nameOrNull(value) ?? none}`;
  };

  if (before === null)
    return keysOf<keyof typeof others>(others)
      .filter((field) => others[field] !== null)
      .map((field) => describe(field, others[field]));

  const { newName, ownerEmail: _owner, ...changed } = before;
  const earlier = newName === undefined ? changed : { name: newName, ...changed };
  const values = { name: called, city, timezone, ...others };

  return keysOf<keyof typeof earlier>(earlier).map((field) => {
    const [, none] = COMPANY_SETTINGS[field];
    return say`${describe(field, values[field])} (before: ${nameOrNull(earlier[field]) ?? none})`;
  });
}

export function summarizeParcelEntry({ parcel, before }: ParcelAnswer): Text {
  const { type, areaM2, geometry, season } = parcel;
  const crop = nameOrNull(type);
  const facts = [
    name(parcel.name),
    crop,
    ...(season === undefined ? [] : describeSeason(season)),
    areaM2 === undefined ? null : area(areaM2),
    geometry.coordinates.length > 0 ? say`with an outline` : say`without an outline`,
  ];
  return say`${describeOutcome(before)} ${commaSeparated(facts)}.`;
}

const STAGES: Readonly<Record<GrowthStage, Text>> = {
  initial: say`in its initial stage`,
  development: say`developing`,
  mid: say`in mid season`,
  late: say`in its late season`,
};

const describeSeason = ({ plantedOn, harvestedOn, stage, rootDepthCm }: SeasonBody) => [
  plantedOn === null ? null : say`planted or growing since ${localDay(plantedOn)}`,
  stage === null ? null : STAGES[stage],
  harvestedOn === null ? null : say`harvested ${localDay(harvestedOn)}`,
  rootDepthCm === null ? null : say`roots ${exact(rootDepthCm, 'cm')} deep`,
];

/**
 * The first sentence has name, parcel, category and depths. Of a new module, only the settings in
 * the call follow.
 */
export async function summarizeModuleEntry(
  { module, before, after }: ModuleAnswer,
  context: SummaryContext,
  input: Readonly<Record<string, unknown>>,
): Promise<Text> {
  const changed =
    before !== null && input.device !== undefined ? { ...before, device: null } : before;
  const settings = describeModuleSettings(module, after)
    .filter(([setting]) => before !== null || input[setting] !== undefined)
    .map(([, text]) => say`${capitalized(text)}.`);
  return sentences([describeOutcome(changed), await summarizeModule(module, context), ...settings]);
}

function describeModuleSettings(
  { location }: ModuleBody,
  { sensors: _, ...values }: ModuleAnswer['after'],
): [setting: string, text: Text][] {
  const { commissionedAt, number, rootDepthCm, depthWeights } = values;
  const position: SettingText = [
    say`position`,
    // A slash separates the two, because some languages have a decimal comma.
    location && say`${exact(location.lat)} / ${exact(location.lon)}`,
    say`no position`,
  ];
  const texts: { readonly [Name in keyof typeof values]?: SettingText } = {
    latitude: position,
    longitude: position,
    commissionedAt: [
      say`in service since`,
      commissionedAt ? describeCommissioning(commissionedAt) : null,
      say`no date of service`,
    ],
    serialHex: [say`serial`, nameOrNull(values.serialHex), say`no serial`],
    number: [say`number`, number ?? null, say`no number`],
    uid: [say`id in its readings`, nameOrNull(values.uid), say`no id`],
    gateway: [say`gateway`, nameOrNull(values.gateway), say`no gateway`],
    rootDepthCm: [
      say`root depth`,
      rootDepthCm == null ? null : exact(rootDepthCm, 'cm'),
      say`no root depth`,
    ],
    depthWeights: [
      say`weights`,
      depthWeights ? describeWeights(depthWeights) : null,
      say`no weights`,
    ],
  };

  return Object.entries(texts)
    .filter(([setting]) => setting in values && !(setting === 'longitude' && 'latitude' in values))
    .map(([setting, [label, value, none]]) => [
      setting,
      value === null ? none : say`${label} ${value}`,
    ]);
}

type SettingText = readonly [label: Text, value: Sayable, none: Text];

const describeCommissioning = (time: string): Sayable =>
  Date.parse(time) === 0 ? say`the beginning` : timeOf(time);

export const describeWeights = (weights: readonly string[]): List =>
  list(
    readFigures(weights).map(
      ({ depthCm, figure }) => say`${exact(figure)} at ${exact(depthCm, 'cm')}`,
    ),
  );

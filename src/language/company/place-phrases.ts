import type { GrowthStage } from '../../domain/balance/growth-stages.ts';
import type { CompanyBody } from '../../schema/company/company.ts';
import type { Role } from '../../schema/scope.ts';
import { englishCount, englishFormat } from '../en/grammar.ts';
import { englishEnumLabels } from '../en/labels.ts';
import { nextAction, nextCall } from '../next-calls.ts';

export type ModuleKind = 'SOIL_PROBE' | 'TENSIOMETER' | 'WEATHER_STATION';

interface ModuleFacts {
  readonly name: string;
  readonly kind: ModuleKind | null;
  readonly parcel: string | null;
  readonly sensors: number;
  /** In cm, each once. */
  readonly depths: readonly number[];
  readonly isMoved: boolean;
}

const MODULE_KINDS: Readonly<Record<ModuleKind, string>> = {
  SOIL_PROBE: 'soil probe',
  TENSIOMETER: 'tensiometer',
  WEATHER_STATION: 'weather station',
};

export type ModuleSetting =
  | 'position'
  | 'commissionedAt'
  | 'serialHex'
  | 'number'
  | 'uid'
  | 'gateway'
  | 'rootDepthCm'
  | 'depthWeights';

/** The label before a value, and the text for no value. */
type ValueWords = readonly [label: string, none: string];

const SETTINGS: Readonly<Record<ModuleSetting, ValueWords>> = {
  position: ['position', 'no position'],
  commissionedAt: ['in service since', 'no date of service'],
  serialHex: ['serial', 'no serial'],
  number: ['number', 'no number'],
  uid: ['id in its readings', 'no id'],
  gateway: ['gateway', 'no gateway'],
  rootDepthCm: ['root depth', 'no root depth'],
  depthWeights: ['weights', 'no weights'],
};

type CompanySetting = Exclude<keyof CompanyBody, 'id'>;

const COMPANY_SETTINGS: Readonly<Record<CompanySetting, ValueWords>> = {
  name: ['name', 'none'],
  legalName: ['legal name', 'none'],
  countryCode: ['country', 'none'],
  currency: ['currency', 'none'],
  city: ['city', 'none'],
  postalCode: ['postal code', 'none'],
  region: ['region', 'none'],
  timezone: ['time zone', 'none'],
  units: ['units', 'those of the country'],
};

const companySetting = (name: CompanySetting, value: string | null): string =>
  `${COMPANY_SETTINGS[name][0]}: ${value ?? COMPANY_SETTINGS[name][1]}`;

interface ParcelFacts {
  readonly name: string;
  readonly crop: string | null;
  readonly area: string | null;
  readonly hasOutline: boolean;
  readonly season: SeasonFacts | null;
}

interface SeasonFacts {
  readonly plantedOn: string | null;
  readonly harvestedOn: string | null;
  readonly stage: GrowthStage | null;
  readonly rootDepthCm: string | null;
}

const STAGES: Readonly<Record<GrowthStage, string>> = {
  initial: 'in its initial stage',
  development: 'developing',
  mid: 'in mid season',
  late: 'in its late season',
};

function describeSeason({ plantedOn, harvestedOn, stage, rootDepthCm }: SeasonFacts): string[] {
  const parts = [
    plantedOn === null ? null : `planted or growing since ${plantedOn}`,
    stage === null ? null : STAGES[stage],
    harvestedOn === null ? null : `harvested ${harvestedOn}`,
    rootDepthCm === null ? null : `roots ${rootDepthCm} cm deep`,
  ];
  return parts.filter((part) => part !== null);
}

export const placePhrases = {
  noName: 'no name',
  noModule: 'No module matches.',
  modules: (names: string) => `Modules: ${names}.`,
  noParcel: 'There are no parcels.',
  parcels: (names: string) => `Parcels: ${names}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }: ModuleFacts) => {
    const where = parcel === null ? 'not in a parcel' : `in ${parcel}`;
    const measuring =
      depths.length === 0
        ? englishCount(sensors, 'sensor')
        : `sensors at ${englishFormat.list(depths)} cm`;
    return `${name} is a ${kind === null ? 'module' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Its position must be reconfirmed.' : ''}`;
  },
  setting: (name: ModuleSetting, value: string | null) =>
    value === null ? SETTINGS[name][1] : `${SETTINGS[name][0]} ${value}`,
  beginning: 'the beginning',
  weightAt: (weight: string, depth: string) => `${weight} at ${depth} cm`,
  similarName: (tool: string, existing: string) =>
    `The name is nearly that of ${existing}, which exists too. One of them can be renamed.${nextCall(tool, 'name', 'newName')}`,
  company: (name: string, city: string | null, zone: string, isDeclared: boolean) =>
    `${name}${city === null ? '' : `, ${city}`}; the time zone is ${zone}${isDeclared ? '' : ' (none is set)'}.`,
  companySetting,
  companyChange: (name: CompanySetting, value: string | null, before: string | null) =>
    `${companySetting(name, value)} (before: ${before ?? COMPANY_SETTINGS[name][1]})`,
  added: 'Added:',
  changed: 'Changed:',
  unchanged: 'Nothing changed:',
  companyNext: 'Next, add its parcels and probes.',
  parcel: ({ name, crop, area, hasOutline, season }: ParcelFacts) =>
    `${[name, crop, ...(season === null ? [] : describeSeason(season)), area, hasOutline ? 'with an outline' : 'without an outline'].filter((part) => part !== null).join(', ')}.`,
  sensorsKept: (sensors: string) => `These sensors have readings and are kept: ${sensors}.`,
  noMembers: 'The company has no members.',
  members: (people: readonly { readonly name: string; readonly role: Role }[]) =>
    `Members: ${people.map(({ name, role }) => `${name} (${englishEnumLabels.company_roles[role].toLowerCase()})`).join(', ')}.`,
  signInLink: (email: string, until: string) =>
    `This link signs ${email} in to the live page, once, until ${until}. Whoever opens it first signs in as this person.`,
  opensHereOnly: `It opens only on the computer on which the service runs. A phone needs a public address of the service.${nextAction('set ACEQUIA_PUBLIC_URL to the https address of the service')}`,
  enums: (lists: number, codes: number) =>
    `${lists} lists of codes with their labels, ${codes} codes in all.`,
};

import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { CompanyBody } from '../../schema/company/company.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Role } from '../../schema/scope.ts';
import { englishCount } from './grammar.ts';

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

interface ParcelFacts {
  readonly name: string;
  readonly crop: string | null;
  readonly area: string | null;
  readonly hasOutline: boolean;
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
export type SettingWords = Readonly<Record<ModuleSetting, readonly [label: string, none: string]>>;

const SETTINGS: SettingWords = {
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

/** The label before a value, and the text for no value. */
export type CompanyWords = Readonly<Record<CompanySetting, readonly [label: string, none: string]>>;

const COMPANY_SETTINGS: CompanyWords = {
  name: ['name', 'none'],
  legalName: ['legal name', 'none'],
  countryCode: ['country', 'none'],
  currency: ['currency', 'none'],
  city: ['city', 'none'],
  postalCode: ['postal code', 'none'],
  region: ['region', 'none'],
  timezone: ['time zone', 'none'],
};

const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Soil probe',
  TENSIOMETER: 'Tensiometer',
  WEATHER_STATION: 'Weather station',
};

const companySetting = (name: CompanySetting, value: string | null): string =>
  `${COMPANY_SETTINGS[name][0]}: ${value ?? COMPANY_SETTINGS[name][1]}`;

export const englishPlace = {
  noName: 'no name',
  moduleLabel: (category: string | null) => MODULE_LABELS[category ?? ''] ?? 'Module',
  noModule: 'No module matches.',
  modules: (names: string) => `Modules: ${names}.`,
  noParcel: 'There are no parcels.',
  parcels: (names: string) => `Parcels: ${names}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }: ModuleFacts) => {
    const where = parcel === null ? 'not in a parcel' : `in ${parcel}`;
    const measuring =
      depths.length === 0 ? englishCount(sensors, 'sensor') : `sensors at ${depths.join(', ')} cm`;
    return `${name} is a ${kind === null ? 'module' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Its position must be reconfirmed.' : ''}`;
  },
  setting: (name: ModuleSetting, value: string | null) =>
    value === null ? SETTINGS[name][1] : `${SETTINGS[name][0]} ${value}`,
  beginning: 'the beginning',
  weightAt: (weight: string, depth: string) => `${weight} at ${depth} cm`,
  similarName: (tool: string, existing: string) =>
    `The name is nearly that of ${existing}, which exists too. To rename one of them, call ${tool} with its name and newName.`,
  company: (name: string, city: string | null, zone: string, isDeclared: boolean) =>
    `${name}${city === null ? '' : `, ${city}`}; the time zone is ${zone}${isDeclared ? '' : ' (none is set)'}.`,
  companySetting,
  companyChange: (name: CompanySetting, value: string | null, before: string | null) =>
    `${companySetting(name, value)} (before: ${before ?? COMPANY_SETTINGS[name][1]})`,
  added: 'Added:',
  changed: 'Changed:',
  unchanged: 'Nothing changed:',
  companyNext: 'Next, add its parcels and probes.',
  parcel: ({ name, crop, area, hasOutline }: ParcelFacts) =>
    `${[name, crop, area, hasOutline ? 'with an outline' : 'without an outline'].filter((part) => part !== null).join(', ')}.`,
  sensorsKept: (sensors: string) => `These sensors have readings and are kept: ${sensors}.`,
  noMembers: 'The company has no members.',
  members: (people: readonly { readonly name: string; readonly role: Role }[]) =>
    `Members: ${people.map(({ name, role }) => `${name} (${englishEnumLabels.company_roles[role].toLowerCase()})`).join(', ')}.`,
  signInLink: (email: string, until: string) =>
    `This link signs ${email} in to the live page, once, until ${until}. Whoever opens it first signs in as this person.`,
  opensHereOnly:
    'It opens only on the computer on which "acequia serve" runs. For a phone, set ACEQUIA_PUBLIC_URL to the https address of the service.',
  enums: (lists: number, codes: number) =>
    `${lists} lists of codes with their labels, ${codes} codes in all.`,
};

export const englishEnumLabels = {
  measurement_types: {
    humidity: 'Moisture',
    temperature: 'Temperature',
    tensio: 'Tension',
  },
  company_roles: {
    OWNER: 'Owner',
    MANAGER: 'Manager',
    VIEWER: 'Viewer',
  },
  agronomic_states: {
    saturated: 'Saturated',
    comfort: 'Comfort',
    stress: 'Stress',
  },
  irrigation_systems: {
    drip: 'Drip',
    micro_sprinkler: 'Micro-sprinkler',
    sprinkler: 'Sprinkler',
    pivot: 'Pivot',
    gravity: 'Gravity (furrow, flood)',
    manual: 'Manual (hose, watering can)',
    other: 'Other',
  },
  irrigation_input_modes: {
    duration: 'Run time (min)',
    depth_mm: 'Depth (mm)',
    volume_m3: 'Volume (m³)',
  },
  irrigation_event_statuses: {
    planned: 'Planned',
    done: 'Done',
    skipped: 'Skipped',
  },
  irrigation_event_sources: {
    manual: 'Entered by hand',
    schedule: 'Schedule',
    api: 'API',
    mcp: 'Assistant (MCP)',
  },
  irrigation_schedule_freqs: {
    daily: 'Every N days',
    weekly: 'On days of the week',
  },
  irrigation_confirmation_policies: {
    auto: 'Taken as done',
    manual: 'To be confirmed',
  },
  irrigation_warnings: {
    NO_INSTALLATION: 'No setup covers that date',
    MISSING_FLOW_RATE: 'The setup has no flow rate',
    MISSING_IRRIGATED_AREA: 'The setup has no irrigated area',
    DEFAULT_FRACTION_WETTED: 'Default wetted fraction used',
  },
};

const NOUNS: Record<CountedKind, readonly [one: string, many: string]> = {
  watering: ['watering', 'waterings'],
  rain: ['rain record', 'rain records'],
  weather: ['day of weather', 'days of weather'],
  planned_watering: ['planned watering', 'planned waterings'],
  schedule: ['schedule', 'schedules'],
  installation: ['setup', 'setups'],
  placement: ['placement', 'placements'],
  settings: ['version of settings', 'versions of settings'],
  soil_layer: ['soil layer', 'soil layers'],
  alert: ['alert', 'alerts'],
  alert_recipient: ['recipient', 'recipients'],
  annotation: ['drawing', 'drawings'],
  company: ['company', 'companies'],
  user: ['member', 'members'],
  parcel: ['parcel', 'parcels'],
  module: ['probe', 'probes'],
  sensor: ['sensor', 'sensors'],
  device: ['device', 'devices'],
};

interface ChangeEntryFacts {
  readonly when: string;
  readonly who: string | null;
  readonly surface: WateringSource;
  readonly effects: string;
  readonly fields: readonly string[];
  readonly isUndo: boolean;
  readonly isUndone: boolean;
}

const SURFACES: Record<WateringSource, string> = {
  mcp: 'by chat or command',
  api: 'by the API',
  manual: 'by hand',
  schedule: 'by a schedule',
};

const withNames = (effects: readonly string[], names: readonly string[]): string =>
  `${effects.join(', ')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;

export const englishChanges = {
  effect: (kind: CountedKind, action: ChangeAction | 'restored', count: number) =>
    `${englishCount(count, ...NOUNS[kind])} ${action === 'restored' ? 'put back' : action}`,
  withNames,
  noValue: 'none',
  isOn: (isOn: boolean): string => (isOn ? 'active' : 'stopped'),
  readings: 'readings imported',
  undone: (effects: readonly string[], names: readonly string[], when: string) =>
    `Undone: ${withNames(effects, names)}. It was entered ${when}.`,
  askUndo: ({
    when,
    who,
    surface,
    effects,
  }: Pick<ChangeEntryFacts, 'when' | 'who' | 'surface' | 'effects'>) =>
    `Undo what was entered ${when}${who === null ? '' : ` by ${who}`}, ${SURFACES[surface]}? Then: ${effects}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }: ChangeEntryFacts) =>
    `${when}${who === null ? '' : ` by ${who}`}, ${SURFACES[surface]}: ${[effects, ...fields].join(', ')}${isUndo ? ', by an undo' : ''}${isUndone ? ', undone since' : ''}`,
  newest: (entries: readonly string[]) => `The newest changes: ${entries.join('; ')}.`,
  undoneSince: (changeId: number) =>
    `This was undone since, by change ${changeId}: nothing of it is stored. To enter it again, repeat it with a new idempotencyKey.`,
  rowsWithheld: (scopes: string) =>
    `Some changed values are not shown, because the scope to read them is missing (${scopes}).`,
  none: 'Nothing was changed yet.',
};

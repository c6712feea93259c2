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
  readonly hectares: string | null;
  readonly hasOutline: boolean;
}

const MODULE_KINDS: Readonly<Record<ModuleKind, string>> = {
  SOIL_PROBE: 'soil probe',
  TENSIOMETER: 'tensiometer',
  WEATHER_STATION: 'weather station',
};
const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Soil probe',
  TENSIOMETER: 'Tensiometer',
  WEATHER_STATION: 'Weather station',
};

export const englishPlace = {
  noName: 'no name',
  moduleLabel: (category: string | null) => MODULE_LABELS[category ?? ''] ?? 'Module',
  noModule: 'No module matches.',
  modules: (names: string) => `Modules: ${names}.`,
  noParcel: 'There are no parcels.',
  parcels: (names: string) => `Parcels: ${names}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }: ModuleFacts) => {
    const where = parcel === null ? 'not in a parcel' : `in ${parcel}`;
    const measuring = depths.length === 0 ? englishCount(sensors, 'sensor') : `sensors at ${depths.join(', ')} cm`;
    return `${name} is a ${kind === null ? 'module' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Its position must be reconfirmed.' : ''}`;
  },
  company: (name: string, city: string | null, zone: string, isDeclared: boolean) =>
    `${name}${city === null ? '' : `, ${city}`}; the time zone is ${zone}${isDeclared ? '' : ' (none is set)'}.`,
  added: 'Added:',
  changed: 'Changed:',
  unchanged: 'Nothing changed:',
  companyNext: 'Its parcels and probes come next.',
  parcel: ({ name, crop, hectares, hasOutline }: ParcelFacts) =>
    `${[name, crop, hectares === null ? null : `${hectares} ha`, hasOutline ? 'with an outline' : 'without an outline'].filter((part) => part !== null).join(', ')}.`,
  sensorsKept: (sensors: string) => `These sensors have readings and stay: ${sensors}.`,
  noMembers: 'The company has no members.',
  members: (people: readonly { readonly name: string; readonly role: Role }[]) =>
    `Members: ${people.map(({ name, role }) => `${name} (${role})`).join(', ')}.`,
  enums: (codes: number) => `Ten lists of codes with their labels, ${codes} codes in all.`,
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

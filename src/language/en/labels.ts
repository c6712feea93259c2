import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';

const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Soil probe',
  TENSIOMETER: 'Tensiometer',
  WEATHER_STATION: 'Weather station',
};

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Sand',
  'Loamy sand': 'Loamy sand',
  'Sandy loam': 'Sandy loam',
  'Sandy clay loam': 'Sandy clay loam',
  'Sandy clay': 'Sandy clay',
  Loam: 'Loam',
  'Clay loam': 'Clay loam',
  Clay: 'Clay',
  'Silt loam': 'Silt loam',
  Silt: 'Silt',
  'Silty clay loam': 'Silty clay loam',
  'Silty clay': 'Silty clay',
};

export const englishLabels = {
  moduleLabel: (category: string | null) => MODULE_LABELS[category ?? ''] ?? 'Module',
  texture: (usdaClass: UsdaClass) => TEXTURE_NAMES[usdaClass],
};

export const englishEnumLabels = {
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
    gravity: 'Surface (furrow, flood)',
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
    NO_INSTALLATION: 'No equipment covers that date',
    MISSING_FLOW_RATE: 'The equipment has no application rate',
    MISSING_IRRIGATED_AREA: 'The equipment has no irrigated area',
    DEFAULT_FRACTION_WETTED: 'Default wetted fraction used',
  },
};

import type { EnumLabels } from '../company/enum-labels.ts';

export const englishEnumLabels: EnumLabels = {
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
    manual: 'Manual (hose, can)',
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

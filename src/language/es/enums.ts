import type { EnumLabels } from '../company/enum-labels.ts';

export const spanishEnumLabels: EnumLabels = {
  measurement_types: {
    humidity: 'Humedad',
    temperature: 'Temperatura',
    tensio: 'Tensión',
  },
  company_roles: {
    OWNER: 'Propietario',
    MANAGER: 'Gestor',
    VIEWER: 'Lector',
  },
  agronomic_states: {
    saturated: 'Saturado',
    comfort: 'Confort',
    stress: 'Estrés',
  },
  irrigation_systems: {
    drip: 'Goteo',
    micro_sprinkler: 'Microaspersión',
    sprinkler: 'Aspersión',
    pivot: 'Pívot',
    gravity: 'Gravedad (surcos, inundación)',
    manual: 'Manual (manguera, regadera)',
    other: 'Otro',
  },
  irrigation_input_modes: {
    duration: 'Duración (min)',
    depth_mm: 'Lámina de agua (mm)',
    volume_m3: 'Volumen (m³)',
  },
  irrigation_event_statuses: {
    planned: 'Previsto',
    done: 'Realizado',
    skipped: 'Anulado',
  },
  irrigation_event_sources: {
    manual: 'Registro manual',
    schedule: 'Programa',
    api: 'API',
    mcp: 'Asistente (MCP)',
  },
  irrigation_schedule_freqs: {
    daily: 'Cada N días',
    weekly: 'Ciertos días de la semana',
  },
  irrigation_confirmation_policies: {
    auto: 'Cuenta como realizado',
    manual: 'Por confirmar',
  },
  irrigation_warnings: {
    NO_INSTALLATION: 'Sin instalación en esa fecha',
    MISSING_FLOW_RATE: 'Falta el caudal en la instalación',
    MISSING_IRRIGATED_AREA: 'Falta la superficie regada en la instalación',
    DEFAULT_FRACTION_WETTED: 'Fracción mojada por defecto',
  },
};

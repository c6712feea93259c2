import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import type { Language } from '../en/index.ts';

const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Sonda',
  TENSIOMETER: 'Tensiómetro',
  WEATHER_STATION: 'Estación meteorológica',
};

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Arena',
  'Loamy sand': 'Arena franca',
  'Sandy loam': 'Franco arenoso',
  'Sandy clay loam': 'Franco arcillo-arenoso',
  'Sandy clay': 'Arcilla arenosa',
  Loam: 'Franco',
  'Clay loam': 'Franco arcilloso',
  Clay: 'Arcilla',
  'Silt loam': 'Franco limoso',
  Silt: 'Limo',
  'Silty clay loam': 'Franco arcillo-limoso',
  'Silty clay': 'Arcilla limosa',
};

export const spanishLabels: Language['labels'] = {
  moduleLabel: (category) => MODULE_LABELS[category ?? ''] ?? 'Módulo',
  texture: (usdaClass) => TEXTURE_NAMES[usdaClass],
};

export const spanishEnumLabels: Language['enumLabels'] = {
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
    MISSING_FLOW_RATE: 'Falta la pluviometría en la instalación',
    MISSING_IRRIGATED_AREA: 'Falta la superficie regada en la instalación',
    DEFAULT_FRACTION_WETTED: 'Fracción mojada por defecto',
  },
};

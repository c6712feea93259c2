import type { UsdaClass } from '../../domain/soil/soil-catalog.ts';
import type { Language } from '../en/index.ts';

const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Sonde',
  TENSIOMETER: 'Tensiomètre',
  WEATHER_STATION: 'Station météo',
};

const TEXTURE_NAMES: Record<UsdaClass, string> = {
  Sand: 'Sable',
  'Loamy sand': 'Sable limoneux',
  'Sandy loam': 'Limon sableux',
  'Sandy clay loam': 'Limon argilo-sableux',
  'Sandy clay': 'Argile sableuse',
  Loam: 'Limon',
  'Clay loam': 'Limon argileux',
  Clay: 'Argile',
  'Silt loam': 'Limon fin',
  Silt: 'Limon très fin',
  'Silty clay loam': 'Limon argileux fin',
  'Silty clay': 'Argile limoneuse',
};

export const frenchLabels: Language['labels'] = {
  moduleLabel: (category) => MODULE_LABELS[category ?? ''] ?? 'Module',
  texture: (usdaClass) => TEXTURE_NAMES[usdaClass],
};

export const frenchEnumLabels: Language['enumLabels'] = {
  company_roles: {
    OWNER: 'Propriétaire',
    MANAGER: 'Gestionnaire',
    VIEWER: 'Lecteur',
  },
  agronomic_states: {
    saturated: 'Saturé',
    comfort: 'Confort',
    stress: 'Stress',
  },
  irrigation_systems: {
    drip: 'Goutte-à-goutte',
    micro_sprinkler: 'Micro-aspersion',
    sprinkler: 'Aspersion',
    pivot: 'Pivot',
    gravity: 'Gravitaire (raie, submersion)',
    manual: 'Manuel (tuyau, arrosoir)',
    other: 'Autre',
  },
  irrigation_input_modes: {
    duration: 'Durée (min)',
    depth_mm: 'Lame d’eau (mm)',
    volume_m3: 'Volume (m³)',
  },
  irrigation_event_statuses: {
    planned: 'Prévu',
    done: 'Réalisé',
    skipped: 'Annulé',
  },
  irrigation_event_sources: {
    manual: 'Saisie manuelle',
    schedule: 'Programmation',
    api: 'API',
    mcp: 'Assistant (MCP)',
  },
  irrigation_schedule_freqs: {
    daily: 'Tous les N jours',
    weekly: 'Certains jours de la semaine',
  },
  irrigation_confirmation_policies: {
    auto: 'Considéré comme réalisé',
    manual: 'À confirmer',
  },
  irrigation_warnings: {
    NO_INSTALLATION: 'Aucune installation à cette date',
    MISSING_FLOW_RATE: 'Pluviométrie manquante dans l’installation',
    MISSING_IRRIGATED_AREA: 'Surface irriguée manquante dans l’installation',
    DEFAULT_FRACTION_WETTED: 'Fraction humectée par défaut',
  },
};

import { INPUT_MODES, IRRIGATION_SYSTEMS, IRRIGATION_WARNINGS } from '../../domain/irrigation/dose.ts';
import type { Lang } from '../../domain/lang.ts';
import { type EnumsBody, MEASUREMENT_TYPES } from '../../schema/company.ts';
import { ROLES } from '../../schema/scope.ts';
import { WATERING_SOURCES, WATERING_STATUSES } from '../../schema/watering.ts';

type EnumLabels = Record<string, readonly [en: string, fr: string]>;

const ENUM_LABELS: Record<keyof EnumsBody, EnumLabels> = {
  measurement_types: {
    humidity: ['Moisture', 'Humidité'],
    temperature: ['Temperature', 'Température'],
    tensio: ['Tension', 'Tension'],
  },
  company_roles: {
    OWNER: ['Owner', 'Propriétaire'],
    MANAGER: ['Manager', 'Gestionnaire'],
    VIEWER: ['Viewer', 'Lecteur'],
  },
  agronomic_states: {
    saturated: ['Saturated', 'Saturé'],
    comfort: ['Comfort', 'Confort'],
    stress: ['Stress', 'Stress'],
  },
  irrigation_systems: {
    drip: ['Drip', 'Goutte-à-goutte'],
    micro_sprinkler: ['Micro-sprinkler', 'Micro-aspersion'],
    sprinkler: ['Sprinkler', 'Aspersion'],
    pivot: ['Pivot', 'Pivot'],
    gravity: ['Gravity (furrow, flood)', 'Gravitaire (raie, submersion)'],
    manual: ['Manual (hose, can)', 'Manuel (tuyau, arrosoir)'],
    other: ['Other', 'Autre'],
  },
  irrigation_input_modes: {
    duration: ['Run time (min)', 'Durée (min)'],
    depth_mm: ['Depth (mm)', 'Lame d’eau (mm)'],
    volume_m3: ['Volume (m³)', 'Volume (m³)'],
  },
  irrigation_event_statuses: {
    planned: ['Planned', 'Prévu'],
    done: ['Done', 'Réalisé'],
    skipped: ['Skipped', 'Annulé'],
  },
  irrigation_event_sources: {
    manual: ['Entered by hand', 'Saisie manuelle'],
    schedule: ['Schedule', 'Programmation'],
    api: ['API', 'API'],
    mcp: ['Assistant (MCP)', 'Assistant (MCP)'],
  },
  irrigation_schedule_freqs: {
    daily: ['Every N days', 'Tous les N jours'],
    weekly: ['On days of the week', 'Certains jours de la semaine'],
  },
  irrigation_confirmation_policies: {
    auto: ['Taken as done', 'Considéré comme réalisé'],
    manual: ['To be confirmed', 'À confirmer'],
  },
  irrigation_warnings: {
    NO_INSTALLATION: ['No setup covers that date', 'Aucune installation à cette date'],
    MISSING_FLOW_RATE: ['The setup has no flow rate', 'Débit manquant dans l’installation'],
    MISSING_IRRIGATED_AREA: ['The setup has no irrigated area', 'Surface irriguée manquante dans l’installation'],
    DEFAULT_FRACTION_WETTED: ['Default wetted fraction used', 'Fraction humectée par défaut'],
  },
};

/** Codes in the order of the specification's catalog. */
const ENUM_CODES: Record<keyof EnumsBody, readonly string[]> = {
  measurement_types: MEASUREMENT_TYPES,
  company_roles: ROLES,
  agronomic_states: ['saturated', 'comfort', 'stress'],
  irrigation_systems: IRRIGATION_SYSTEMS,
  irrigation_input_modes: INPUT_MODES,
  irrigation_event_statuses: WATERING_STATUSES,
  irrigation_event_sources: WATERING_SOURCES,
  irrigation_schedule_freqs: ['daily', 'weekly'],
  irrigation_confirmation_policies: ['auto', 'manual'],
  irrigation_warnings: IRRIGATION_WARNINGS,
};

/** The ten lists of codes with their labels. */
export function listEnums(lang: Lang): EnumsBody {
  const list = (name: keyof EnumsBody) =>
    ENUM_CODES[name].map((code) => ({ code, label: ENUM_LABELS[name][code]![lang === 'en' ? 0 : 1] }));
  return Object.fromEntries(
    (Object.keys(ENUM_CODES) as (keyof EnumsBody)[]).map((name) => [name, list(name)]),
  ) as EnumsBody;
}

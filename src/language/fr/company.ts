import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { CompanyWords, ModuleKind, SettingWords } from '../en/company.ts';
import type { Language } from '../en/index.ts';
import { frenchCount, frenchNoun, withDe } from './grammar.ts';

const MODULE_KINDS: Readonly<Record<ModuleKind, string>> = {
  SOIL_PROBE: 'une sonde',
  TENSIOMETER: 'un tensiomètre',
  WEATHER_STATION: 'une station météo',
};

const SETTINGS: SettingWords = {
  position: ['position', 'sans position'],
  commissionedAt: ['mise en service :', 'sans date de mise en service'],
  serialHex: ['numéro de série', 'sans numéro de série'],
  number: ['numéro', 'sans numéro'],
  uid: ['identifiant dans ses mesures', 'sans identifiant'],
  gateway: ['passerelle', 'sans passerelle'],
  rootDepthCm: ['profondeur racinaire', 'sans profondeur racinaire'],
  depthWeights: ['poids', 'sans poids'],
};

const COMPANY_SETTINGS: CompanyWords = {
  name: ['nom', 'aucun'],
  legalName: ['raison sociale', 'aucune'],
  countryCode: ['pays', 'aucun'],
  currency: ['monnaie', 'aucune'],
  city: ['ville', 'aucune'],
  postalCode: ['code postal', 'aucun'],
  region: ['région', 'aucune'],
  timezone: ['fuseau horaire', 'aucun'],
};

const MODULE_LABELS: Readonly<Record<string, string>> = {
  SOIL_PROBE: 'Sonde',
  TENSIOMETER: 'Tensiomètre',
  WEATHER_STATION: 'Station météo',
};

const companySetting: Language['place']['companySetting'] = (name, value) =>
  `${COMPANY_SETTINGS[name][0]} : ${value ?? COMPANY_SETTINGS[name][1]}`;

export const frenchPlace: Language['place'] = {
  noName: 'sans nom',
  moduleLabel: (category) => MODULE_LABELS[category ?? ''] ?? 'Module',
  noModule: 'Aucun module ne correspond.',
  modules: (names) => `Modules : ${names}.`,
  noParcel: 'Il n’y a pas de parcelle.',
  parcels: (names) => `Parcelles : ${names}.`,
  module: ({ name, kind, parcel, sensors, depths, isMoved }) => {
    const where = parcel === null ? 'hors parcelle' : `dans ${parcel}`;
    const measuring =
      depths.length === 0 ? frenchCount(sensors, 'capteur') : `capteurs à ${depths.join(', ')} cm`;
    return `${name} est ${kind === null ? 'un module' : MODULE_KINDS[kind]} ${where}, ${measuring}.${isMoved ? ' Sa position est à reconfirmer.' : ''}`;
  },
  setting: (name, value) => (value === null ? SETTINGS[name][1] : `${SETTINGS[name][0]} ${value}`),
  beginning: 'depuis toujours',
  weightAt: (weight, depth) => `${weight} à ${depth} cm`,
  similarName: (tool, existing) =>
    `Ce nom ressemble à celui de ${existing}, qui existe aussi. Pour renommer l’un des deux, appelez ${tool} avec son name et newName.`,
  company: (name, city, zone, isDeclared) =>
    `${name}${city === null ? '' : `, ${city}`} ; fuseau horaire ${zone}${isDeclared ? '' : ' (aucun n’est indiqué)'}.`,
  companySetting,
  companyChange: (name, value, before) =>
    `${companySetting(name, value)} (avant : ${before ?? COMPANY_SETTINGS[name][1]})`,
  added: 'Ajouté :',
  changed: 'Modifié :',
  unchanged: 'Rien n’a changé :',
  companyNext: 'Ajoutez ensuite ses parcelles et ses sondes.',
  parcel: ({ name, crop, area, hasOutline }) =>
    `${[name, crop, area, hasOutline ? 'avec contour' : 'sans contour'].filter((part) => part !== null).join(', ')}.`,
  sensorsKept: (sensors) => `Ces capteurs ont des mesures et sont conservés : ${sensors}.`,
  noMembers: 'L’exploitation n’a aucun membre.',
  signInLink: (email, until) =>
    `Avec ce lien, ${email} se connecte à la page, une seule fois, jusqu’à ${until}. La première personne qui l’ouvre se connecte sous ce nom.`,
  opensHereOnly:
    'Il ne s’ouvre que sur l’ordinateur où tourne « acequia serve ». Pour un téléphone, mettez dans ACEQUIA_PUBLIC_URL l’adresse https du service.',
  members: (people) =>
    `Membres : ${people.map(({ name, role }) => `${name} (${frenchEnumLabels.company_roles[role].toLowerCase()})`).join(', ')}.`,
  enums: (lists, codes) => `${lists} listes de codes avec leurs libellés, ${codes} codes en tout.`,
};

export const frenchEnumLabels: Language['enumLabels'] = {
  measurement_types: {
    humidity: 'Humidité',
    temperature: 'Température',
    tensio: 'Tension',
  },
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
    MISSING_FLOW_RATE: 'Débit manquant dans l’installation',
    MISSING_IRRIGATED_AREA: 'Surface irriguée manquante dans l’installation',
    DEFAULT_FRACTION_WETTED: 'Fraction humectée par défaut',
  },
};

const NOUNS: Record<CountedKind, readonly [one: string, many: string, ending: '' | 'e']> = {
  watering: ['arrosage', 'arrosages', ''],
  rain: ['relevé de pluie', 'relevés de pluie', ''],
  weather: ['jour de météo', 'jours de météo', ''],
  planned_watering: ['arrosage prévu', 'arrosages prévus', ''],
  schedule: ['programmation', 'programmations', 'e'],
  installation: ['installation', 'installations', 'e'],
  placement: ['emplacement', 'emplacements', ''],
  settings: ['version de réglages', 'versions de réglages', 'e'],
  soil_layer: ['couche de sol', 'couches de sol', 'e'],
  alert: ['alerte', 'alertes', 'e'],
  alert_recipient: ['destinataire', 'destinataires', ''],
  annotation: ['tracé', 'tracés', ''],
  company: ['exploitation', 'exploitations', 'e'],
  user: ['membre', 'membres', ''],
  parcel: ['parcelle', 'parcelles', 'e'],
  module: ['sonde', 'sondes', 'e'],
  sensor: ['capteur', 'capteurs', ''],
  device: ['appareil', 'appareils', ''],
};

const PARTICIPLES: Record<ChangeAction | 'restored', string> = {
  added: 'ajouté',
  changed: 'modifié',
  removed: 'supprimé',
  restored: 'rétabli',
};

const SURFACES: Record<WateringSource, string> = {
  mcp: 'par conversation ou commande',
  api: 'par l’API',
  manual: 'à la main',
  schedule: 'par une programmation',
};

const withNames = (effects: readonly string[], names: readonly string[]): string =>
  `${effects.join(', ')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;

export const frenchChanges: Language['changes'] = {
  effect: (kind, action, count) => {
    const [one, many, ending] = NOUNS[kind];
    return `${count} ${frenchNoun(count, one, many)} ${PARTICIPLES[action]}${ending}${frenchNoun(count, '', 's')}`;
  },
  withNames,
  noValue: 'rien',
  isOn: (isOn) => (isOn ? 'en marche' : 'à l’arrêt'),
  readings: 'mesures importées',
  undone: (effects, names, when) =>
    `Annulé : ${withNames(effects, names)}. C’était la saisie ${withDe(when)}.`,
  askUndo: ({ when, who, surface, effects }) =>
    `Annuler la saisie ${withDe(when)}${who === null ? '' : ` par ${who}`}, ${SURFACES[surface]} ? Résultat : ${effects}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }) =>
    `${when}${who === null ? '' : `, par ${who}`}, ${SURFACES[surface]} : ${[effects, ...fields].join(', ')}${isUndo ? ', par une annulation' : ''}${isUndone ? ', annulé depuis' : ''}`,
  newest: (entries) => `Les derniers changements : ${entries.join(' ; ')}.`,
  undoneSince: (changeId) =>
    `Cette saisie a été annulée depuis, par le changement ${changeId} : il n’en reste rien. Pour la refaire, répétez-la avec une nouvelle idempotencyKey.`,
  rowsWithheld: (scopes) =>
    `Certaines valeurs changées ne sont pas montrées : l’autorisation de les lire manque (${scopes}).`,
  none: 'Rien n’a encore été changé.',
};

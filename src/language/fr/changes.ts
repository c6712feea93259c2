import type { ChangeAction, CountedKind } from '../../schema/change.ts';
import type { WateringSource } from '../../schema/watering.ts';
import type { Language } from '../en/index.ts';
import { frenchNoun, withDe } from './grammar.ts';

const NOUNS: Record<CountedKind, readonly [one: string, many: string, ending: '' | 'e']> = {
  watering: ['arrosage', 'arrosages', ''],
  rain: ['relevé de pluie', 'relevés de pluie', ''],
  weather: ['jour de météo', 'jours de météo', ''],
  planned_watering: ['arrosage prévu', 'arrosages prévus', ''],
  schedule: ['programme', 'programmes', ''],
  installation: ['installation', 'installations', 'e'],
  placement: ['placement', 'placements', ''],
  settings: ['version de réglages', 'versions de réglages', 'e'],
  soil_layer: ['couche de sol', 'couches de sol', 'e'],
  alert: ['alerte', 'alertes', 'e'],
  alert_recipient: ['destinataire', 'destinataires', ''],
  annotation: ['dessin', 'dessins', ''],
  company: ['entreprise', 'entreprises', 'e'],
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
  schedule: 'par un programme',
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
  undone: (effects, names, when) => `Annulé : ${withNames(effects, names)}. C’était la saisie ${withDe(when)}.`,
  askUndo: ({ when, who, surface, effects }) =>
    `Annuler la saisie ${withDe(when)}${who === null ? '' : ` par ${who}`}, ${SURFACES[surface]} ? Résultat : ${effects}.`,
  entry: ({ when, who, surface, effects, fields, isUndo, isUndone }) =>
    `${when}${who === null ? '' : `, par ${who}`}, ${SURFACES[surface]} : ${[effects, ...fields].join(', ')}${isUndo ? ', par une annulation' : ''}${isUndone ? ', annulé depuis' : ''}`,
  newest: (entries) => `Les derniers changements : ${entries.join(' ; ')}.`,
  undoneSince: (changeId) =>
    `Cette saisie a été annulée depuis, par le changement ${changeId} : il n’en reste rien. Pour la refaire, répétez-la avec une nouvelle idempotencyKey.`,
  none: 'Rien n’a encore été changé.',
};

import type { AnnotationShape, AnnotationUnit, ChartType } from '../../domain/alerts/annotation.ts';
import type { LineFill } from '../../domain/alerts/drawn-lines.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Language } from '../en/index.ts';
import { frenchPageChart } from './chart.ts';
import { frenchNoun, withDe } from './grammar.ts';
import { frenchMeasurements } from './measurements.ts';

const UNITS: Record<AnnotationUnit, string> = {
  vwc: ' % en volume',
  vwc_max: ' % de la saturation',
  mm: ' mm',
};

const SHAPES: Record<AnnotationShape, string> = {
  'h-line': 'une ligne horizontale',
  'v-line': 'une ligne verticale',
  segment: 'un segment',
  ray: 'une demi-droite',
  infinite: 'une droite',
  arrow: 'une flèche',
  'h-free': 'une ligne horizontale libre',
  rect: 'un rectangle',
  text: 'un texte',
  line: 'une ligne',
};

const THRESHOLDS: Record<LineFill, string> = {
  threshold1: 'la capacité au champ',
  threshold2: 'le point de flétrissement',
  wet: 'le niveau humide',
  dry: 'le niveau sec',
};

const CURVES: Record<ChartType, string> = {
  ...recordOf(MEASUREMENT_TYPES.map((type) => [type, frenchMeasurements[type].curve])),
  'humidity-detail': 'les courbes d’humidité par profondeur',
  'humidity-heatmap': 'la carte d’humidité',
};

const formatCurve = (chart: ChartType, name: string): string => `${CURVES[chart]} ${withDe(name)}`;

const NOUNS: Record<CountedKind, readonly [one: string, many: string, ending: '' | 'e']> = {
  watering: ['arrosage', 'arrosages', ''],
  rain: ['relevé de pluie', 'relevés de pluie', ''],
  weather: ['jour de météo', 'jours de météo', ''],
  planned_watering: ['arrosage prévu', 'arrosages prévus', ''],
  schedule: ['programmation', 'programmations', 'e'],
  installation: ['installation', 'installations', 'e'],
  placement: ['emplacement', 'emplacements', ''],
  settings: ['version de réglages', 'versions de réglages', 'e'],
  season: ['saison de culture', 'saisons de culture', 'e'],
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

const withNames = (effects: readonly string[], names: readonly string[]): string =>
  `${effects.join(', ')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;

const SURFACES: Record<WateringSource, string> = {
  mcp: 'par conversation ou commande',
  api: 'par l’API',
  manual: 'à la main',
  schedule: 'par une programmation',
};

export const frenchQuestions: Language['questions'] = {
  flowRate: ({ name, isOfParcel, units }) =>
    `L’arrosage sur ${name} est noté. Il manque sa dose, car l’équipement${isOfParcel ? ' de la parcelle' : ''} n’a pas de pluviométrie. ` +
    (units === 'us'
      ? 'Combien de pouces d’eau par heure donne-t-il, sur toute la surface ? 0,1 po/h, ce sont 6,2 gallons par heure sur 100 pieds carrés.'
      : 'Combien de mm d’eau par heure donne-t-il, sur toute la surface ? 1 mm/h, c’est 1 litre par heure et par m2.'),
  yes: 'Oui',
  flowRateTitle: (unit) => `Pluviométrie, ${unit}`,
  whichOne: (text) => `${text} peut désigner plusieurs choses. Laquelle est-ce ?`,
  logOnWhich: (amount) => `Noter ${amount} sur quelle sonde ?`,
  probe: 'Sonde',
  parcel: 'Parcelle',
  wholeParcel: (parcel) => `toute la parcelle ${parcel}`,
  drawing: ({ shape, threshold, hasEffect, height, unit, when }) => {
    const at = `à ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]}, en ligne ${at}${hasEffect ? '' : ' (qui ne compte que sur la courbe d’humidité)'}`;
    return shape === 'h-line' || shape === 'h-free'
      ? `${SHAPES[shape]} ${at}`
      : `${SHAPES[shape]}, ${when}`;
  },
  askDeletion: ({ chart, name, drawing, stopsAlert }) =>
    `Supprimer ce tracé sur ${formatCurve(chart, name)} : ${drawing} ?${stopsAlert ? ' Son alerte s’arrête avec lui.' : ''}`,
  askLine: ({ chart, name, drawing, expected, isLimit }) =>
    `Tracer ceci sur ${formatCurve(chart, name)} : ${drawing} ? ${frenchPageChart.expected(`${expected} %`, isLimit)}`,
  effect: (kind, action, count) => {
    const [one, many, ending] = NOUNS[kind];
    return `${count} ${frenchNoun(count, one, many)} ${PARTICIPLES[action]}${ending}${frenchNoun(count, '', 's')}`;
  },
  withNames,
  askUndo: ({ when, who, surface, effects }) =>
    `Annuler la saisie ${withDe(when)}${who === null ? '' : ` par ${who}`}, ${SURFACES[surface]} ? Résultat : ${effects}.`,
};

import type { AnnotationShape, ChartType } from '../../domain/alerts/annotation.ts';
import type { LineFill } from '../../domain/alerts/drawn-lines.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { recordOf } from '../../domain/records.ts';
import { counted, noun, say, word } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import type { ChangeAction, CountedKind } from '../../schema/changes/change.ts';
import type { WateringSource } from '../../schema/irrigation/watering.ts';
import type { Language } from '../en/index.ts';
import { sayDe } from './grammar.ts';
import { frenchMeasurementTexts } from './measurements.ts';

const SHAPES: Record<AnnotationShape, Text> = {
  'h-line': say`une ligne horizontale`,
  'v-line': say`une ligne verticale`,
  segment: say`un segment`,
  ray: say`une demi-droite`,
  infinite: say`une droite`,
  arrow: say`une flèche`,
  'h-free': say`une ligne horizontale libre`,
  rect: say`un rectangle`,
  text: say`un texte`,
  line: say`une ligne`,
};

const THRESHOLDS: Record<LineFill, Text> = {
  threshold1: say`la capacité au champ`,
  threshold2: say`le point de flétrissement`,
  wet: say`le niveau humide`,
  dry: say`le niveau sec`,
};

const TEXTS = frenchMeasurementTexts();

const CURVES: Record<ChartType, Text> = {
  ...recordOf(MEASUREMENT_TYPES.map((type) => [type, TEXTS[type].curve])),
  'humidity-detail': say`les courbes d’humidité par profondeur`,
  'humidity-heatmap': say`la carte d’humidité`,
};

const sayCurve = (chart: ChartType, name: Name): Text => say`${CURVES[chart]} ${sayDe(name)}`;

const NOUNS = {
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
  water_source: ['source d’eau', 'sources d’eau', 'e'],
  module: ['sonde', 'sondes', 'e'],
  sensor: ['capteur', 'capteurs', ''],
  device: ['appareil', 'appareils', ''],
} as const satisfies Record<CountedKind, readonly [one: string, many: string, ending: '' | 'e']>;

const PARTICIPLES: Record<ChangeAction | 'restored', Text> = {
  added: say`ajouté`,
  changed: say`modifié`,
  removed: say`supprimé`,
  restored: say`rétabli`,
};

const SURFACES: Record<WateringSource, Text> = {
  mcp: say`par conversation ou commande`,
  api: say`par l’API`,
  manual: say`à la main`,
  schedule: say`par une programmation`,
};

export const frenchQuestions: Language['questions'] = {
  flowRate: ({ name, isOfParcel, units }) => {
    const question =
      units === 'us'
        ? say`Combien de pouces d’eau par heure donne-t-il, sur toute la surface ? 0,1 po/h, ce sont 6,2 gallons par heure sur 100 pieds carrés.`
        : say`Combien de mm d’eau par heure donne-t-il, sur toute la surface ? 1 mm/h, c’est 1 litre par heure et par m2.`;
    return say`L’arrosage sur ${name} est noté. Il manque sa dose, car l’équipement${isOfParcel ? say` de la parcelle` : null} n’a pas de pluviométrie. ${question}`;
  },
  yes: 'Oui',
  flowRateTitle: (unit) => say`Pluviométrie, ${unit}`,
  whichOne: (sent) => say`${sent} peut désigner plusieurs choses. Laquelle est-ce ?`,
  logOnWhich: (amount) => say`Noter ${amount} sur quelle sonde ?`,
  probe: 'Sonde',
  parcel: 'Parcelle',
  wholeParcel: (parcel) => say`toute la parcelle ${parcel}`,
  heights: {
    vwc: (height) => say`${height} en volume`,
    vwc_max: (height) => say`${height} de la saturation`,
  },
  drawing: ({ shape, threshold, hasEffect, height, when }) => {
    if (threshold)
      return say`${THRESHOLDS[threshold]}, en ligne à ${height}${hasEffect ? null : say` (qui ne compte que sur la courbe d’humidité)`}`;
    return shape === 'h-line' || shape === 'h-free'
      ? say`${SHAPES[shape]} à ${height}`
      : say`${SHAPES[shape]}, ${when}`;
  },
  askDeletion: ({ chart, name, drawing, stopsAlert }) =>
    say`Supprimer ce tracé sur ${sayCurve(chart, name)} : ${drawing} ?${stopsAlert ? say` Son alerte s’arrête avec lui.` : null}`,
  askLine: ({ chart, name, drawing, expected, isLimit }) =>
    say`Tracer ceci sur ${sayCurve(chart, name)} : ${drawing} ? Dans ce sol, on attendrait ${isLimit ? say`au plus` : say`environ`} ${expected}.`,
  effect: (kind, action, count) => {
    const [one, many, ending] = NOUNS[kind];
    return say`${counted(count, one, many)} ${PARTICIPLES[action]}${word(ending)}${noun(count, '', 's')}`;
  },
  formerMember: say`un ancien membre`,
  askUndo: ({ when, who, surface, effects }) =>
    say`Annuler la saisie ${{ ...when, afterDe: true }}${who === null ? null : say` par ${who}`}, ${SURFACES[surface]} ? Résultat : ${effects}.`,
};

/** Says in the head of the page what waits for a person. */
export const frenchWaiting: Language['waiting'] = {
  devices: (n) => counted(n, 'appareil à affecter', 'appareils à affecter'),
  noCopy: say`la copie des données n’a pas pu être faite`,
  senders: (n) => say`messages de ${counted(n, 'émetteur')} non lus`,
  unsent: (n, wait) =>
    say`${counted(n, 'message non envoyé', 'messages non envoyés')}${wait === null ? null : say` depuis ${wait}`}`,
};

import type { Language } from '../en/index.ts';
import { frenchCount, frenchFormat } from './grammar.ts';
import { frenchAxes } from './measurements.ts';

export const frenchChartLabels: Language['chartLabels'] = {
  format: frenchFormat,
  measure: frenchAxes,
  fieldCapacity: ['Capacité', 'au champ'],
  stress: ['Seuil de', 'stress'],
  wilting: ['Point de', 'flétrissement'],
  stressAndAlert: ['Seuil de stress', 'et alerte'],
  wiltingAndAlert: ['Flétrissement', 'et alerte'],
  wetLevel: ['Niveau', 'humide'],
  dryLevel: ['Niveau', 'sec'],
  alert: ['Alerte', 'sous'],
  comfort: 'confort',
  /** The period of one bar. */
  per: { watering: '', day: ' par jour', week: ' par semaine', month: ' par mois' },
  watering: (unit, per) => `arrosage, ${unit}${per} sur toute la surface`,
  rain: (unit, per) => `pluie, ${unit}${per}`,
  planned: 'prévu',
  localTime: 'Heure locale',
  now: 'maintenant',
  noData: 'Aucune mesure sur cette période',
  newest: 'dernière valeur',
  neverSent: 'aucune mesure à ce jour',
  age: frenchFormat.duration,
  meanOver: (length) => `moyenne sur ${length}`,
};

export const frenchPictureLabels: Language['pictureLabels'] = {
  shortWatering: (unit) => `arrosage, ${unit}`,
  unknownDose: 'dose inconnue',
  assumed: 'supposé',
  parcel: (id) => `parcelle ${id}`,
  newestReading: 'dernière mesure',
  last: 'à la fin',
  withAge: (age) => `il y a ${age}`,
};

const times = (count: number): string => `${count} fois`;

export const frenchPageChart: Language['pageChart'] = {
  spans: { day: '24 h', week: '7 j', month: '30 j', season: '90 j', year: '1 an' },
  spanGroup: 'Période',
  zoomIn: 'Agrandir',
  zoomOut: 'Réduire',
  toNow: 'Revenir à maintenant',
  depths: 'Profondeurs',
  chart: 'graphique',
  help: 'Les flèches gauche et droite déplacent la période, plus et moins agrandissent ou réduisent, Maj avec une flèche lit les valeurs, Fin revient à maintenant.',
  view: ({ measure, period, lowest, highest, last }) =>
    `${measure}, ${period} : de ${lowest} à ${highest}, ${last} à la fin.`,
  emptyView: (measure, period) => `${measure}, ${period} : aucune mesure.`,
  waterings: (count, water) => `${frenchCount(count, 'arrosage')}, ${water}.`,
  rainSum: (water) => `Pluie, ${water}.`,
  fired: (count) =>
    `L’alerte ${count === 0 ? 'ne se serait pas déclenchée' : `se serait déclenchée ${times(count)}`}.`,
  rainAt: (water) => `pluie ${water}`,
  wateringAt: (water, isPlanned) => `${isPlanned ? 'arrosage prévu' : 'arrosage'} ${water}`,
  gap: 'aucune mesure',
  episodes: 'alerterait',
  failed: 'Le graphique n’a pas pu être mis à jour.',

  newAlert: 'Nouvelle alerte',
  lineAt: (line, value) => `${line} : ${value}`,
  suggested: 'conseillé',
  atStressPoint: 'seuil de stress',
  fromSoil: 'd’après le sol',
  backtest: ({ times: count, isTruncated, timeBelow, period }) =>
    `Depuis ${period}, elle ${count === 0 ? 'ne se serait jamais déclenchée' : `se serait déclenchée ${isTruncated ? `au moins ${count} fois` : times(count)}, ${timeBelow} sous le seuil`}.`,
  activeAlert: (count, value) =>
    count === 0 ? `L’alerte à ${value} : jamais.` : `L’alerte à ${value} : ${times(count)}.`,
  counting: 'Calcul…',
  noCount: 'On ne sait pas combien de fois elle se serait déclenchée.',
  movesAlert: 'Son alerte se déplace avec elle.',
  createsAlert: 'Une alerte commence à ce niveau.',
  stressFollows: (value) => `Les plantes souffrent à partir de ${value}.`,
  noSuggestion: 'Trop peu d’arrosages complets pour conseiller une capacité au champ.',
  save: 'Enregistrer',
  saved: (line, value) => `Enregistré : ${line} ${value}`,
  expected: (value, isLimit) =>
    `Dans ce sol, on attendrait ${isLimit ? 'au plus' : 'environ'} ${value}.`,
  keep: 'C’est juste',
  restored: (line, value) => `Annulé : ${line}${value === null ? '' : ` de nouveau à ${value}`}`,

  table: 'Valeurs en tableau',
  tableOf: (period) => `Valeurs, ${period}`,
  columns: (unit) => [
    'Début',
    'Moyenne',
    'Minimum',
    'Maximum',
    `Arrosage, ${unit}`,
    `Pluie, ${unit}`,
  ],
  linesTable: 'Lignes',
  notes: 'Notes sur la courbe',
};

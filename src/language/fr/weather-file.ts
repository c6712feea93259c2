import type { Language } from '../en/index.ts';
import { frenchFormat } from './grammar.ts';

const { groupedCount } = frenchFormat;

export const frenchWeatherFile: Language['weatherFile'] = {
  read: (file, days, rejected) =>
    `${file} : ${groupedCount(days, 'jour lu', 'jours lus')}, ${groupedCount(rejected, 'ligne refusée', 'lignes refusées')}${rejected === 0 ? '' : ', au moins en partie'}.`,
  rain: 'jours de pluie',
  weather: 'jours de météo',
  outcomes: { added: 'ajoutés', changed: 'modifiés', unchanged: 'inchangés' },
  replaced: (days) =>
    `${groupedCount(days, 'jour avait', 'jours avaient')} déjà une autre pluie : le total du fichier la remplace`,
  preferred: (days) =>
    `${groupedCount(days, 'jour')} dont la pluie a été saisie plus tard par une personne : cette saisie est gardée`,
  line: (line, reason) => `ligne ${line} : ${reason}`,
  more: (lines) => `et ${lines} autres`,
  impossible: (column, cell) => `${column} « ${cell} » n’est pas une valeur possible`,
  tooManyCells:
    'plus de cellules que l’en-tête : mettez les virgules décimales entre guillemets, ou séparez les colonnes par des points-virgules',
  timeOfDay: 'elle a une heure : donnez un seul total par jour',
  unreadableDay: 'date illisible : écrivez 2026-07-01, ou dites l’ordre avec --dates',
  futureDay: 'son jour est à venir',
  dayTwice: (line) => `son jour est déjà à la ligne ${line} : donnez une seule ligne par jour`,
  noParcel: (name) => `aucune parcelle, ou plusieurs, ne s’appelle « ${name} »`,
  weatherOfParcel:
    'la météo est celle de toute l’exploitation : laissez la parcelle vide, ou importez seulement sa pluie',
  faults: {
    temperature: 'la température minimale est au-dessus de la maximale',
    humidity: 'l’humidité minimale est au-dessus de la maximale',
    dewPoint: 'le point de rosée est au-dessus de la température maximale',
  },
};

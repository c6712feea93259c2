import type { Language } from '../en/index.ts';
import { frenchCount, frenchFormat } from './grammar.ts';

export const frenchChartLabels: Language['chartLabels'] = {
  format: frenchFormat,
  measure: {
    moisture: 'Humidité du sol, % en volume',
    air_humidity: 'Humidité de l’air, %',
    temperature: 'Température, °C',
    tension: 'Tension, kPa (plus c’est haut, plus c’est sec)',
  },
  fieldCapacity: ['Capacité', 'au champ'],
  stress: ['Seuil de', 'stress'],
  wetLevel: ['Niveau', 'humide'],
  dryLevel: ['Niveau', 'sec'],
  alert: ['Alerte', 'sous'],
  comfort: 'confort',
  watering: {
    each: 'arrosage, mm sur toute la surface',
    day: 'arrosage, mm par jour sur toute la surface',
    week: 'arrosage, mm par semaine sur toute la surface',
    month: 'arrosage, mm par mois sur toute la surface',
  },
  planned: 'prévu',
  unknownDose: 'dose inconnue',
  localTime: 'Heure locale',
  now: 'maintenant',
  noData: 'Aucune mesure sur cette période',
  newest: 'dernière valeur',
  newestReading: 'dernière mesure',
  last: 'à la fin',
  neverSent: 'aucune mesure à ce jour',
  depthUnit: 'cm',
  withAge: (age) => `il y a ${age}`,
  age: (count, unit) => frenchCount(count, { minute: 'minute', hour: 'heure', day: 'jour' }[unit]),
  meanOver: (length) => `moyenne sur ${length}`,
};

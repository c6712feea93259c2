import type { Language } from '../en/index.ts';
import { frenchCount } from './grammar.ts';

export const frenchOverview: Language['overview'] = {
  noProbe: (stations) =>
    `Il n’y a pas de sonde, seulement ${frenchCount(stations, 'station météo', 'stations météo')} : set_module ajoute des sondes.`,
  driest: (probes, list) => (probes === 1 ? `${list}.` : `Les plus sèches des ${probes} sondes : ${list}.`),
  driestTension: (list) => `Tensions les plus élevées, donc les sols les plus secs : ${list}.`,
  noValue: (probes) =>
    probes === 1
      ? 'La seule sonde n’a pas de mesure récente fiable.'
      : `Aucune des ${probes} sondes n’a de mesure récente fiable.`,
  moisture: (name, value) => `${name}, ${value} %`,
  tension: (name, value) => `${name}, ${value} kPa`,
  comfort: 'en confort',
  saturated: 'saturée',
  noNeed: 'À ce qu’on sait, aucune n’a besoin aujourd’hui de plus d’eau que prévu.',
  needs: (count, list) => `${count === 1 ? 'Une a besoin' : `${count} ont besoin`} d’eau aujourd’hui : ${list}.`,
  next: (list) => `Ensuite : ${list}.`,
  checkFirst: (list) => `À vérifier avant d’arroser : ${list}.`,
  firing: (list) => `Alertes déclenchées : ${list}.`,
  silent: (list) => `Muettes : ${list}.`,
  unjudged: (list) => `Sans seuil de stress ni niveau sec pour juger : ${list}.`,
  leftOut: (count) =>
    `${frenchCount(count, 'sonde moins urgente n’est pas listée', 'sondes moins urgentes ne sont pas listées')} ici.`,
};

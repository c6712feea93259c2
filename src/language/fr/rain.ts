import type { Language } from '../en/index.ts';
import { frenchCount } from './grammar.ts';

export const frenchRain: Language['rain'] = {
  place: (parcel) => (parcel === null ? 'sur toute l’exploitation' : `sur ${parcel}`),
  details: (mm, place, when, gauge) => `${mm} mm ${place}, ${when}${gauge === null ? '' : `, mesurés par ${gauge}`}`,
  logged: (details) => `Pluie enregistrée : ${details}.`,
  corrected: (id, details, was) =>
    `Le relevé de pluie ${id} est maintenant de ${details}${was === null ? '' : ` ; il était de ${was} mm`}.`,
  takenBack: (id, was) =>
    `Le relevé de pluie ${id} est annulé${was === null ? '' : ` : ses ${was} mm ne comptent plus`}.`,
  countedOnce: (id, others, mm, isNewCounted, total) => {
    const records =
      others === 0 ? `Le relevé ${id} donnait` : `Le relevé ${id} et ${frenchCount(others, 'autre')} donnaient`;
    return isNewCounted
      ? `${records} déjà ${mm} mm ce jour-là : ils ne s’ajoutent pas, c’est celui-ci qui compte, ${total} mm pour la journée.`
      : `${records} déjà ${mm} mm ce jour-là, et ce sont eux qui comptent : celui-ci ne s’y ajoute pas. S’il est plus juste, saisissez-le pour la journée entière.`;
  },
  notCounted: (ids, others) =>
    ids.length === 1
      ? `Le relevé ${ids[0]} n’est pas compté : un autre donne déjà cette pluie.`
      : `Les relevés ${ids.join(', ')}${others > 0 ? ` et ${frenchCount(others, 'autre')}` : ''} ne sont pas comptés : d’autres donnent déjà cette pluie.`,
  before: (mm) => `C’était ${mm} mm auparavant.`,
  none: 'Aucune pluie n’est enregistrée pour cette demande.',
  total: (mm, days, place) => `${mm} mm en ${frenchCount(days, 'jour')} ${place}`,
  list: (places, more, newest) =>
    `Pluie enregistrée : ${places.join(' ; ')}${more > 0 ? ` ; et ${frenchCount(more, 'autre parcelle', 'autres parcelles')}` : ''}. La plus récente : ${newest}.`,
  row: (mm, day, parcel) => `${mm} mm (${day}${parcel === null ? '' : `, ${parcel}`})`,
  recentRain: {
    shown: (mm) =>
      `${mm} mm de pluie viennent de tomber. L’humidité monte depuis : les mesures en tiennent déjà compte, et cette pluie n’est pas comptée deux fois. Redemandez quand elle se sera infiltrée.`,
    unseen: (mm) =>
      `${mm} mm de pluie n’ont peut-être pas encore atteint les capteurs : redemandez quand ils se seront infiltrés.`,
    counted: (mm, effectiveMm, percent) =>
      `${mm} mm de pluie n’ont peut-être pas encore atteint les capteurs : ${effectiveMm} mm sont déduits de ce qui manque (${percent} % au plus, le reste s’évapore ou ruisselle). Redemandez quand ils se seront infiltrés.`,
  },
  inReadings: (mm, effectiveMm, percent, since) =>
    `${mm} mm de pluie ${since === null ? 'ces deux dernières semaines' : `depuis le dernier arrosage (${since})`}, dont environ ${effectiveMm} mm pour les racines (${percent} %) : les mesures en tiennent déjà compte, ils ne sont pas déduits une seconde fois.`,
  beside: (places, more) =>
    `Pluie enregistrée sur la même période : ${places.join(' ; ')}${more > 0 ? ` ; et ${frenchCount(more, 'autre parcelle', 'autres parcelles')}` : ''}.`,
  lastDays: (days, places, more) =>
    `Pluie des ${days} derniers jours : ${places.join(' ; ')}${more > 0 ? ` ; et ${frenchCount(more, 'autre parcelle', 'autres parcelles')}` : ''}.`,
  fell: (mm, days) => `Pluie : ${mm} mm en ${frenchCount(days, 'jour')}.`,
  recent: (rows) => `Pluie : ${rows.join(', ')}.`,
};

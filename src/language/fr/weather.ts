import type { Language } from '../en/index.ts';
import { frenchCount, frenchFormat } from './grammar.ts';

export const frenchRain: Language['rain'] = {
  place: (parcel) => (parcel === null ? 'sur toute l’exploitation' : `sur ${parcel}`),
  details: (mm, place, when, gauge) =>
    `${mm} mm ${place}, ${when}${gauge === null ? '' : `, mesurés par ${gauge}`}`,
  logged: (details) => `Pluie enregistrée : ${details}.`,
  corrected: (id, details, was) =>
    `Le relevé de pluie ${id} est maintenant de ${details}${was === null ? '' : ` ; il était de ${was} mm`}.`,
  takenBack: (id, was) =>
    `Le relevé de pluie ${id} est annulé${was === null ? '' : ` : ses ${was} mm ne comptent plus`}.`,
  countedOnce: ({ id, others, mm, isNewCounted, total }) => {
    const records =
      others === 0
        ? `Le relevé ${id} donnait`
        : `Le relevé ${id} et ${frenchCount(others, 'autre')} donnaient`;
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
  page: (count, newest) =>
    `${frenchCount(count, 'enregistrement')} de pluie, le plus récent : ${newest}.`,
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

const INPUTS = {
  temperature: 'température',
  humidity: 'humidité',
  wind: 'vent',
  radiation: 'rayonnement',
} as const;

const PACE_PERIODS = {
  forecast: 'les jours à venir, selon la prévision',
  recent: 'les trois derniers jours',
} as const;

export const frenchWeather: Language['weather'] = {
  method: (method, missing) =>
    method === 'penman_monteith'
      ? 'Penman-Monteith FAO-56'
      : `Hargreaves, faute de ${frenchFormat.list(missing.map((each) => INPUTS[each]))}`,
  demandPace: {
    forecast: (percent, coming, last) =>
      `Le délai avant le stress suppose un sol qui sèche à ${percent} % du rythme des deux dernières semaines : la prévision donne une évapotranspiration de référence de ${coming} mm par jour, après ${last} mm.`,
    recent: (percent, coming, last, method) =>
      `Le délai avant le stress suppose un sol qui sèche à ${percent} % du rythme des deux dernières semaines, comme ces trois derniers jours : leur évapotranspiration de référence était de ${coming} mm par jour, après ${last} mm (${method}).`,
  },
  forecastRain: ({ mm, ahead, weekday, probability, isCounted }) =>
    `${mm} mm de pluie annoncés ${ahead === 0 ? 'pour aujourd’hui' : `d’ici ${ahead === 1 ? 'demain' : weekday}`}${probability === null ? '' : ` (${probability} %)`}${isCounted ? '' : ', qui ne comptent pas ici : attendre ou arroser, à vous de choisir'}.`,
  needless: ({ probes, rain, effective, needed, planned, at, since, eventId }) =>
    `Renoncer aux ${planned} mm prévus ${at} pour ${probes} ? Avec ${rain} mm de pluie ${since === null ? 'en trois jours' : `depuis l’arrosage (${since})`}, dont ${effective} mm pour les racines, il ${needed === null ? 'ne reste rien' : `reste ${needed} mm`} à apporter. L’arrosage reste prévu tant que vous n’y renoncez pas (arrosage ${eventId}, correct_watering).`,
  evapotranspiration: (mm, days, method, pace) =>
    `Évapotranspiration de référence : ${mm} mm par jour ${days === 1 ? 'sur un jour' : `ces ${days} derniers jours`} (${method})${pace === null ? '' : ` ; ${PACE_PERIODS[pace.basis]}, ${pace.percent} % des deux dernières semaines`}.`,
};

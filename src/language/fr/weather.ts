import type { Language } from '../en/index.ts';
import { frenchFormat } from './grammar.ts';

const INPUTS = { temperature: 'température', humidity: 'humidité', wind: 'vent', radiation: 'rayonnement' } as const;

export const frenchWeather: Language['weather'] = {
  method: (method, missing) =>
    method === 'penman_monteith'
      ? 'Penman-Monteith FAO-56'
      : `Hargreaves, faute de ${frenchFormat.list(missing.map((each) => INPUTS[each]))}`,
  demandPace: {
    forecast: (percent, coming, last) =>
      `Le délai avant le stress compte sur un sol qui sèche à ${percent} % du rythme des deux dernières semaines : la prévision donne une évapotranspiration de référence de ${coming} mm par jour, après ${last} mm.`,
    recent: (percent, coming, last, method) =>
      `Le délai avant le stress compte sur un sol qui sèche à ${percent} % du rythme des deux dernières semaines, comme ces trois derniers jours : leur évapotranspiration de référence était de ${coming} mm par jour, après ${last} mm (${method}).`,
  },
  forecastRain: (mm, ahead, weekday, probability, isCounted) =>
    `${mm} mm de pluie annoncés ${ahead === 0 ? 'pour aujourd’hui' : `d’ici ${ahead === 1 ? 'demain' : weekday}`}${probability === null ? '' : ` (${probability} %)`}${isCounted ? '' : ', qui ne comptent pas ici : attendre ou arroser, à vous de choisir'}.`,
  needless: ({ probes, rain, effective, needed, planned, at, since, eventId }) =>
    `Renoncer aux ${planned} mm prévus ${at} pour ${probes} ? Avec ${rain} mm de pluie ${since === null ? 'en trois jours' : `depuis l’arrosage (${since})`}, dont ${effective} mm pour les racines, il ${needed === null ? 'ne reste rien' : `reste ${needed} mm`} à apporter. L’arrosage reste prévu tant que vous n’y renoncez pas (arrosage ${eventId}, correct_watering).`,
  evapotranspiration: (mm, days, method, pace) =>
    `Évapotranspiration de référence : ${mm} mm par jour ${days === 1 ? 'sur un jour' : `ces ${days} derniers jours`} (${method})${
      pace === null
        ? ''
        : pace.basis === 'forecast'
          ? ` ; les jours à venir, selon la prévision, ${pace.percent} % des deux dernières semaines`
          : ` ; les trois derniers jours, ${pace.percent} % des deux dernières semaines`
    }.`,
};

import { frenchCount } from '../domain/french.ts';
import type { ChartPhrases } from './chart-words.ts';

export const frenchChartPhrases: ChartPhrases = {
  levels: ({ stressPoint, fieldCapacity, alerts }) => {
    const levels = [
      ...(stressPoint === null ? [] : [`seuil de stress ${stressPoint} %`]),
      ...(fieldCapacity === null ? [] : [`capacité au champ ${fieldCapacity} %`]),
      ...alerts.map((threshold) => `alerte sous ${threshold} %`),
    ];
    return `Repères tracés : ${levels.join(', ')}.`;
  },
  waterings: (done, mm, planned, unknown) => {
    const parts = [
      ...(done === 0 ? [] : [`${frenchCount(done, 'arrosage réalisé', 'arrosages réalisés')}, ${mm} mm en tout`]),
      ...(planned === 0 ? [] : [frenchCount(planned, 'arrosage prévu', 'arrosages prévus')]),
      ...(unknown === 0 ? [] : [`${unknown} de dose inconnue`]),
    ];
    return parts.length === 0 ? 'Aucun arrosage sur cette période.' : `Sur cette période : ${parts.join(' ; ')}.`;
  },
  wateringList: (bars, before, zone) => {
    const rows = bars.map(
      ({ at, mm, isPlanned }) => `${at}, ${mm === null ? 'dose inconnue' : `${mm} mm`}${isPlanned ? ' (prévu)' : ''}`,
    );
    const more = before === 0 ? [] : [`${before} auparavant`];
    return `Du plus récent au plus ancien (${zone}) : ${[...rows, ...more].join(' ; ')}.`;
  },
  parcel: (name) => `Parcelle : ${name}.`,
  depths: (values) =>
    `Dernière valeur par profondeur : ${values.map(({ depth, value }) => `${depth} cm, ${value} %`).join(' ; ')}.`,
  unsupportedName: (name, drawn) => `L’image ne peut pas écrire ${name} : elle porte ${drawn} à la place.`,
};

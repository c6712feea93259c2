import { counted } from '../domain/french.ts';
import type { ChartWords } from './chart-words.ts';

export const frenchCharts: ChartWords = {
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
      ...(done === 0 ? [] : [`${counted(done, 'arrosage réalisé', 'arrosages réalisés')}, ${mm} mm en tout`]),
      ...(planned === 0 ? [] : [counted(planned, 'arrosage prévu', 'arrosages prévus')]),
      ...(unknown === 0 ? [] : [`${unknown} de dose inconnue`]),
    ];
    return parts.length === 0 ? 'Aucun arrosage sur cette période.' : `Sur cette période : ${parts.join(' ; ')}.`;
  },
  bars: (bars, before, zone) => {
    const said = bars.map(
      ({ at, mm, isPlanned }) => `${at}, ${mm === null ? 'dose inconnue' : `${mm} mm`}${isPlanned ? ' (prévu)' : ''}`,
    );
    const more = before === 0 ? [] : [`${before} auparavant`];
    return `Du plus récent au plus ancien (${zone}) : ${[...said, ...more].join(' ; ')}.`;
  },
  parcel: (name) => `Parcelle : ${name}.`,
  depths: (values) =>
    `Dernière valeur par profondeur : ${values.map(({ depth, value }) => `${depth} cm, ${value} %`).join(' ; ')}.`,
  undrawn: (name, drawn) => `L’image ne peut pas écrire ${name} : elle porte ${drawn} à la place.`,
};

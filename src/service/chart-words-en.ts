import type { ChartWords } from './chart-words.ts';

const count = (amount: number): string => `${amount} watering${amount === 1 ? '' : 's'}`;

export const englishCharts: ChartWords = {
  levels: ({ stressPoint, fieldCapacity, alerts }) => {
    const levels = [
      ...(stressPoint === null ? [] : [`stress point ${stressPoint} %`]),
      ...(fieldCapacity === null ? [] : [`field capacity ${fieldCapacity} %`]),
      ...alerts.map((threshold) => `alert below ${threshold} %`),
    ];
    return `Drawn with ${levels.join(', ')}.`;
  },
  waterings: (done, mm, planned, unknown) => {
    const parts = [
      ...(done === 0 ? [] : [`${count(done)} done, ${mm} mm in all`]),
      ...(planned === 0 ? [] : [`${count(planned)} planned`]),
      ...(unknown === 0 ? [] : [`${unknown} of unknown dose`]),
    ];
    return parts.length === 0 ? 'No watering in that period.' : `In that period ${parts.join('; ')}.`;
  },
};

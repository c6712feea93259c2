import { englishCount } from '../domain/english.ts';
import type { ChartPhrases } from './chart-words.ts';

export const englishChartPhrases: ChartPhrases = {
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
      ...(done === 0 ? [] : [`${englishCount(done, 'watering')} done, ${mm} mm in all`]),
      ...(planned === 0 ? [] : [`${englishCount(planned, 'watering')} planned`]),
      ...(unknown === 0 ? [] : [`${unknown} of unknown dose`]),
    ];
    return parts.length === 0 ? 'No watering in that period.' : `In that period ${parts.join('; ')}.`;
  },
  wateringList: (bars, before, zone) => {
    const rows = bars.map(
      ({ at, mm, isPlanned }) => `${at} ${mm === null ? 'dose unknown' : `${mm} mm`}${isPlanned ? ' (planned)' : ''}`,
    );
    return `Newest first (${zone}): ${[...rows, ...(before === 0 ? [] : [`${before} before`])].join('; ')}.`;
  },
  parcel: (name) => `It stands in ${name}.`,
  depths: (values) => `Last by depth: ${values.map(({ depth, value }) => `${depth} cm ${value} %`).join(', ')}.`,
  unsupportedName: (name, drawn) => `The picture's letters cannot write ${name}: it says ${drawn} instead.`,
};

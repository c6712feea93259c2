import { englishCount } from '../en/grammar.ts';

export const chartPhrases = {
  levels: (levels: readonly string[]) => `Drawn with ${levels.join(', ')}.`,
  stressPoint: (value: string) => `stress point ${value} %`,
  fieldCapacity: (value: string) => `field capacity ${value} %`,
  wiltingPoint: (value: string) => `wilting point ${value} %`,
  wetLevel: (value: string) => `wet level ${value} kPa`,
  dryLevel: (value: string) => `dry level ${value} kPa`,
  higherIsDrier: 'Higher is drier.',
  ofParcel: 'The waterings are those of its parcel.',
  alertBelow: (value: string) => `alert below ${value} %`,
  noWaterings: 'No waterings in that period.',
  waterings: (counts: readonly string[]) => `In that period ${counts.join('; ')}.`,
  doneWaterings: (count: number, mm: string, seenBy: string | null) =>
    `${englishCount(count, 'watering')} done, ${mm} mm in all${seenBy === null ? '' : ` (${seenBy})`}`,
  plannedWaterings: (count: number) => `${englishCount(count, 'watering')} planned`,
  waitingWaterings: (count: number) =>
    `${englishCount(count, 'watering awaits', 'waterings await')} confirmation`,
  unknownDoses: (count: number) => `${count} of unknown dose`,
  /** `seenBy` is null where a person confirmed it. */
  watering: (at: string, mm: string | null, seenBy: string | null) =>
    `${at} ${mm === null ? 'dose unknown' : `${mm} mm`}${seenBy === null ? '' : ` (${seenBy})`}`,
  planned: 'planned',
  earlierWaterings: (count: number) => `${count} earlier`,
  newestWaterings: (rows: readonly string[], zone: string) =>
    `Newest first (${zone}): ${rows.join('; ')}.`,
  parcel: (name: string) => `It is in ${name}.`,
  newest: (value: string) => `Newest reading: ${value}.`,
  depths: (values: readonly { readonly depth: number; readonly value: string }[]) =>
    `Newest by depth: ${values.map(({ depth, value }) => `${depth} cm ${value} %`).join(', ')}.`,
  unsupportedName: (name: string, drawn: string) =>
    `The chart’s font cannot draw ${name}, so the chart shows ${drawn}.`,
};

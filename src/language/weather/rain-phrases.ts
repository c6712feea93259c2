import { englishCount } from '../en/grammar.ts';

interface CountedOnceFacts {
  readonly others: number;
  readonly mm: string;
  readonly isNewCounted: boolean;
  readonly total: string;
}

export const rainPhrases = {
  place: (parcel: string | null) => (parcel === null ? 'on the whole farm' : `on ${parcel}`),
  details: (mm: string, place: string, when: string, gauge: string | null) =>
    `${mm} mm ${place}, ${when}${gauge === null ? '' : `, measured by ${gauge}`}`,
  logged: (details: string) => `Rain recorded: ${details}.`,
  corrected: (details: string, beforeMm: string | null) =>
    `The rain record is now ${details}${beforeMm === null ? '' : `; it was ${beforeMm} mm`}.`,
  deleted: (beforeMm: string | null) =>
    `The rain record is deleted${beforeMm === null ? '' : `: its ${beforeMm} mm no longer count`}.`,
  countedOnce: ({ others, mm, isNewCounted, total }: CountedOnceFacts) => {
    const records = others === 0 ? 'Another record' : `${others + 1} other records`;
    return isNewCounted
      ? `${records} already had ${mm} mm that day: they are not added, and this one counts, ${total} mm for the day.`
      : `${records} already had ${mm} mm that day, which count: this one is not added to them. If it is the right figure, enter it for the whole day.`;
  },
  notCounted: (records: number) =>
    records === 1
      ? 'One of these records is not counted: another one has that rain already.'
      : `${records} of these records are not counted: others have that rain already.`,
  before: (mm: string) => `It was ${mm} mm before.`,
  none: 'No rain is recorded for that.',
  total: (mm: string, days: number, place: string) =>
    `${mm} mm ${place}, ${days === 1 ? 'on one day' : `over ${days} days`}`,
  list: (places: readonly string[], more: number, newest: string) =>
    `Rain recorded: ${places.join('; ')}${more > 0 ? `; and ${englishCount(more, 'more parcel')}` : ''}. The newest: ${newest}.`,
  page: (count: number, newest: string) =>
    `${englishCount(count, 'record')} of rain, the newest: ${newest}.`,
  row: (mm: string, day: string, parcel: string | null) =>
    `${mm} mm (${day}${parcel === null ? '' : `, ${parcel}`})`,
  recentRain: {
    shown: (mm: string) =>
      `${mm} mm of rain fell a short while ago. Moisture has been rising since, so the readings show it and it is not counted again: ask again when it has soaked in.`,
    lost: (mm: string) =>
      `${mm} mm of rain ended more than two hours ago, and no depth has risen since it began: it stayed on leaves and the surface, so it is not counted.`,
    unseen: (mm: string) =>
      `${mm} mm of rain may not have reached the sensors yet: ask again when it has soaked in.`,
    counted: (mm: string, effectiveMm: string, percent: string) =>
      `${mm} mm of rain may not have reached the sensors yet: ${effectiveMm} mm of it are taken from what is missing (${percent} % at most, the rest evaporates or runs off). Ask again when it has soaked in.`,
  },
  inReadings: (mm: string, effectiveMm: string, percent: string, since: string | null) =>
    `${mm} mm of rain ${since === null ? 'in the last two weeks' : `since the last watering (${since})`}, about ${effectiveMm} mm of it for the roots (${percent} %): the readings show it already, so it is not counted again.`,
  beside: (places: readonly string[], more: number) =>
    `Rain recorded for the same time: ${places.join('; ')}${more > 0 ? `; and ${englishCount(more, 'more parcel')}` : ''}.`,
  at: (mm: string, at: string) => `${mm} mm at that of ${at}`,
  aroundWaterings: (rains: readonly string[], more: number) =>
    `Rain recorded around waterings: ${rains.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  lastDays: (days: number, places: readonly string[], more: number) =>
    `Rain of the last ${englishCount(days, 'day')}: ${places.join('; ')}${more > 0 ? `; and ${englishCount(more, 'more parcel')}` : ''}.`,
  fell: (mm: string, days: number) => `Rain: ${mm} mm on ${englishCount(days, 'day')}.`,
  recent: (rows: readonly string[]) => `Rain: ${rows.join(', ')}.`,
};

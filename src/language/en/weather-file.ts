import { englishFormat } from './grammar.ts';

const { groupedCount } = englishFormat;

/** The report of `acequia import` on a file of daily weather. */
export const englishWeatherFile = {
  read: (file: string, days: number, rejected: number) =>
    `${file}: ${groupedCount(days, 'day')} read, ${groupedCount(rejected, 'line')} rejected${rejected === 0 ? '' : ', at least in part'}.`,
  rain: 'days of rain',
  weather: 'days of weather',
  outcomes: { added: 'added', changed: 'changed', unchanged: 'unchanged' },
  replaced: (days: number) =>
    `${groupedCount(days, 'day')} already had other rain: the total of the file is used instead`,
  preferred: (days: number) =>
    `${groupedCount(days, 'day')} with rain that a person entered later: the entry is used instead`,
  line: (line: number, reason: string) => `line ${line}: ${reason}`,
  more: (lines: number) => `and ${lines} more`,
  /** Why a line is rejected. */
  impossible: (column: string, cell: string) => `${column} "${cell}" is not a possible value`,
  tooManyCells:
    'it has more cells than the header: quote decimal commas, or separate columns by semicolons',
  timeOfDay: 'it has a time of day: give one total for each day',
  unreadableDay: 'its date cannot be read: write 2026-07-01, or name the order with --dates',
  futureDay: 'its day is still to come',
  dayTwice: (line: number) => `its day is on line ${line} already: give one row a day`,
  noParcel: (name: string) => `no parcel, or more than one, is called "${name}"`,
  weatherOfParcel:
    'weather is that of the whole farm: leave the parcel empty, or import its rain alone',
  faults: {
    temperature: 'its lowest temperature is above the highest',
    humidity: 'its lowest humidity is above the highest',
    dewPoint: 'its dew point is above the highest temperature',
  },
};

import type { CorePhrases } from '../core-phrases.ts';
import type { ListPhrases } from '../list-phrases.ts';
import { englishFormat } from './grammar.ts';

export const englishCore: CorePhrases = {
  nearDays: new Map([
    [-1, 'yesterday'],
    [0, 'today'],
    [1, 'tomorrow'],
  ]),
  day: (day, month, year) => `${day} ${englishFormat.months('short')[month - 1]}${year === null ? '' : ` ${year}`}`,
  instant: (day, clock) => `${day} ${clock}`,
  withinDay: (day, from, to) => `${day} ${from} to ${to}`,
  acrossDays: (from, to) => `${from} to ${to}`,
  unnamedParcel: (id) => `parcel ${id}`,
  onlyProbe: (parcel, probe) => `${parcel} was taken as its only probe, ${probe}.`,
  incompleteAnswer: (places, more) => {
    const named = places.join(', ') + (more > 0 ? ` and ${more} more` : '');
    const where = named === '' ? '' : ` (${named})`;
    return `The service answered, but not all that a sentence is drawn from is there${where}: read the answer itself.`;
  },
  undeclaredZone: (zone) =>
    `The company has declared no time zone, so times are said and read in ${zone}: declare its own as timezone in the farm file.`,
  inGap: (text, clock) => `${text} does not exist there, because the clocks go forward: it was read as ${clock}.`,
  inFold: (text, clock) =>
    `${text} happens twice that day, because the clocks go back: the first one was taken, ${clock}.`,
};

export const englishList: ListPhrases = {
  nextPage: 'More follow: pass next_cursor as cursor.',
  total: (count) => `${count} in all.`,
};

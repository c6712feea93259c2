import type { CorePhrases, ListPhrases, QuestionPhrases } from '../core-phrases.ts';
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
  onlyProbe: (parcel, probe) => `${parcel} has one probe, ${probe}, which was used.`,
  skippedTime: (text, clock) => `${text} does not exist, because the clocks go forward: ${clock} was used.`,
  repeatedTime: (text, clock) =>
    `${text} occurs twice that day, because the clocks go back: the first one was used, ${clock}.`,
  incompleteAnswer: (places, more) => {
    const fields = places.join(', ') + (more > 0 ? ` and ${more} more` : '');
    return `The service answered, but fields are missing that a summary needs${fields === '' ? '' : ` (${fields})`}: read the structured result.`;
  },
  undeclaredZone: (zone) => `The company has no time zone, so times are in ${zone}: set timezone in the farm file.`,
};

export const englishList: ListPhrases = {
  nextPage: 'There are more: pass next_cursor as cursor.',
  total: (count) => `${count} in all.`,
};

export const englishQuestions: QuestionPhrases = {
  flowRate: ({ name, isOfParcel }) =>
    `The watering on ${name} is recorded. Its dose in mm is missing, because the ${isOfParcel ? 'equipment of its parcel' : 'equipment'} has no flow rate. ` +
    'How many mm of water per hour does it give, over the whole area? 1 mm/h is 1 litre per hour on each m2.',
  flowRateTitle: 'Flow rate, mm/h',
  flowRateGiven: (flow) => `The person gave the flow rate: ${flow} mm/h.`,
  flowRateNotEntered: (flow, why) => `The person gave the flow rate, ${flow} mm/h, but it was not entered: ${why}`,
  whichOne: (text) => `${text} can mean more than one. Which one is meant?`,
};

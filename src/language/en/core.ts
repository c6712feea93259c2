import { englishFormat } from './grammar.ts';

export const englishCore = {
  nearDays: new Map([
    [-1, 'yesterday'],
    [0, 'today'],
    [1, 'tomorrow'],
  ]),
  day: (day: number, month: number, year: number | null) =>
    `${day} ${englishFormat.months('short')[month - 1]}${year === null ? '' : ` ${year}`}`,
  instant: (day: string, clock: string) => `${day} ${clock}`,
  withinDay: (day: string, from: string, to: string) => `${day} ${from} to ${to}`,
  acrossDays: (from: string, to: string) => `${from} to ${to}`,
  lessThanADay: 'less than a day',
  aboutDays: (days: number) => (days === 1 ? 'about a day' : `about ${days} days`),
  moreThanTwoWeeks: 'more than two weeks',
  range: (from: string, to: string) => `${from} to ${to}`,
  unnamedParcel: (id: number) => `parcel ${id}`,
  onlyProbe: (parcel: string, probe: string) =>
    `${parcel} has one probe, ${probe}, which was used.`,
  understoodName: (text: string, name: string) => `${text} was understood as ${name}.`,
  skippedTime: (text: string, clock: string) =>
    `${text} does not exist, because the clocks go forward: ${clock} was used.`,
  repeatedTime: (text: string, clock: string) =>
    `${text} occurs twice that day, because the clocks go back: the first one was used, ${clock}.`,
  incompleteAnswer: (paths: readonly string[], more: number) => {
    const fields = paths.join(', ') + (more > 0 ? ` and ${more} more` : '');
    return `The service answered, but fields are missing that a summary needs${fields === '' ? '' : ` (${fields})`}: read the structured result.`;
  },
  undeclaredZone: (zone: string) =>
    `The company has no time zone, so times are in ${zone}: set timezone with set_company.`,
};

export const englishList = {
  nextPage: 'There are more: pass next_cursor as cursor.',
  total: (count: number) => `${count} in all.`,
};

export const englishQuestions = {
  flowRate: ({ name, isOfParcel }: { readonly name: string; readonly isOfParcel: boolean }) =>
    `The watering on ${name} is recorded. Its dose in mm is missing, because the ${isOfParcel ? 'equipment of its parcel' : 'equipment'} has no flow rate. ` +
    'How many mm of water per hour does it give, over the whole area? 1 mm/h is 1 litre per hour on each m2.',
  yes: 'Yes',
  flowRateTitle: 'Flow rate, mm/h',
  flowRateGiven: (flow: string) => `The person gave the flow rate: ${flow} mm/h.`,
  flowRateNotEntered: (flow: string, reason: string) =>
    `The person gave the flow rate, ${flow} mm/h, but it was not entered: ${reason}`,
  otherFlowRate: (flow: string) =>
    `the equipment has ${flow} mm/h by now. To change it, use correct_installation.`,
  changedSinceQuestion: 'the watering or its equipment was changed after the question.',
  answeredBefore:
    'This call was carried out before, with the first answer; nothing was changed now.',
  whichOne: (text: string) => `${text} can mean more than one. Which one is meant?`,
  wholeParcel: (parcel: string) => `all of ${parcel}`,
};

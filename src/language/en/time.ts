import { englishFormat } from './grammar.ts';

export const englishTime = {
  nearDays: new Map([
    [-1, 'yesterday'],
    [0, 'today'],
    [1, 'tomorrow'],
  ]),
  day: (day: number, month: number, year: number | null) =>
    `${day} ${englishFormat.months('short')[month - 1]}${year === null ? '' : ` ${year}`}`,
  instant: (day: string, clock: string) => `${day} ${clock}`,
  /** Tells the two hours apart that have the same clock times. */
  repeatedHour: ['summer time', 'winter time'] as readonly [first: string, second: string],
  withinDay: (day: string, from: string, to: string) => `${day} ${from} to ${to}`,
  acrossDays: (from: string, to: string) => `${from} to ${to}`,
  lessThanADay: 'less than a day',
  aboutDays: (days: number) => (days === 1 ? 'about a day' : `about ${days} days`),
  moreThanTwoWeeks: 'more than two weeks',
  range: (from: string, to: string) => `${from} to ${to}`,
};

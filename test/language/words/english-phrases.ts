import type { TimePhraseCases } from './time-phrase-cases.ts';

const WHICH_HOUR = /could be \d\d:\d\d or \d\d:\d\d/;
const NO_HOUR = /no hour given/;
const UNKNOWN = /not understood/;
const TO_COME = /still to come/;

/**
 * Times as English speakers say them, mostly as dictation writes them. 1 July 2026 is a Wednesday.
 */
export const ENGLISH_TIME_PHRASES: TimePhraseCases[] = [
  {
    zone: 'Europe/London',
    now: '2026-07-01T12:00+01:00',
    phrases: [
      ['uh, yesterday at like half past six', '2026-06-30T06:30+01:00'],
      ['um so yesterday, around half six', '2026-06-30T06:30+01:00'],
      ['half six yesterday evening', '2026-06-30T18:30+01:00'],
      ['half seven this morning', '2026-07-01T07:30+01:00'],
      ['yesterday at half two', WHICH_HOUR],
      ['yesterday at half two in the afternoon', '2026-06-30T14:30+01:00'],
      ['well, erm, twenty past five this morning', '2026-07-01T05:20+01:00'],
      ['yesterday at 6 o clock', '2026-06-30T06:00+01:00'],
      ['six oclock yesterday evening', '2026-06-30T18:00+01:00'],
      ['yesterday at 6.45', '2026-06-30T06:45+01:00'],
      ['yesterday at 6 30', '2026-06-30T06:30+01:00'],
      ['yesterday at oh six hundred', '2026-06-30T06:00+01:00'],
      ['0630 hours today', '2026-07-01T06:30+01:00'],
      ['yesterday at six forty-five pm', '2026-06-30T18:45+01:00'],
      ['Tuesday evening, about seven', '2026-06-30T19:00+01:00'],
      ['on the 28th of June at 6am', '2026-06-28T06:00+01:00'],
      ['last Saturday at seven in the morning', '2026-06-27T07:00+01:00'],
      ['last Monday at 7', '2026-06-29T07:00+01:00'],
      ['three quarters of an hour ago', '2026-07-01T11:15+01:00'],
      ['like twenty minutes ago', '2026-07-01T11:40+01:00'],
      ['an hour and a quarter ago', '2026-07-01T10:45+01:00'],
      ['in the morning at seven', '2026-07-01T07:00+01:00'],
      ['tomorrow at first light', UNKNOWN],
      ['this morning', NO_HOUR],
      ['in the evening', NO_HOUR],
      ['yesterday in the evening', NO_HOUR],
      ['around six', '2026-07-01T06:00+01:00'],
      ['around two', WHICH_HOUR],
      ['around noon', '2026-07-01T12:00+01:00'],
      ['around seven this evening', '2026-07-01T19:00+01:00'],
      ['a couple of hours ago', UNKNOWN],
      ['an hour or two ago', UNKNOWN],
      ['some time after lunch', UNKNOWN],
      ['sixish', UNKNOWN],
      ['maybe six or seven', UNKNOWN],
      ['between 6 and 7', UNKNOWN],
      ['the other day at 6', UNKNOWN],
      ['at 6 20 June', '2026-06-20T06:00+01:00'],
      ['at 6 10 days ago', '2026-06-21T06:00+01:00'],
      ['the 28th at 6', /month is missing/],
      ['28/6 at 6am', '2026-06-28T06:00+01:00'],
      ['on 22/6/2026 at 6:30', '2026-06-22T06:30+01:00'],
      ['5/6/2026 at 6am', /can be read two ways, 5 June 2026 or 6 May 2026: say which/],
      ['yesterday at 4:30', WHICH_HOUR],
      ['yesterday at 4.30', WHICH_HOUR],
      ['yesterday at 6 75', /75 alone is not an hour/],
      ['yesterday at 675', /not a time of day/],
      ['yesterday at twenty-five hundred hours', /not a time of day/],
      ['this Friday at 6am', /last or next/],
    ],
  },
  {
    zone: 'America/New_York',
    now: '2026-07-01T12:00-04:00',
    phrases: [
      ['yesterday at a quarter of seven', '2026-06-30T06:45-04:00'],
      ['yesterday 630pm', '2026-06-30T18:30-04:00'],
      ['yesterday at 6 30 pm', '2026-06-30T18:30-04:00'],
      ['yesterday at ten after six', '2026-06-30T06:10-04:00'],
      ['a quarter till seven this morning', '2026-07-01T06:45-04:00'],
      ['July 1st at 5:45 a.m.', '2026-07-01T05:45-04:00'],
      ['in half an hour', '2026-07-01T12:30-04:00'],
      ['tomorrow at 5 a.m. sharp', '2026-07-02T05:00-04:00'],
      ['yesterday at 12', WHICH_HOUR],
      ['six this evening', '2026-07-01T18:00-04:00'],
      ['at 6 pm', TO_COME],
      ['6/28 at 6am', '2026-06-28T06:00-04:00'],
      ['06/22/2026 4:30 pm', '2026-06-22T16:30-04:00'],
      ['6/5 at 6am', /can be read two ways, 6 May or 5 June: say which/],
    ],
  },
  {
    zone: 'America/New_York',
    now: '2026-07-01T21:30-04:00',
    phrases: [
      ['around six', /could be 06:00 or 18:00/],
      ['today at half past six', /could be 06:30 or 18:30/],
      ["nine o'clock", /could be 09:00 or 21:00/],
      ['six this morning', '2026-07-01T06:00-04:00'],
      ['six this evening', '2026-07-01T18:00-04:00'],
      ['today at 6 pm', '2026-07-01T18:00-04:00'],
    ],
  },
  // In the night to the 8th of March 02:00 becomes 03:00; in that to the 1st of November 02:00
  // becomes 01:00.
  {
    zone: 'America/New_York',
    now: '2026-03-08T08:00-04:00',
    phrases: [
      ['this morning at 2:30', '2026-03-08T03:30-04:00 gap'],
      ['last night at half past eleven', '2026-03-07T23:30-05:00'],
    ],
  },
  {
    zone: 'America/New_York',
    now: '2026-11-01T00:20-04:00',
    phrases: [
      ['yesterday at 11:50 pm', '2026-10-31T23:50-04:00'],
      ['today at 1:30 am', '2026-11-01T01:30-04:00 fold'],
      ['last night at 11', /either night/],
      ['this morning at 6', /either day/],
    ],
  },
  // In the night to the 4th of October 02:00 becomes 02:30; in that to the 5th of April 02:00
  // becomes 01:30.
  {
    zone: 'Australia/Lord_Howe',
    now: '2026-10-04T16:00+11:00',
    phrases: [
      ['this arvo at 3', '2026-10-04T15:00+11:00'],
      ['yesterday arvo, about half three', '2026-10-03T15:30+10:30'],
      ['today at 02:10', '2026-10-04T02:40+11:00 gap'],
      ['yesterday at half past four in the morning', '2026-10-03T04:30+10:30'],
    ],
  },
  {
    zone: 'Australia/Lord_Howe',
    now: '2026-04-05T07:00+10:30',
    phrases: [
      ['today at 01:40', '2026-04-05T01:40+11:00 fold'],
      ['yesterday arvo at quarter past two', '2026-04-04T14:15+11:00'],
    ],
  },
  {
    zone: 'Asia/Kolkata',
    now: '2026-01-01T00:10+05:30',
    phrases: [
      ['two hours back', '2025-12-31T22:10+05:30'],
      ['2 days back at 6 am', '2025-12-30T06:00+05:30'],
      ['yesterday night at 10', '2025-12-31T22:00+05:30'],
      ['yesterday evening at half past five', '2025-12-31T17:30+05:30'],
      ['today at 0:05', '2026-01-01T00:05+05:30'],
      ['last night at 10', /either night/],
    ],
  },
  {
    zone: 'Asia/Kolkata',
    now: '2026-02-28T23:55+05:30',
    phrases: [
      ['tomorrow at six in the morning', '2026-03-01T06:00+05:30'],
      ['this morning at 6', '2026-02-28T06:00+05:30'],
      ['29 February at 6 am', /the year is missing/],
    ],
  },
];

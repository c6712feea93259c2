import type { TimePhraseCases } from './time-phrase-cases.ts';

const WHICH_HOUR = /could be \d\d:\d\d or \d\d:\d\d/;
const NO_HOUR = /no hour given/;
const UNKNOWN = /not understood/;
const TO_COME = /still to come/;

/** Times as French speakers say them, mostly as dictation writes them. 1 July 2026 is a Wednesday. */
export const FRENCH_TIME_PHRASES: TimePhraseCases[] = [
  {
    zone: 'Europe/Paris',
    now: '2026-07-01T12:30+02:00',
    phrases: [
      ['euh ce matin vers 6 h 30', '2026-07-01T06:30+02:00'],
      ['ben, euh, hier vers six heures et demie', '2026-06-30T06:30+02:00'],
      ['alors hier matin à 7 heures moins le quart', '2026-06-30T06:45+02:00'],
      ['hier à six heures un quart', '2026-06-30T06:15+02:00'],
      ['hier à six heures et trois quarts', '2026-06-30T06:45+02:00'],
      ['hier à 6 heure', '2026-06-30T06:00+02:00'],
      ['aujourdhui a 6h', '2026-07-01T06:00+02:00'],
      ['avant hier soir à 21 h', '2026-06-29T21:00+02:00'],
      ['avant-hier soir à neuf heures', '2026-06-29T21:00+02:00'],
      ['lundi dernier à 7h', '2026-06-29T07:00+02:00'],
      ['lundi matin 7 heures', '2026-06-29T07:00+02:00'],
      ['dimanche soir vers 20h15', '2026-06-28T20:15+02:00'],
      ['samedi dernier à dix-huit heures quarante-cinq', '2026-06-27T18:45+02:00'],
      ['ce midi', '2026-07-01T12:00+02:00'],
      ['ce midi et demi', '2026-07-01T12:30+02:00'],
      ['hier à 6 heures 3 quarts', '2026-06-30T06:45+02:00'],
      ['à midi et demi', '2026-07-01T12:30+02:00'],
      ['hier à midi et quart', '2026-06-30T12:15+02:00'],
      ['hier à midi moins dix', '2026-06-30T11:50+02:00'],
      ['hier vers les dix-neuf heures', '2026-06-30T19:00+02:00'],
      ['6 h du mat', '2026-07-01T06:00+02:00'],
      ['hier aprem à 3 h', '2026-06-30T15:00+02:00'],
      ['cet aprem à 4h', '2026-07-01T16:00+02:00'],
      ['hier au soir à 8 heures', '2026-06-30T20:00+02:00'],
      ['ce soir à huit heures et demie', '2026-07-01T20:30+02:00'],
      ['hier à six heures pile', '2026-06-30T06:00+02:00'],
      ['hier à six heures tapantes', '2026-06-30T06:00+02:00'],
      ['ça fait une heure', '2026-07-01T11:30+02:00'],
      ['ça fait à peu près vingt minutes', '2026-07-01T12:10+02:00'],
      ['il y a une demie heure', '2026-07-01T12:00+02:00'],
      ['il y a une heure et quart', '2026-07-01T11:15+02:00'],
      ['il y a une heure vingt', '2026-07-01T11:10+02:00'],
      ['dans trois quarts d’heure', '2026-07-01T13:15+02:00'],
      ['demain matin à 5 h 15', '2026-07-02T05:15+02:00'],
      ['le 28 juin à 6 heures', '2026-06-28T06:00+02:00'],
      ['le premier juillet à 6h', '2026-07-01T06:00+02:00'],
      ['la semaine dernière à 6h', UNKNOWN],
      ['ce matin', NO_HOUR],
      ['hier dans la soirée', NO_HOUR],
      ['en fin de journée', UNKNOWN],
      ['tôt ce matin', NO_HOUR],
      ['tantôt à 3h', UNKNOWN],
      ['vers 2h', WHICH_HOUR],
      ['hier à une heure et demie', WHICH_HOUR],
      ['vers 18h', TO_COME],
      ['hier entre 6h et 7h', UNKNOWN],
      ['hier vers 6 ou 7 heures', UNKNOWN],
      ['peut-être hier à 6h', UNKNOWN],
      ['il y a quelques minutes', UNKNOWN],
      ['il y a une bonne heure', UNKNOWN],
      ['cette nuit à 3h', /past one or the coming one/],
      ['minuit', /midnight could be/],
      ['le 28 à 6h', /28 alone is not an hour/],
      ['28/06 à 6h', /can be read two ways/],
      ['il y a quinze jours à 6h', /days or whole weeks/],
      ['il y a 1h75', /do not go together/],
      ['hier à 6h60', /not a time of day/],
    ],
  },
  // In the night to the 29th of March 02:00 becomes 03:00; in that to the 25th of October 03:00 becomes 02:00.
  {
    zone: 'Europe/Paris',
    now: '2026-03-29T09:00+02:00',
    phrases: [
      ['ce matin à deux heures et demie', '2026-03-29T03:30+02:00 gap'],
      ['il y a sept heures', '2026-03-29T01:00+01:00'],
    ],
  },
  {
    zone: 'Europe/Paris',
    now: '2026-10-25T00:15+02:00',
    phrases: [
      ['hier soir à 23 h 50', '2026-10-24T23:50+02:00'],
      ["aujourd'hui à 02h30", '2026-10-25T02:30+02:00 fold'],
      ['ce matin à 7h', /either day/],
    ],
  },
  {
    zone: 'America/Toronto',
    now: '2026-07-01T21:30-04:00',
    phrases: [
      ['à 7h moins quart à matin', '2026-07-01T06:45-04:00'],
      ['ce matin à sept heures moins quart', '2026-07-01T06:45-04:00'],
      ['ce soir à 8 h et quart', '2026-07-01T20:15-04:00'],
      ['vers six heures', /could be 06:00 or 18:00/],
      ['vers six heures du soir', '2026-07-01T18:00-04:00'],
    ],
  },
  {
    zone: 'Indian/Reunion',
    now: '2026-12-31T23:50+04:00',
    phrases: [
      ['dans un quart d’heure', '2027-01-01T00:05+04:00'],
      ['mercredi à 6h', '2026-12-30T06:00+04:00'],
      ['le 1er janvier à 6h', '2027-01-01T06:00+04:00'],
    ],
  },
  {
    zone: 'Africa/Casablanca',
    now: '2026-07-01T06:00+01:00',
    phrases: [
      ['hier à seize heures quinze', '2026-06-30T16:15+01:00'],
      ['hier à 5 h moins vingt', /could be 04:40 or 16:40/],
    ],
  },
];

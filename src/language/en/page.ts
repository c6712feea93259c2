import type { Need } from '../../domain/advice/farm/need.ts';
import type { WitnessKind } from '../../domain/advice/witness/witness.ts';
import type { IrrigationWarning } from '../../domain/irrigation/dose.ts';
import type { ReviewedWateringBody } from '../../schema/advice/review.ts';
import type { WateringStatus } from '../../schema/irrigation/watering.ts';
import { englishCount } from './grammar.ts';

const NEEDS: Readonly<Record<Need, string>> = {
  stress: 'under stress',
  water: 'water today',
  firing: 'alert',
  soon: 'stress soon',
  doubt: 'check first',
  recheck: 'check first',
  silent: 'no data',
  comfort: 'in comfort',
  unjudged: 'no level to judge by',
  saturated: 'very wet',
};

const WARNINGS: Readonly<Record<IrrigationWarning, string>> = {
  NO_INSTALLATION: 'The equipment of that day is not known.',
  MISSING_FLOW_RATE: 'The application rate of the equipment is not known.',
  MISSING_IRRIGATED_AREA: 'The irrigated area is not known.',
  DEFAULT_FRACTION_WETTED: 'The wetted fraction is the usual one of such equipment.',
};

/** An error, for a person who has no other tool than the page. */
type ErrorWords = readonly [what: string, todo: string];

const INVALID_AMOUNT: ErrorWords = [
  'That is no amount of water.',
  'Check the figure and its unit.',
];

const ERRORS: Readonly<Record<string, ErrorWords>> = {
  NO_ANSWER: ['The service does not answer.', 'Check your connection, then try again.'],
  unauthenticated: [
    'You are not signed in.',
    'Open your sign-in link, or ask an owner for a new one.',
  ],
  insufficient_role: ['You may look, but not change anything.', 'Ask an owner or manager.'],
  insufficient_scope: ['You may not do this.', 'Ask an owner.'],
  rate_limited: ['Too many requests.', 'Wait a minute, then try again.'],
  STORE_UNAVAILABLE: ['The service is busy.', 'Try again in a moment.'],
  not_found: ['It no longer exists.', 'Go back to the farm.'],
  CHANGE_NOT_UNDOABLE: [
    'This cannot be undone: something has changed since.',
    'Look at the probe, and correct it there.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    'Your first try was recorded after all.',
    'Look at the probe before you log another.',
  ],
  INVALID_STARTED_AT: ['A watering cannot start then.', 'Check the day and the year.'],
  INVALID_DURATION: ['A watering lasts 1 minute to 31 days.', 'Give whole minutes.'],
  INVALID_DEPTH: INVALID_AMOUNT,
  INVALID_VOLUME: INVALID_AMOUNT,
  INVALID_TARGET: ['This parcel has no probe to log on.', 'Choose another one.'],
};

/** A watering that a person confirmed has no words. */
const SEEN_BY: { readonly [kind in Exclude<WitnessKind, 'confirmed'> | 'otherProbe']: string } & {
  readonly confirmed?: string;
} = {
  probe: 'seen by a probe',
  otherProbe: 'seen by another probe',
  assumed: 'assumed',
  unconfirmed: 'unconfirmed',
};

const OTHER_ERROR: ErrorWords = ['That did not work.', 'Try again, or show this to an owner:'];

const RESPONSES: Record<
  Exclude<ReviewedWateringBody['response'], 'full_soil' | 'too_light' | 'other_water'>,
  string
> = {
  reached: 'reached the root zone',
  below_roots: 'reached below the roots',
  no_response: 'showed no response',
  too_early: 'too recent to judge',
  no_data: 'without data',
};

export const englishPage = {
  farm: 'Farm',
  loading: 'Loading…',
  retry: 'Try again',
  close: 'Close',
  back: 'Back',
  needs: NEEDS,
  responses: RESPONSES,
  errors: ERRORS,
  otherError: OTHER_ERROR,
  missingPage: 'Nothing here.',
  probes: (count: number) => englishCount(count, 'probe'),
  stations: (count: number) => englishCount(count, 'weather station'),
  needWater: (count: number) => `${count} ${count === 1 ? 'needs' : 'need'} water`,
  noProbes: 'No probes yet: add them with your assistant.',
  search: 'Search',
  searchLabel: 'Search probes and parcels',
  order: 'Order',
  byNeed: 'By need',
  byParcel: 'By parcel',
  noParcel: 'Without a parcel',
  found: (count: number) =>
    count === 0 ? 'Nothing found.' : `${englishCount(count, 'probe')} found.`,
  moisture: 'Soil moisture',
  tension: 'Soil tension',
  noValue: 'no value',
  stressIn: (days: string) => `stress in ${days}`,
  seenBy: SEEN_BY,
  watered: (at: string) => `watered ${at}`,
  neverWatered: 'no watering logged',
  ago: (age: string) => `${age} ago`,
  week: (low: string, high: string, unit: string) => `Last 7 days: ${low} to ${high} ${unit}`,
  toConfirm: (count: number) =>
    count === 1 ? 'Did this watering run?' : `Did these ${count} waterings run?`,
  ran: 'It ran',
  skip: 'It did not',
  confirmed: 'Confirmed.',
  skipped: 'Noted: it did not run.',
  undo: 'Undo',
  undone: 'Undone.',
  depths: 'By depth',
  waterings: 'Waterings',
  last: 'Last',
  next: 'Next planned',
  none: 'none',
  unknownDose: 'dose unknown',
  wetted: (water: string, fraction: string) => `${water} in the wetted zone (${fraction})`,
  log: 'Log a watering',
  review: 'What each watering did',
  where: 'Where',
  wholeParcel: (parcel: string, probes: number) =>
    `All of ${parcel} (${englishCount(probes, 'probe')})`,
  choose: 'Choose a probe or parcel',
  when: 'Start',
  localTime: (zone: string) => `Time of the farm (${zone})`,
  amount: 'How much',
  minutes: 'Minutes',
  wholeArea: 'over the whole area',
  dose: 'Dose',
  preview: 'The dose appears here.',
  amountFaults: {
    grouped: 'Write it without a separator for thousands: 1000, or 1.5.',
    tooLittle: 'It must be more than 0.',
    unreadable: 'Enter only a number, such as 40 or 1.5.',
  },
  onEach: (count: number) => `on each of ${englishCount(count, 'probe')}`,
  willBe: {
    done: 'It will be logged as done.',
    planned: 'It will be logged as planned.',
    skipped: '',
  },
  overlaps: (at: string) => `Careful: a watering is already logged then, ${at}.`,
  skippedHour: 'That time does not exist: the clocks go forward then.',
  warnings: WARNINGS,
  save: 'Log it',
  saving: 'Saving…',
  saved: { done: 'Logged', planned: 'Planned', skipped: 'Skipped' } satisfies Record<
    WateringStatus,
    string
  >,
  cancel: 'Cancel',
  readOnly: 'You can look, and change nothing.',
  noReviewed: 'No watering is logged as done in this time.',
  reachedDepth: (depth: string) => `down to ${depth}`,
  gained: (water: string) => `the soil gained ${water}`,
  unlogged: 'The soil became wetter, and no watering is logged',
  doubted: {
    unseen: 'No depth showed the last waterings. Check that the water arrives at the probe.',
    shifted:
      'The soil became wetter on other days than logged. Either these days are wrong, or the probe gets the water of another valve.',
    early: (hours: number) =>
      `The soil became wetter some ${hours} h before each logged start. Either these times are wrong, or the probe gets the water of another valve.`,
    exchanged: (probe: string) =>
      `This probe shows the waterings of ${probe}, and ${probe} those of this one. Find out which stands where, and leave the log as it is unless both stand in the right block.`,
  },
  likely: { watering: 'probably a watering', rain: 'rain', unknown: 'a watering or rain' },
  refreshed: (at: string) => `as of ${at}`,
};

/** Texts of the page that a sign-in link opens. */
export const englishSignIn = {
  title: 'Sign in to Acequia',
  whom: (person: string, farm: string) =>
    `You sign in as ${person} at the farm ${farm}. If that is not you, or not your farm, close this page.`,
  lead: 'You stay signed in on this device for 90 days. The link works only once.',
  button: 'Sign in',
  refused: 'This link was already used, has expired, or is not complete. Ask for a new one.',
  failed: 'The service does not answer. Check the connection and try again.',
  noScript: 'This page needs JavaScript.',
};

/** Texts of the live page about the device on which it is open. */
export const englishThisDevice = {
  offline: (ago: string) => `No connection. What you see is from ${ago}.`,
  signedIn: (email: string) => `Signed in as ${email}`,
  signOut: 'Sign out',
  notify: 'Notify me of alerts on this device',
  blocked: 'Notifications are blocked: allow them in the settings of the browser.',
  failed: 'That did not work. Try again when there is a connection.',
};

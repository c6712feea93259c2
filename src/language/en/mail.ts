import type { DoubtWithCheck } from '../../domain/advice/lasting-doubts.ts';
import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import { englishFormat } from './grammar.ts';
import { englishTime } from './time.ts';

const NOTHING_TO_DO = 'There is nothing to do; the alert stays active.';

/** What the messages of a kind of alert say of the value that it watches. */
interface KindPhrases {
  /** The name of the value. */
  readonly value: string;
  readonly fired: {
    subject(name: string, value: string, limit: string): string;
    lead(probe: string, limit: string, isBelow: boolean): string;
    readonly advice: string;
  };
  readonly reminder: {
    subject(day: number, name: string, value: string, limit: string): string;
    readonly advice: string;
  };
  readonly stale: {
    lead(probe: string, since: string | null): string;
    readonly advice: string;
  };
  reached(probe: string, resolveAt: string): string;
}

const KINDS: Readonly<Record<AlertKind, KindPhrases>> = {
  moisture: {
    value: 'Moisture',
    fired: {
      subject: (name, value, limit) => `Dry soil: ${name}${value}, threshold ${limit}`,
      lead: (probe, limit, isBelow) =>
        `Moisture at ${probe} ${isBelow ? 'is' : 'fell'} below ${limit}.`,
      advice: 'Look at the plants and the soil there, water if they need it, and log the watering.',
    },
    reminder: {
      subject: (day, name, value, limit) =>
        `Still dry, day ${day}: ${name}${value}, threshold ${limit}`,
      advice:
        'Water if the plants need it, and log the watering; or change the threshold if it is set too high.',
    },
    stale: {
      lead: (probe, since) =>
        `${probe} has sent no moisture${since === null ? '' : ` since ${since}`}, so its alert can neither fire nor resolve until it sends again.`,
      advice:
        'Check the probe and its gateway (power, place, network), and look at the soil in the meantime.',
    },
    reached: (probe, resolveAt) =>
      `Moisture at ${probe} has reached ${resolveAt}: the alert has resolved.`,
  },
};

/** What to check where no sensor is suspect by itself. */
const DOUBT_STEPS: Readonly<Record<DoubtWithCheck, string>> = {
  NO_RESPONSE:
    'Check that the water arrives (valve, filter, emitters), and that the probe stands in the soil that it wets.',
  DEPTHS_JUMPED:
    'Check the plug, the cable and the power of the probe, and look at the soil; if water came, log it.',
  MOSTLY_SILENT: 'Check the sensors that send nothing: their cables, plugs and power.',
  DRY_BY_BALANCE:
    'See whether all waterings and rain are logged, then whether its equipment and crop are right, and then check the probe.',
  TOO_WET: 'Look for a leak, a low spot or salt, and whether the roots lack air.',
  ROOTS_NOT_MEASURED: 'Check its root depth and the depths of its sensors.',
  SOIL_IN_DOUBT:
    'Check the texture of its parcel, and look for standing water; if the texture is right, draw the field capacity.',
  FIELD_CAPACITY_IN_DOUBT:
    'Check the line of field capacity and the soil profile; confirm the line if it is right.',
  TENSION_AT_LIMIT:
    'Check the tensiometer (water, cup, contact with the soil), and look at the soil.',
  TENSION_AT_ZERO:
    'Check the tensiometer (water, cup, contact with the soil), and look at the soil.',
  TENSION_FELL: 'Check the tensiometer (water, cup, contact with the soil), and look at the soil.',
  WILTING_POINT_IN_DOUBT:
    'Check the line of the wilting point and the soil profile; confirm the line if it is right.',
};

export const englishMail = {
  format: {
    number: englishFormat.number,
    day: (day: number, month: number, year: number | null) =>
      `${day} ${englishFormat.months('long')[month - 1]}${year === null ? '' : ` ${year}`}`,
    dateTimeSeparator: ', ',
    repeatedHour: englishTime.repeatedHour,
    units: { days: 'days', hour: 'h', minute: 'min' },
  },
  colon: ': ',
  andOthers: (subject: string, count: number) =>
    `${subject}, and ${count} more message${count === 1 ? '' : 's'}`,
  newestValue: (value: string) => ` at ${value}`,
  kinds: KINDS,
  firingFor: (probe: string, duration: string) =>
    `The alert of ${probe} has been firing for ${duration}.`,
  aboveThreshold: (limit: string, resolveAt: string) =>
    `It is above ${limit} again, and below the ${resolveAt} at which the alert resolves.`,
  lateThreshold: (stressPoint: string) =>
    `Plants there begin to suffer at ${stressPoint}, which is above this threshold.`,
  unknownState: 'The current state is unknown.',
  oldValue: (age: string) => `Its newest value is ${age} old, too old to show the current state.`,
  noData: {
    subject: (name: string, age: string | null) =>
      `No data from ${name}${age === null ? '' : ` for ${age}`}: its alert cannot work`,
    wasFiring: 'It was firing, and still counts as firing.',
    wasQuiet: 'It was quiet.',
  },
  reached: {
    subject: (name: string, value: string) => `Resolved: ${name}${value}`,
    advice: NOTHING_TO_DO,
  },
  ruleChanged: {
    subject: (name: string) => `Resolved: the threshold of ${name} was changed`,
    lead: (probe: string) =>
      `The alert of ${probe} no longer fires, because its threshold or hysteresis was changed.`,
    advice: 'If you did not expect this change, ask the person who manages the alert.',
  },
  corrected: {
    subject: (name: string, value: string) => `Withdrawn: the alert of ${name}${value}`,
    lead: (probe: string) => `The alert of ${probe} does not fire after all.`,
    cause: 'Readings that came late, or were corrected, show other values than those it fired on.',
    advice: NOTHING_TO_DO,
  },
  lasted: (duration: string, lowest: string | null) =>
    `It fired for ${duration}${lowest === null ? '' : `, with ${lowest} at the lowest`}.`,
  noValue: 'no value',
  reading: (value: string, at: string, age: string) => `${value} on ${at}, ${age} ago`,
  threshold: 'Threshold',
  limits: (limit: string, resolveAt: string) => `below ${limit}; resolves at ${resolveAt} or above`,
  lowSince: 'Moisture low since',
  since: (at: string) => at,
  lowestSince: 'Lowest since',
  stressPoint: 'Plants begin to suffer at',
  fieldCapacity: { label: 'Field capacity', undeclared: 'not declared' },
  wiltingPoint: { label: 'Wilting point', undeclared: 'not declared' },
  basis: { annotation: 'the line drawn on the curve', soil_profile: 'the soil of the parcel' },
  waterings: {
    title: 'Last waterings',
    none: 'None recorded.',
    noDose: 'dose unknown',
    unconfirmed: 'unconfirmed',
  },
  doubt: {
    subject: (name: string, check: string) => `Check ${name}: ${check}`,
    lead: (probe: string, since: string, check: string) =>
      `What ${probe} shows has been in doubt since ${since}: ${check}.`,
    steps: DOUBT_STEPS,
    meanwhile: {
      tooWet: 'Until you have looked at the soil, give no more water there.',
      look: 'Until then, look at the soil before you water there.',
      noWater: (probe: string | null) =>
        probe === null
          ? 'For now, it needs no water by the water balance.'
          : `For now, give no water: ${probe}, on the same valve, needs none yet.`,
      byProbe: (probe: string, amount: string) =>
        `Until then, give what ${probe} on the same valve needs: ${amount}.`,
      byBalance: (amount: string) => `Until then, give what the water balance says: ${amount}.`,
      asBefore: (amount: string, isUnconfirmed: boolean) =>
        `Until then, go on as in the last 14 days: ${amount} a week${isUnconfirmed ? ', if all of that ran' : ''}.`,
    },
    footer: (zone: string, company: string) =>
      `Days are local (${zone}). Acequia writes once about each doubt at ${company}, to those who get the alerts of the probe, or else to the owner.`,
  },
  footer: (zone: string, company: string) =>
    `Times are local (${zone}). Acequia writes to you because you are a recipient of this alert of ${company}; the person who manages it can disable it.`,
};

export type MailPhrases = typeof englishMail;

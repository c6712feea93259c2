import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import { type Sayable, say } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { englishFormat } from './grammar.ts';
import { englishTime } from './time.ts';

const NOTHING_TO_DO = say`There is nothing to do; the alert stays active.`;

/** The phrases for messages of a kind of alert about the value that it watches. */
interface KindPhrases {
  /** The name of the value. */
  readonly value: Text;
  readonly fired: {
    subject(name: Name, value: Sayable, limit: Sayable): Text;
    lead(probe: Text, limit: Sayable, isBelow: boolean): Text;
    readonly advice: Text;
  };
  readonly reminder: {
    subject(day: number, name: Name, value: Sayable, limit: Sayable): Text;
    readonly advice: Text;
  };
  readonly stale: {
    lead(probe: Text, since: Sayable): Text;
    readonly advice: Text;
  };
  reached(probe: Text, resolveAt: Sayable): Text;
}

const KINDS: Readonly<Record<AlertKind, KindPhrases>> = {
  moisture: {
    value: say`Moisture`,
    fired: {
      subject: (name, value, limit) => say`Dry soil: ${name}${value}, threshold ${limit}`,
      lead: (probe, limit, isBelow) =>
        say`Moisture at ${probe} ${isBelow ? say`is` : say`fell`} below ${limit}.`,
      advice: say`Look at the plants and the soil there, water if they need it, and log the watering.`,
    },
    reminder: {
      subject: (day, name, value, limit) =>
        say`Still dry, day ${day}: ${name}${value}, threshold ${limit}`,
      advice: say`Water if the plants need it, and log the watering; or change the threshold if it is set too high.`,
    },
    stale: {
      lead: (probe, since) =>
        say`${probe} has sent no moisture${since === null ? null : say` since ${since}`}, so its alert can neither fire nor resolve until it sends again.`,
      advice: say`Check the probe and its gateway (power, place, network), and look at the soil in the meantime.`,
    },
    reached: (probe, resolveAt) =>
      say`Moisture at ${probe} has reached ${resolveAt}: the alert has resolved.`,
  },
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
  colon: say`: `,
  andOthers: (subject: string, count: number) =>
    `${subject}, and ${count} more message${count === 1 ? '' : 's'}`,
  newestValue: (value: Sayable) => say` at ${value}`,
  kinds: KINDS,
  firingFor: (probe: Text, duration: Sayable) =>
    say`The alert of ${probe} has been firing for ${duration}.`,
  aboveThreshold: (limit: Sayable, resolveAt: Sayable) =>
    say`It is above ${limit} again, and below the ${resolveAt} at which the alert resolves.`,
  lateThreshold: (stressPoint: Sayable) =>
    say`Plants there begin to suffer at ${stressPoint}, which is above this threshold.`,
  unknownState: say`The current state is unknown.`,
  oldValue: (age: Sayable) =>
    say`Its newest value is ${age} old, too old to show the current state.`,
  noData: {
    subject: (name: Name, age: Sayable) =>
      say`No data from ${name}${age === null ? null : say` for ${age}`}: its alert cannot work`,
    wasFiring: say`It was firing, and still counts as firing.`,
    wasQuiet: say`It was quiet.`,
  },
  reached: {
    subject: (name: Name, value: Sayable) => say`Resolved: ${name}${value}`,
    advice: NOTHING_TO_DO,
  },
  ruleChanged: {
    subject: (name: Name) => say`Resolved: the threshold of ${name} was changed`,
    lead: (probe: Text) =>
      say`The alert of ${probe} no longer fires, because its threshold or hysteresis was changed.`,
    advice: say`If you did not expect this change, ask the person who manages the alert.`,
  },
  corrected: {
    subject: (name: Name, value: Sayable) => say`Withdrawn: the alert of ${name}${value}`,
    lead: (probe: Text) => say`The alert of ${probe} does not fire after all.`,
    cause: say`Readings that came late, or were corrected, show other values than those it fired on.`,
    advice: NOTHING_TO_DO,
  },
  lasted: (duration: Sayable, lowest: Sayable) =>
    say`It fired for ${duration}${lowest === null ? null : say`, with ${lowest} at the lowest`}.`,
  noValue: say`no value`,
  reading: (value: Sayable, at: Sayable, age: Sayable) => say`${value} on ${at}, ${age} ago`,
  threshold: say`Threshold`,
  limits: (limit: Sayable, resolveAt: Sayable) =>
    say`below ${limit}; resolves at ${resolveAt} or above`,
  lowSince: say`Moisture low since`,
  since: (at: Sayable) => say`${at}`,
  lowestSince: say`Lowest since`,
  stressPoint: say`Plants begin to suffer at`,
  fieldCapacity: { label: say`Field capacity`, undeclared: say`not declared` },
  wiltingPoint: { label: say`Wilting point`, undeclared: say`not declared` },
  basis: {
    annotation: say`the line drawn on the curve`,
    soil_profile: say`the soil of the parcel`,
  },
  waterings: {
    title: say`Last waterings`,
    none: say`None recorded.`,
    noDose: say`dose unknown`,
    unconfirmed: say`unconfirmed`,
  },
  footer: (zone: Sayable, company: Name) =>
    say`Times are local (${zone}). Acequia writes to you because you are a recipient of this alert of ${company}; the person who manages it can disable it.`,
};

export type MailPhrases = typeof englishMail;

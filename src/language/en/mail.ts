import type { DoubtWithCheck } from '../../domain/advice/lasting-doubts.ts';
import type { AlertKind } from '../../domain/alerts/alert-kinds.ts';
import { type Sayable, say } from '../../domain/text/say.ts';
import type { Name, Text } from '../../domain/text/text.ts';
import { englishFormat } from './grammar.ts';
import { englishTime } from './time.ts';

const NOTHING_TO_DO = say`There is nothing to do; the alert stays active.`;

/** What the messages of a kind of alert say of the value that it watches. */
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

/** What to check where no sensor is suspect by itself. */
const DOUBT_STEPS: Readonly<Record<DoubtWithCheck, Text>> = {
  NO_RESPONSE: say`Check that the water arrives (valve, filter, emitters), and that the probe stands in the soil that it wets.`,
  DEPTHS_JUMPED: say`Check the plug, the cable and the power of the probe, and look at the soil; if water came, log it.`,
  MOSTLY_SILENT: say`Check the sensors that send nothing: their cables, plugs and power.`,
  DRY_BY_BALANCE: say`See whether all waterings and rain are logged, then whether its equipment and crop are right, and then check the probe.`,
  TOO_WET: say`Look for a leak, a low spot or salt, and whether the roots lack air.`,
  ROOTS_NOT_MEASURED: say`Check its root depth and the depths of its sensors.`,
  SOIL_IN_DOUBT: say`Check the texture of its parcel, and look for standing water; if the texture is right, draw the field capacity.`,
  FIELD_CAPACITY_IN_DOUBT: say`Check the line of field capacity and the soil profile; confirm the line if it is right.`,
  TENSION_AT_LIMIT: say`Check the tensiometer (water, cup, contact with the soil), and look at the soil.`,
  TENSION_AT_ZERO: say`Check the tensiometer (water, cup, contact with the soil), and look at the soil.`,
  TENSION_FELL: say`Check the tensiometer (water, cup, contact with the soil), and look at the soil.`,
  WILTING_POINT_IN_DOUBT: say`Check the line of the wilting point and the soil profile; confirm the line if it is right.`,
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
  doubt: {
    subject: (name: Name, check: Sayable) => say`Check ${name}: ${check}`,
    lead: (probe: Text, since: Sayable, check: Sayable) =>
      say`What ${probe} shows has been in doubt since ${since}: ${check}.`,
    steps: DOUBT_STEPS,
    meanwhile: {
      tooWet: say`Until you have looked at the soil, give no more water there.`,
      look: say`Until then, look at the soil before you water there.`,
      noWater: (probe: Text | null) =>
        probe === null
          ? say`For now, it needs no water by the water balance.`
          : say`For now, give no water: ${probe}, on the same valve, needs none yet.`,
      byProbe: (probe: Text, amount: Sayable) =>
        say`Until then, give what ${probe} on the same valve needs: ${amount}.`,
      byBalance: (amount: Sayable) => say`Until then, give what the water balance says: ${amount}.`,
      asBefore: (amount: Sayable, isUnconfirmed: boolean) =>
        say`Until then, go on as in the last 14 days: ${amount} a week${isUnconfirmed ? say`, if all of that ran` : null}.`,
    },
    footer: (zone: Sayable, company: Name) =>
      say`Days are local (${zone}). Acequia writes once about each doubt at ${company}, to those who get the alerts of the probe, or else to the owner.`,
  },
  footer: (zone: Sayable, company: Name) =>
    say`Times are local (${zone}). Acequia writes to you because you are a recipient of this alert of ${company}; the person who manages it can disable it.`,
};

export type MailPhrases = typeof englishMail;

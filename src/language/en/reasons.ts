import type { DoubtReason } from '../../domain/advice/lasting-doubts.ts';
import type { PageReason } from '../../domain/advice/reason-kinds.ts';
import type { QualityFlag } from '../../domain/moisture/quality-flags.ts';
import { type Sayable, say } from '../../domain/text/say.ts';
import type { Duration, Figures, List, Name, Text } from '../../domain/text/text.ts';

interface DoubtFigures {
  /** In %, or in points for a noisy sensor. */
  readonly limit: Figures | null;
  readonly age: Duration | null;
}

interface CheckPhrases {
  /** After the name of the probe or "check first": what to check, or to say, before watering. */
  readonly check: Text;
}

interface DoubtPhrases extends CheckPhrases {
  /** The steps to take about a doubt that lasts. */
  readonly steps: Text;
}

interface SensorPhrases extends CheckPhrases {
  readings(readings: List, figures: DoubtFigures): Text;
  /** With what the sensors read. */
  steps(readings: Text): Text;
}

type PhrasesOf<Kind extends PageReason> = Kind extends QualityFlag
  ? SensorPhrases
  : Kind extends DoubtReason
    ? DoubtPhrases
    : CheckPhrases;

export type ReasonPhrases = { readonly [Kind in PageReason]: PhrasesOf<Kind> };

export const englishReasons: ReasonPhrases = {
  REST_UNKNOWN: { check: say`is its crop at rest? See its settings` },
  RIPE: { check: say`ripe or harvested? Enter the harvest or the stage` },
  ROOF_UNKNOWN: { check: say`is it under a roof? See its type` },
  TENSION_AT_ZERO: {
    check: say`stands at 0 kPa`,
    steps: say`Check the tensiometer (water, cup, contact with the soil), and look at the soil.`,
  },
  TENSION_AT_LIMIT: {
    check: say`stands at its dry limit`,
    steps: say`Check the tensiometer (water, cup, contact with the soil), and look at the soil.`,
  },
  TENSION_FELL: {
    check: say`fell from dry to wet, no water recorded`,
    steps: say`Check the tensiometer (water, cup, contact with the soil), and look at the soil.`,
  },
  DEPTHS_JUMPED: {
    check: say`all its depths rose at once, no water recorded`,
    steps: say`Check the plug, the cable and the power of the probe, and look at the soil; if water came, log it.`,
  },
  MOSTLY_SILENT: {
    check: say`some of its sensors are silent`,
    steps: say`Check the sensors that send nothing: their cables, plugs and power.`,
  },
  NEW_PROBE: { check: say`new: the soil around it settles` },
  ROOTS_NOT_MEASURED: {
    check: say`no sensor shows its roots`,
    steps: say`Check its root depth and the depths of its sensors.`,
  },
  SOIL_IN_DOUBT: {
    check: say`wetter than its texture explains`,
    steps: say`Check the texture of its parcel, and look for standing water; if the texture is right, draw the field capacity.`,
  },
  BY_BALANCE: { check: say`silent, dry by the water balance` },
  DRY_BY_BALANCE: {
    check: say`dry by the water balance, not by its readings`,
    steps: say`See whether all waterings and rain are logged, then whether its equipment and crop are right, and then check the probe.`,
  },
  TOP_FROZEN: { check: say`its topsoil is frozen: wait for the thaw` },
  NO_RESPONSE: {
    check: say`showed none of the last waterings`,
    steps: say`Check that the water arrives (valve, filter, emitters), and that the probe stands in the soil that it wets.`,
  },
  TOO_WET: {
    check: say`wet for days although no water came`,
    steps: say`Look for a leak, a low spot or salt, and whether the roots lack air.`,
  },
  DEPTHS_EXCHANGED: {
    check: say`its deepest sensor is the first to dry`,
    steps: say`Check which of its sensors stands at which depth: their depths look exchanged.`,
  },
  PROBES_EXCHANGED: {
    check: say`shows the waterings of another probe`,
    steps: say`Find out which of the two stands where before you water by either. Leave the log of the waterings as it is unless both stand in the right block.`,
  },
  LOG_SHIFTED: {
    check: say`are the logged days of its waterings right, or is it on another valve?`,
  },
  UNCONFIRMED_WATERING: { check: say`did the planned watering run?` },
  RECENT_WATERING: { check: say`a recent watering may be soaking in` },
  FIELD_CAPACITY_IN_DOUBT: {
    check: say`its drawn field capacity does not fit the soil`,
    steps: say`Check the line of field capacity and the soil profile; confirm the line if it is right.`,
  },
  WILTING_POINT_IN_DOUBT: {
    check: say`its drawn wilting point does not fit the soil`,
    steps: say`Check the line of the wilting point and the soil profile; confirm the line if it is right.`,
  },
  FLOW_RATE_IN_DOUBT: { check: say`is its application rate right?` },
  TOO_DRY_FOR_SOIL: {
    check: say`a sensor reads too dry for the soil`,
    readings: (readings, { limit }) => say`${readings}, where its soil keeps at least ${limit} %`,
    steps: (values) =>
      say`The probe reads ${values}: check the sensor, its contact with the soil and the soil profile before you rely on it.`,
  },
  TOO_WET_FOR_SOIL: {
    check: say`a sensor reads too wet for the soil`,
    readings: (readings, { limit }) => say`${readings}, where its soil holds at most ${limit} %`,
    steps: (values) =>
      say`The probe reads ${values}: check the sensor, its cable and the soil profile before you rely on it.`,
  },
  SENSOR_FELL: {
    check: say`a sensor fell suddenly`,
    readings: (readings, { limit, age }) => say`${readings}, fallen from ${limit} % ${age} ago`,
    steps: (values) =>
      say`The probe reads ${values}, faster than its soil can dry: see whether the sensor still stands firmly in the soil, and check its cable before you rely on it.`,
  },
  SENSOR_NOISY: {
    check: say`a sensor is noisy`,
    readings: (readings, { limit }) =>
      say`${readings}, with values that stray by ${limit} points from hour to hour`,
    steps: (values) =>
      say`The probe reads ${values}: check its cable, its plugs and its power before you rely on it.`,
  },
  SENSOR_DRIFTS: {
    check: say`a sensor drifts`,
    readings: (readings, { limit, age }) =>
      say`${readings}, up from ${limit} % in ${age} without water`,
    steps: (values) =>
      say`The probe reads ${values} and without another depth losing as much: check the sensor, and look at the soil before you rely on it.`,
  },
  SENSOR_STUCK: {
    check: say`a sensor is stuck`,
    readings: (readings, { age }) => say`exactly ${readings} for ${age}`,
    steps: (values) =>
      say`The probe has read ${values}: check the sensor and its cable, and look at the soil before you rely on it.`,
  },
  DEEP_ROOTS_NOT_MEASURED: {
    check: say`its roots go far below its sensors`,
    steps: say`Look at the soil below its deepest sensor with an auger, then put a sensor there, or correct its root depth.`,
  },
  ROOTS_TOO_DEEP: { check: say`are its roots that deep?` },
};

export const englishSuspectReadings = {
  reading: (value: Figures, depth: Text) => say`${value} at ${depth}`,
  unknownDepth: say`an unknown depth`,
  separator: say`; `,
};

/** A message about doubts that have lasted. */
export const englishDoubtMail = {
  subject: (name: Name, check: Sayable) => say`Check ${name}: ${check}`,
  lead: (probe: Text, since: Sayable, check: Sayable) =>
    say`What ${probe} shows has been in doubt since ${since}: ${check}.`,
  meanwhile: {
    tooWet: say`Until you have looked at the soil, give no more water there.`,
    look: say`Until then, look at the soil before you water there.`,
    noWater: (probe: Text | null) =>
      probe === null
        ? say`For now, it needs no water by the water balance.`
        : say`For now, give no water: ${probe}, in the same block, needs none yet.`,
    byProbe: (probe: Text, amount: Sayable) =>
      say`Until then, give what ${probe} in the same block needs: ${amount}.`,
    byBalance: (amount: Sayable) => say`Until then, give what the water balance says: ${amount}.`,
    asBefore: (amount: Sayable, isUnconfirmed: boolean) =>
      say`Until then, go on as in the last 14 days: ${amount} a week${isUnconfirmed ? say`, if all of that ran` : null}.`,
  },
  footer: (zone: Sayable, company: Name) =>
    say`Days are local (${zone}). Acequia writes once about each doubt at ${company}, to those who get the alerts of the probe, or else to the owner.`,
};

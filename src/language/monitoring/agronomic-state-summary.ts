import type { SuspectTension } from '../../domain/facts/suspect-tension.ts';
import { withoutNulls } from '../../domain/items.ts';
import type { ThresholdBasis } from '../../domain/moisture/agronomic-state.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { areLevelsCrossed } from '../../domain/moisture/tension/tension-state.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { DepletionBasis } from '../../domain/soil/allowed-depletion.ts';
import { age, exact, moisture } from '../../domain/text/figures.ts';
import {
  call,
  capitalized,
  commaSeparated,
  join,
  name,
  say,
  sentences,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf, timeWithZone } from '../../domain/text/times.ts';
import type { AgronomicStateBody, TensionBody } from '../../schema/moisture/series.ts';
import { suspectReadingOf, suspectTensionOf } from '../../schema/moisture/suspect-bodies.ts';
import { englishLabels } from '../en/labels.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { lineCall } from '../text/line-call.ts';
import { moduleText } from '../text/names-of-farm.ts';

export async function summarizeAgronomicState(
  state: AgronomicStateBody,
  context: SummaryContext,
): Promise<Text> {
  const probe = await moduleText(context.directory, state.moduleId);
  if (state.tension) {
    const at = state.time === null ? null : Date.parse(state.time);
    // Whether water explains a fall is for the advice to say.
    const standing = (state.tension.suspect ?? [])
      .map(suspectTensionOf)
      .filter(({ from }) => from === null);
    return sentences([
      ...describeSuspectTension(standing),
      ...describeTension(probe, state.tension, at, {
        now: context.now,
        isInDoubt: standing.length > 0,
      }),
    ]);
  }
  return sentences([
    ...describeSuspectReadings((state.doubts ?? []).map(suspectReadingOf), context),
    describeState(state, probe, context),
    ...describeThresholds(state),
  ]);
}

const STATES = {
  saturated: say`above field capacity`,
  comfort: say`in comfort`,
  stress: say`under water stress`,
} as const;

function describeState(
  { state, value_vwc: value, time }: AgronomicStateBody,
  probe: Text,
  { now }: SummaryContext,
): Text {
  if (time === null || value === null)
    return say`The state of ${probe} is unknown: it has no soil moisture readings.`;

  const reading = say`${moisture(value, '%')} by volume ${timeWithZone(time)}`;
  if (state !== null) return say`${probe} is ${STATES[state]}, ${reading}.`;

  const { ageMs, isFresh } = readingAge(Date.parse(time), now);
  return isFresh
    ? say`The state of ${probe} is unknown because it has no usable thresholds: ${reading}.`
    : say`Old data, so the state of ${probe} is unknown: its newest moisture is ${ageOf(ageMs)} old, ${reading}.`;
}

const ageOf = (ms: number) => age(Math.floor(ms / MINUTE_MS));

const THRESHOLDS = {
  fieldCapacity: say`field capacity`,
  wiltingPoint: say`wilting point`,
};

const BASES: Readonly<Record<ThresholdBasis, Text>> = {
  annotation: say`line drawn on its curve`,
  soil_profile: say`soil profile`,
};

export const CROSSED_THRESHOLDS = say`The wilting point is not below the field capacity, so there is no stress point: move or delete a line.${call('update_annotation')}${call('delete_annotation')}`;

export const NO_SOIL_MOISTURE = say`It has no soil moisture sensor.${call('get_moisture_series')}`;

function describeThresholds(state: AgronomicStateBody): Text[] {
  const { time, stressPoint, basis } = state;
  const kinds = ['fieldCapacity', 'wiltingPoint'] as const;
  const missing = kinds.filter((kind) => state[kind] === null);
  const rows = kinds.map((kind) => {
    const [value, source] = [state[kind], basis[kind]];
    return value === null || source === null
      ? null
      : say`${THRESHOLDS[kind]} ${moisture(value, '%')} (${BASES[source]})`;
  });
  const stress = stressPoint === null ? null : say`stress point ${moisture(stressPoint, '%')}`;
  return withoutNulls([
    rows.every((row) => row === null)
      ? null
      : say`${capitalized(commaSeparated([stress, ...rows]))}.`,
    missing.length === 0 && stressPoint === null ? CROSSED_THRESHOLDS : null,
    missing.length === 0 || time === null ? null : describeMissing(missing),
  ]);
}

function describeMissing(missing: readonly (keyof typeof THRESHOLDS)[]): Text {
  const kinds = join(
    missing.map((kind) => THRESHOLDS[kind]),
    say` and no `,
  );
  return say`No ${kinds}: declare the soil of its parcel, or draw a line.${call('set_soil_profile')}${call('create_annotation')}`;
}

/** From which share of the water plants suffer. */
export function describeAllowedDepletion(
  percent: number,
  basis: DepletionBasis,
  crop: string | null,
): Text {
  const used = say`${exact(percent, '%')} of the water between field capacity and wilting point is used`;
  if (basis === 'setting') return say`Plants begin to suffer when ${used}, as set for this probe.`;
  if (basis === 'crop')
    return say`Plants begin to suffer when ${used}: the figure of FAO-56 for the crop of the parcel (${name(crop)}).`;
  return say`Plants begin to suffer when about ${used}; with the crop, its own figure counts.${call('set_parcel', 'type')}`;
}

export const describeSuspectTension = (suspect: readonly SuspectTension[]): Text[] =>
  suspect.map(describeSuspect);

function describeSuspect({ reason, depthCm, value, from, since }: SuspectTension): Text {
  const sensor = depthCm === null ? say`Its tension` : say`Its tension at ${exact(depthCm, 'cm')}`;
  const start = timeOf(since);
  switch (reason) {
    case 'TENSION_AT_ZERO':
      return say`${sensor} has stood at 0 kPa since ${start}, as an empty tensiometer or a cable with a short circuit does: refill it or check the cable, and look at the soil by hand.`;
    case 'TENSION_AT_LIMIT':
      return say`${sensor} has stood at ${exact(value, 'kPa')} since ${start}, the highest that it sends: the soil is that dry, or the sensor has lost contact with it, or its cable is broken: look at the soil by hand, and water if it is dry.`;
    case 'TENSION_FELL':
      return say`${sensor} fell from ${exact([from ?? value, value], 'kPa', 'to')} (${start}), but no watering or rain is recorded then and no other depth or probe of the parcel moved: ask whether it was watered or rained, and log that; else check the sensor and its cable, and look at the soil by hand.`;
  }
}

/** The reading, how it compares with the levels, and the usual levels if no dry level is drawn. */
export function describeTension(
  probe: Text,
  tension: TensionBody,
  at: number | null,
  { now, isInDoubt }: { readonly now: number; readonly isInDoubt: boolean },
): Text[] {
  const suggestion = describeTypicalTension(tension);
  if (tension.value === null || at === null)
    return [say`The state of ${probe} is unknown: it has no readings of tension.`, ...suggestion];

  const reading = say`${exact(tension.value, 'kPa')} ${timeWithZone(at)}`;
  const { ageMs, isFresh } = readingAge(at, now);
  if (!isFresh)
    return [
      say`Old data, so the state of ${probe} is unknown: its newest tension is ${ageOf(ageMs)} old, ${reading}.`,
    ];
  if (isInDoubt)
    return [say`${probe} reads ${reading} (higher is drier), which says neither wet nor dry.`];

  return [compareWithLevels(probe, reading, tension, tension.value), ...suggestion];
}

function compareWithLevels(probe: Text, reading: Text, tension: TensionBody, value: number): Text {
  const { wetLevel, dryLevel } = tension;
  const wet = wetLevel === null ? null : exact(wetLevel, 'kPa');
  const dry = dryLevel === null ? null : exact(dryLevel, 'kPa');

  if (areLevelsCrossed(tension))
    return say`${probe} reads ${reading}, where higher is drier, but its wet level of ${wet} is not below its dry level of ${dry}: correct one.${call('update_annotation')}`;
  if (dryLevel !== null && value > dryLevel)
    return say`${probe} is too dry: ${reading}, above its dry level of ${dry} (higher is drier).`;
  if (wetLevel !== null && value < wetLevel)
    return say`${probe} is wet: ${reading}, below its wet level of ${wet} (higher is drier).`;
  if (wetLevel !== null && dryLevel !== null)
    return say`${probe} is in comfort: ${reading}, between its wet level of ${exact(wetLevel)} and its dry level of ${dry} (higher is drier).`;
  if (dryLevel !== null)
    return say`${probe} is not too dry: ${reading}, not above its dry level of ${dry} (higher is drier). No wet level is drawn.`;
  return wetLevel === null
    ? say`${probe} reads ${reading}, where higher is drier. Whether that is too dry is unknown, because no levels are drawn.`
    : say`${probe} is not wet: ${reading}, not below its wet level of ${wet} (higher is drier). Whether it is too dry is unknown, because no dry level is drawn.`;
}

export function describeTypicalTension({ typical, dryLevel }: TensionBody): Text[] {
  if (dryLevel !== null) return [];

  const draw = say`Ask which levels apply, then draw them.${lineCall('dry or wet')}`;
  if (typical === undefined)
    return [
      draw,
      say`Usual levels depend on the soil: with the texture of its parcel they are suggested.${call('set_soil_profile')}`,
    ];
  const { usdaClass, wetLevel, dryFrom, dryTo } = typical;
  const texture = name(englishLabels.texture(usdaClass).toLowerCase());
  return [
    say`Usual on ${texture}: water between ${exact([dryFrom, dryTo], 'kPa', 'and')}, wet below ${exact(wetLevel, 'kPa')}; it depends on the crop.`,
    draw,
  ];
}

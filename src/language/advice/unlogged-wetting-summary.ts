import { estimate, rough } from '../../domain/text/figures.ts';
import { call, counted, say } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf } from '../../domain/text/times.ts';
import type { ReviewBody } from '../../schema/advice/review.ts';

/** Says how much water the soil gained without a logged watering. */
export function describeUnloggedWettingEvents(
  { unlogged }: ReviewBody,
  canRain: boolean,
): (Text | null)[] {
  const byRain = unlogged.filter(
    (rise): rise is RainWettingEvent => rise.likely === 'rain' && rise.rainMm != null,
  );
  // Another sentence tells of mistimed ones.
  const others = unlogged.filter(
    (rise): rise is UnexplainedWettingEvent => rise.likely !== 'rain' && rise.isMistimed !== true,
  );
  return [...describeRainRises(byRain), ...describeOtherRises(others, canRain)];
}

type WettingEvent = ReviewBody['unlogged'][number];
type RainWettingEvent = WettingEvent & { readonly rainMm: number };
type UnexplainedWettingEvent = WettingEvent & {
  readonly likely: Exclude<WettingEvent['likely'], 'rain'>;
};

function describeRainRises(rises: readonly RainWettingEvent[]): Text[] {
  const [newest] = rises;
  if (newest === undefined) return [];
  return [
    say`Recorded rain explains ${counted(rises.length, 'rise')}; the newest ${timeOf(newest.start)}, ${estimate(newest.rainMm, 'mm')} of rain.`,
  ];
}

const LIKELY_SOURCES = {
  watering: say`more likely a watering than rain`,
  unknown: say`a watering or rain`,
  underCover: say`a watering`,
};

function describeOtherRises(
  unlogged: readonly UnexplainedWettingEvent[],
  canRain: boolean,
): (Text | null)[] {
  const newest = unlogged[0];
  if (newest === undefined) return [];

  const { start, waterMm, riseMm, likely, roseElsewhere, plannedEventId, rainMm = null } = newest;
  const mm = waterMm ?? riseMm;
  const isOverall = waterMm !== null;
  const where = isOverall ? say`over the whole area` : say`in the wetted soil`;
  const size = mm === null ? null : say`, about ${rough(estimate(mm, 'mm'))} ${where}`;
  const isOpen = likely === 'unknown' && canRain;
  const condition = isOverall && isOpen ? say` if it was irrigation` : null;
  const source =
    isOpen && roseElsewhere
      ? say`at the same time as on other parcels: rain, or all were watered`
      : LIKELY_SOURCES[canRain ? likely : 'underCover'];

  return [
    say`${counted(unlogged.length, 'rise')} with no watering logged; the newest ${timeOf(start)}${size}${condition}, ${source}.`,
    plannedEventId === null
      ? null
      : say`A watering was planned then: if it ran, confirm it.${call('correct_watering', `eventId: ${plannedEventId}`, 'status: done')}`,
    likely === 'unknown' && rainMm !== null && plannedEventId !== null
      ? null
      : askFirst(rainMm, canRain),
  ];
}

function askFirst(rainMm: number | null, canRain: boolean): Text {
  if (!canRain) return say`Ask before you log one.`;
  return rainMm === null
    ? say`No rain is recorded for then, so ask before you log a watering.`
    : say`The ${estimate(rainMm, 'mm')} of rain recorded for then do not explain it, so ask before you log a watering.`;
}

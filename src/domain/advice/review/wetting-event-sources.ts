import type { ModuleFacts, SetupFacts } from '../../facts/probe-facts.ts';
import type { WateringFacts } from '../../facts/watering-facts.ts';
import { HOUR_MS } from '../../periods.ts';
import type { RainContribution } from '../../weather/rain.ts';
import { rainDuringWettingEvent } from '../rain-effect.ts';
import type { UnloggedWettingEvent } from '../unlogged-wetting-events.ts';
import { type DepthCurve, wettingEventsOfCurve } from '../watering-response.ts';
import { equipmentAt, netShareAt } from './setup-at.ts';

/** How many probes of other parcels are compared: a few are enough for a hint. */
const MAX_OTHER_PROBES = 4;
/** Rain is ruled out if none of the compared probes rose, and at least this many have readings. */
const MIN_DRY_PROBES = 2;

/** Rain reaches all probes of a farm within this time, and so does a round of its pumps. */
const SPREAD_MS = 6 * HOUR_MS;

/**
 * An unconfirmed watering explains a rise that begins up to 12 hours after it or, as clocks differ,
 * up to an hour before.
 */
const MAX_RISE_AFTER_MS = 12 * HOUR_MS;
const MAX_RISE_BEFORE_MS = HOUR_MS;

export type LikelySource = 'watering' | 'rain' | 'unknown';

/** The uppermost depth of a probe of another parcel. */
export interface OtherProbe {
  readonly readAt: readonly number[];
  readonly roseAt: readonly number[];
}

export interface SourceContext {
  /** The waterings of the probe around the wetting events, oldest first. */
  readonly waterings: readonly WateringFacts[];
  /** The rain on the parcel of the probe. */
  readonly rain: readonly RainContribution[];
  readonly setup: SetupFacts;
  readonly others: readonly OtherProbe[];
}

export interface WettingEventSource {
  /** Rough, in mm over the whole area; as irrigation, if the source is unknown. */
  readonly waterMm: number | null;
  readonly likely: LikelySource;
  /** Null if no other probe has readings. */
  readonly roseElsewhere: boolean | null;
  /** A watering planned for then that nobody confirmed. */
  readonly plannedId: number | null;
  readonly rainMm: number | null;
}

/** The soil probes with which the rises of this one are compared. */
export const probesToCompare = (
  { id, parcelId }: ModuleFacts,
  modules: readonly ModuleFacts[],
): readonly ModuleFacts[] =>
  modules
    .filter(
      (other) =>
        other.category === 'SOIL_PROBE' &&
        other.id !== id &&
        (other.parcelId === null || other.parcelId !== parcelId),
    )
    .slice(0, MAX_OTHER_PROBES);

export const otherProbe = (curve: DepthCurve): OtherProbe => ({
  readAt: curve.points.map(({ at }) => at),
  roseAt: wettingEventsOfCurve(curve).map(({ startAt }) => startAt),
});

export function wettingEventSource(
  { start, riseMm }: UnloggedWettingEvent,
  { waterings, rain, setup, others }: SourceContext,
): WettingEventSource {
  const plannedId = unconfirmedWateringBefore(waterings, start);
  const { likely, roseElsewhere } = comparedWith(others, start);
  const eventRain = rainDuringWettingEvent({ start, riseMm }, rain);
  const isRain = eventRain?.isEnough === true;
  const fraction = equipmentAt(setup, start)?.fractionWetted ?? null;

  return {
    waterMm:
      riseMm === null || fraction === null ? null : (riseMm * fraction) / netShareAt(setup, start),
    likely: likelySource(likely, { isRain, isPlanned: plannedId !== null }),
    roseElsewhere,
    plannedId,
    rainMm: eventRain?.mm ?? null,
  };
}

const isNear = (at: number, start: number): boolean => Math.abs(at - start) <= SPREAD_MS;

/** A rise on all parcels may be rain, or a day on which all are watered. */
function comparedWith(
  others: readonly OtherProbe[],
  start: number,
): Pick<WettingEventSource, 'likely' | 'roseElsewhere'> {
  const withReadings = others.filter(({ readAt }) => readAt.some((at) => isNear(at, start)));
  const risen = withReadings.filter(({ roseAt }) => roseAt.some((at) => isNear(at, start))).length;
  return {
    likely: risen === 0 && withReadings.length >= MIN_DRY_PROBES ? 'watering' : 'unknown',
    roseElsewhere: withReadings.length === 0 ? null : risen > withReadings.length / 2,
  };
}

function likelySource(
  byOtherProbes: LikelySource,
  { isRain, isPlanned }: { readonly isRain: boolean; readonly isPlanned: boolean },
): LikelySource {
  if (isRain && isPlanned) return 'unknown';
  if (isRain) return 'rain';
  return isPlanned ? 'watering' : byOtherProbes;
}

const unconfirmedWateringBefore = (
  waterings: readonly WateringFacts[],
  start: number,
): number | null =>
  waterings.findLast(({ status, startedAt }) => {
    const riseAfterMs = start - startedAt;
    return (
      status === 'planned' && riseAfterMs >= -MAX_RISE_BEFORE_MS && riseAfterMs <= MAX_RISE_AFTER_MS
    );
  })?.id ?? null;

import { roundAmount } from '../../decimal.ts';
import { type CommissioningFacts, isSettlingAt } from '../../facts/commissioning.ts';
import type { SetupFacts } from '../../facts/probe-facts.ts';
import { runPeriod, type WateringFacts } from '../../facts/watering-facts.ts';
import { sumDoses } from '../../irrigation/dose.ts';
import { firstOf, itemAt, lastOf } from '../../items.ts';
import type { Period } from '../../periods.ts';
import { slicesOf } from '../../soil/slices.ts';
import {
  heldAboveSensorMm,
  MIN_DOSE_MM,
  reachesSensor,
  type TimedDose,
} from '../response/light-doses.ts';
import { lackAboveMm } from '../response/unseen-waterings.ts';
import {
  findUnloggedWettingEvents,
  type UnloggedWettingEvent,
} from '../unlogged-wetting-events.ts';
import {
  type DepthCurve,
  groupWaterings,
  lastBefore,
  type WateringResponse,
  wateringGroupPeriod,
  wateringResponse,
} from '../watering-response.ts';
import { shownWettedMm, wettedDoseMm } from '../wetted-fraction.ts';
import { netShareAt, rootDepthAt } from './setup-at.ts';

export interface ReviewFacts {
  /** Empty without soil moisture. */
  readonly curves: readonly DepthCurve[];
  /** Oldest first; also those around the period. */
  readonly waterings: readonly WateringFacts[];
  /** What its parcel got before the probe was put in, which no reading shows. */
  readonly beforeProbe?: readonly WateringFacts[];
  readonly setup: Pick<SetupFacts, 'settingsVersions' | 'versions' | 'commissioning'>;
  /** In cm, at present. */
  readonly rootDepthCm: number | null;
  /** Which sensor stands where is in doubt. */
  readonly areDepthsExchanged?: boolean;
}

export interface ReviewedWatering {
  readonly watering: WateringFacts;
  /** In mm of the wetted zone; null where the whole area is wetted. */
  readonly wettedMm: number | null;
  /** In mm of the wetted zone, for the roots. */
  readonly netMmWetted: number | null;
  /** The response to the whole group of waterings shortly after one another. */
  readonly response: WateringResponse;
  /** What was given since a depth last showed some may still stay above the sensors. */
  readonly isTooLight: boolean;
  readonly group: {
    readonly firstId: number;
    readonly size: number;
    readonly startedAt: number;
  };
}

/** Both newest first. */
export interface WateringReview {
  readonly waterings: readonly ReviewedWatering[];
  readonly unlogged: readonly UnloggedWettingEvent[];
}

/** Compares the waterings that were done in the period with the moisture. */
export function wateringReview(facts: ReviewFacts, period: Period, now: number): WateringReview {
  const { waterings, beforeProbe = [] } = facts;
  const starts = new Set(waterings.map(({ startedAt }) => startedAt));
  const others = beforeProbe.filter(({ startedAt }) => !starts.has(startedAt));
  const assessed = [
    ...assessWaterings(facts, now),
    ...assessWaterings({ ...facts, curves: [], waterings: others }, now),
  ].sort((a, b) => a.watering.startedAt - b.watering.startedAt);
  const explained = assessed.map(({ watering, response }) => ({
    ...runPeriod(watering),
    wettingEvents: response.depths.map(({ event }) => event),
  }));

  return {
    waterings: assessed.filter(({ watering }) => isWithin(period, watering.startedAt)).reverse(),
    unlogged: withoutSettling(
      findUnloggedWettingEvents(facts.curves, explained),
      facts.setup.commissioning,
    )
      .filter(({ start }) => isWithin(period, start))
      .reverse(),
  };
}

/** Its first rise in the soil shows that the hole of the probe closes. `rises` are oldest first. */
function withoutSettling(
  rises: readonly UnloggedWettingEvent[],
  commissioning: CommissioningFacts | null,
): readonly UnloggedWettingEvent[] {
  const first = rises.find(({ start }) => commissioning !== null && start >= commissioning.at);
  return rises.filter((rise) => rise !== first || !isSettlingAt(commissioning, rise.start));
}

const isWithin = ({ start, end }: Period, at: number): boolean => at >= start && at < end;

function assessWaterings(
  { curves, waterings, setup, rootDepthCm: presentRootDepthCm, areDepthsExchanged }: ReviewFacts,
  now: number,
): ReviewedWatering[] {
  const done = waterings
    .filter(({ status }) => status === 'done')
    .map((watering) => ({ watering, run: runPeriod(watering) }));
  const groups = groupWaterings(done);
  let unseen: TimedDose[] = [];

  return groups.flatMap((group, index) => {
    const span = wateringGroupPeriod(group);
    const rootDepthCm = rootDepthAt(setup, span.start, presentRootDepthCm);
    const previous = groups[index - 1];
    const ofRoots = withRootDepth(curves, rootDepthCm);
    const byDepth = wateringResponse(ofRoots, span, {
      now,
      rootDepthCm,
      previousEnd: previous === undefined ? null : wateringGroupPeriod(previous).end,
      nextAt: groups[index + 1]?.[0]?.run.start ?? null,
    });
    const response = areDepthsExchanged ? withoutDepths(byDepth) : byDepth;
    const firstId = firstOf(group).watering.id;
    const dose = doseOf(
      group.map(({ watering }) => watering),
      setup,
    );
    unseen = dose === null || response.response !== 'no_response' ? [] : [...unseen, dose];
    const isTooLight = unseen.length > 0 && staysAboveSensors(unseen, ofRoots);

    return group.map(({ watering }) => ({
      watering,
      wettedMm: shownWettedMm(watering, setup),
      netMmWetted: netMmWetted(watering, setup),
      response,
      isTooLight,
      group: { firstId, size: group.length, startedAt: span.start },
    }));
  });
}

/** What it says whatever the depths of the sensors are. */
const withoutDepths = (response: WateringResponse): WateringResponse => ({
  ...response,
  response: response.response === 'below_roots' ? 'reached' : response.response,
  deepestCm: null,
  riseMm: null,
  isDeeperFirst: false,
});

/** Of waterings that act as one; null where a dose is unknown. */
function doseOf(
  waterings: readonly WateringFacts[],
  setup: ReviewFacts['setup'],
): TimedDose | null {
  const mm = sumDoses(waterings.map((watering) => wettedDoseMm(watering, setup)));
  const areaMm = sumDoses(waterings.map(({ waterMm }) => waterMm));
  const start = Math.min(...waterings.map(({ startedAt }) => startedAt));
  return mm === null || areaMm === null ? null : { start, mm, areaMm };
}

/** After the last of these doses, by what the uppermost soil lacked before the first. */
function staysAboveSensors(doses: readonly TimedDose[], curves: readonly DepthCurve[]): boolean {
  const heldMm = lastOf(heldAboveSensorMm(doses, curves));
  if (heldMm < MIN_DOSE_MM) return true;

  const top = curves.find(({ points }) => points.length > 0);
  const before = top && lastBefore(top, firstOf(doses).start);
  if (top === undefined || before === undefined || top.fieldCapacity === null) return false;
  return !reachesSensor(heldMm, lackAboveMm(top.depthCm, before.value, top.fieldCapacity));
}

function withRootDepth(
  curves: readonly DepthCurve[],
  rootDepthCm: number | null,
): readonly DepthCurve[] {
  if (curves.some(isOfTension)) return curves;
  const slices = slicesOf(
    curves.map(({ depthCm }) => depthCm),
    rootDepthCm,
  );
  return curves.map((curve, index) => ({ ...curve, slice: itemAt(slices, index) }));
}

/** Tension tells no amount of water, so that it has no slices. */
const isOfTension = ({ climbMs }: DepthCurve): boolean => climbMs !== undefined;

/** Computed from the amount as it is shown. */
function netMmWetted(watering: WateringFacts, setup: ReviewFacts['setup']): number | null {
  const mm = wettedDoseMm(watering, setup);
  return mm === null ? null : roundAmount(mm) * netShareAt(setup, watering.startedAt);
}

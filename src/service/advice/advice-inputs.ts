import type { RootZoneSlice } from '../../domain/advice/watering-advice.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { driestMoisture } from '../../domain/soil/soil-catalog.ts';
import type { Slice } from '../../domain/soil/soil-slices.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { IrrigationConfigurationBody } from '../../schema/installation.ts';
import type { AgronomicStateBody } from '../../schema/series.ts';
import type { WateringBody } from '../../schema/watering.ts';
import { measuresSoilMoisture, type ProbeDepth, probeDepths } from '../moisture/probe-depths.ts';
import { toIso } from '../wire-format.ts';
import { wateringsBetween } from './operation-reads.ts';
import type { PerformedOperations } from './performed-operations.ts';

/** What advice is composed of. */
export type AdviceOperations = Pick<
  PerformedOperations,
  'getModule' | 'getMoistureSeries' | 'getAgronomicState' | 'getIrrigationSetup' | 'listWaterings'
>;

/** Days back that tell how fast the soil dries. */
export const DRYING_PACE_DAYS = 14;

/** Readings of a day at a probe that sends each minute, and some more. */
const MAX_READINGS = 5000;

/** What an advice rests on, as other operations say it of the probe. */
export interface AdviceInputs {
  readonly parcelId: number | null;
  /** Whether it tells of the water in a soil at all. */
  readonly measuresSoilMoisture: boolean;
  /** Its depths, with their readings of the time that counts as now. */
  readonly depths: readonly ProbeDepth[];
  /** Newest reading at all, in ms; null when there never was one. */
  readonly newestAt: number | null;
  /** Share of the readings of the last week that are missing, 0 to 1. */
  readonly missingShare: number;
  readonly rootDepthCm: number | null;
  readonly state: AgronomicStateBody;
  readonly installation: IrrigationConfigurationBody['installation'];
  /** Waterings done in the last days, in order of time. */
  readonly done: readonly WateringBody[];
  /** Planned for the time before now, in order of time: some run still, others wait to be confirmed. */
  readonly startedPlanned: readonly WateringBody[];
}

export async function loadAdviceInputs(
  { now }: ComposedCall,
  operations: AdviceOperations,
  moduleId: number,
): Promise<AdviceInputs> {
  const { getModule, getMoistureSeries, getAgronomicState, getIrrigationSetup } = operations;
  const module = await getModule({ moduleId });
  const fresh = {
    start: toIso(now - MAX_FRESH_AGE_MS),
    end: toIso(now + 1),
    maxPoints: MAX_READINGS,
    depths: true,
  };
  const recent = await getMoistureSeries({ moduleId, ...fresh });
  const week = await getMoistureSeries({ moduleId, maxPoints: 1 });
  const setup = await getIrrigationSetup({ moduleId });
  const since = { from: now - DRYING_PACE_DAYS * DAY_MS, to: now + 1 };
  const waterings = await wateringsBetween(operations, moduleId, since);
  const measuresSoil = measuresSoilMoisture(module, recent);
  return {
    parcelId: module.parcelId,
    measuresSoilMoisture: measuresSoil,
    depths: measuresSoil ? probeDepths(recent) : [],
    newestAt: measuresSoil && recent.freshness.time !== null ? Date.parse(recent.freshness.time) : null,
    missingShare: week.missingShare,
    rootDepthCm: recent.rootDepthCm ?? null,
    state: await getAgronomicState({ moduleId }),
    installation: setup.installation,
    done: waterings.filter(({ status }) => status === 'done'),
    startedPlanned: waterings.filter(({ status }) => status === 'planned'),
  };
}

/** The slices of the root zone with their newest moisture. */
export const rootZoneSlices = ({ depths }: AdviceInputs): RootZoneSlice[] =>
  depths.flatMap(({ slice, fieldCapacity, points }) =>
    slice === null ? [] : [{ ...slice, fieldCapacity, moisture: points.at(-1)?.value ?? null }],
  );

/** The slices whose newest moisture (%) is less than the soil declared there can come down to. */
export const implausiblyDrySlices = ({ depths }: AdviceInputs): (Slice & { readonly moisture: number })[] =>
  depths.flatMap(({ slice, wiltingPoint, points }) => {
    const moisture = points.at(-1)?.value;
    if (slice === null || wiltingPoint === null || moisture === undefined) return [];
    return moisture < 100 * driestMoisture(wiltingPoint) ? [{ ...slice, moisture }] : [];
  });

/** Field capacity by the line that is drawn on the curve, m3/m3; null without one. */
export const drawnFieldCapacity = ({ state: { fieldCapacity, basis } }: AdviceInputs): number | null =>
  basis.fieldCapacity === 'annotation' && fieldCapacity !== null ? fieldCapacity / 100 : null;

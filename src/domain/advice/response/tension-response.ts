import type { DepthFacts, StateFacts } from '../../facts/probe-facts.ts';
import type { DepthHours, ProbeHistory } from '../../facts/probe-history.ts';
import { frozenByThermometers } from '../../facts/soil-temperature.ts';
import {
  tensionOfWetness,
  wetnessOf,
  wetnessPoints,
} from '../../moisture/tension/tension-wetness.ts';
import { meanSoil, type SoilConstants } from '../../soil/soil-catalog.ts';
import { moistureAt, tensionAt } from '../../soil/water-retention.ts';
import { tensionCurves } from '../depth-curves.ts';
import type { DepthCurve, DepthResponse } from '../watering-response.ts';
import type { AppliedWatering } from '../wetted-fraction.ts';
import { wateringEvidence } from '../witness/watering-evidence.ts';
import { type ShownFacts, wettedAt } from './response-of-history.ts';
import { dryEnoughMoisture, lackAboveMm, responseFacts } from './unseen-waterings.ts';

interface TensionInputs {
  readonly state: StateFacts;
  /** Waterings of the same days, oldest first. */
  readonly done: readonly AppliedWatering[];
  readonly zone: string;
}

/**
 * The response of a tensiometer to its waterings. The points of the history are tensions in kPa.
 */
export function responseOfTension(
  history: ProbeHistory,
  { state, done, zone }: TensionInputs,
): ShownFacts {
  const depths = withoutStanding(history.depths, state);
  const curves = tensionCurves(depths, {
    frozenAt: frozenByThermometers(history.thermometers),
  });
  const dryTension = dryEnoughTension(depths, state);
  const dryWetness = dryTension === null ? null : wetnessOf(dryTension);

  const soil = {
    curves,
    sensorSteps: new Map(),
    meanCurve: wetnessPoints(history.curve),
    dryEnough: dryWetness,
    dryEnoughAt: () => dryWetness,
    lackMm: ({ depthCm }: DepthCurve, wetness: number) =>
      lackAtTensionMm(
        depths.find((depth) => depth.depthCm === depthCm),
        tensionOfWetness(wetness),
      ),
  };
  return {
    response: responseFacts(soil, done, zone),
    evidence: wateringEvidence({ isTension: true, ...history, steps: new Map() }, done),
    wettedAt: wettedAt(curves),
    jump: null,
    wetSince: null,
    stillPeriods: [],
  };
}

/** A sensor that stands still cannot show water. */
function withoutStanding(
  depths: readonly DepthHours[],
  { tension }: StateFacts,
): readonly DepthHours[] {
  const standing = (tension?.suspect ?? []).filter(({ from }) => from === null);
  return depths.filter(({ depthCm }) => !standing.some((suspect) => suspect.depthCm === depthCm));
}

/** The fall of tension; 0 where the depth showed no water, null if unknown. */
export function depthFallKpa({ isConclusive, event }: DepthResponse): number | null {
  if (event !== null) return tensionOfWetness(event.from) - tensionOfWetness(event.peak);
  return isConclusive ? 0 : null;
}

/**
 * The tension from which a watering should show, in kPa: that of soil 2 points below the field
 * capacity of its class, or the drawn dry level where that is lower, because the soil is watered from
 * it on. Null if neither is known.
 */
function dryEnoughTension(depths: readonly DepthFacts[], { tension }: StateFacts): number | null {
  const soil = meanSoil(
    depths.flatMap((depth) => {
      const ofDepth = soilOf(depth);
      return ofDepth === null ? [] : [{ weight: depth.weight, soil: ofDepth }];
    }),
  );
  const moisture = soil && dryEnoughMoisture(100 * soil.fieldCapacity);
  const ofClass = soil && moisture && tensionAt(moisture / 100, soil);
  const levels = [ofClass, tension?.dryLevel].filter((level) => level != null);
  return levels.length === 0 ? null : Math.min(...levels);
}

const soilOf = ({ fieldCapacity, wiltingPoint, saturation }: DepthFacts): SoilConstants | null =>
  fieldCapacity === null || wiltingPoint === null || saturation === null
    ? null
    : { fieldCapacity, wiltingPoint, saturation };

function lackAtTensionMm(depth: DepthFacts | undefined, tension: number): number | null {
  const soil = depth === undefined ? null : soilOf(depth);
  const moisture = soil && moistureAt(tension, soil);
  return depth && soil && moisture
    ? lackAboveMm(depth.depthCm, 100 * moisture, soil.fieldCapacity)
    : null;
}

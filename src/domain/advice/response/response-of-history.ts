import type { ProbeFacts, ProbeSeries, StateFacts } from '../../facts/probe-facts.ts';
import { type ProbeHistory, trustedHistory } from '../../facts/probe-history.ts';
import { NO_RESPONSE_FACTS } from '../../facts/response-facts.ts';
import { frozenByThermometers } from '../../facts/soil-temperature.ts';
import type { WateringFacts } from '../../facts/watering-facts.ts';
import { depthCurves, sensorSteps } from '../depth-curves.ts';
import { drawnFieldCapacity } from '../probe/reason-inputs.ts';
import { type DepthCurve, wettingEventsOf } from '../watering-response.ts';
import { wateringEvidence } from '../witness/watering-evidence.ts';
import { commonJump } from './common-jump.ts';
import {
  dryEnoughMoisture,
  lackAboveMm,
  responseFacts,
  type WateredSoil,
} from './response-facts.ts';
import { stillPeriods } from './still-periods.ts';
import { wetSince } from './wet-since.ts';

export type ShownFacts = Pick<
  ProbeFacts,
  'response' | 'evidence' | 'wettedAt' | 'jump' | 'wetSince' | 'stillPeriods'
>;

/** Of a probe that measures neither soil moisture nor tension. */
export const NO_RESPONSE_SHOWN: ShownFacts = {
  response: NO_RESPONSE_FACTS,
  evidence: null,
  wettedAt: [],
  jump: null,
  wetSince: null,
  stillPeriods: [],
};

interface HistoryInputs {
  /** Single readings, which have the steps of the sensors. */
  readonly recent: ProbeSeries;
  readonly state: StateFacts;
  /** Waterings of the same days, oldest first. */
  readonly done: readonly WateringFacts[];
  readonly zone: string;
}

/** Like `historyFacts`, it depends on the hours and not on the present instant. */
export function responseOfHistory(
  history: ProbeHistory,
  { recent, state, done, zone }: HistoryInputs,
): ShownFacts {
  const { curve, depths, thermometers } = trustedHistory(history, state.doubts);
  const steps = sensorSteps(recent);
  const curves = depthCurves(depths, steps, {
    drawnCapacity: drawnFieldCapacity(state),
    frozenAt: frozenByThermometers(thermometers),
  });
  const { fieldCapacity } = state;
  const isTopTrusted = depths[0]?.depthCm === history.depths[0]?.depthCm;
  const soil: WateredSoil = {
    curves,
    sensorSteps: steps,
    meanCurve: curve,
    dryEnough: dryEnoughMoisture(fieldCapacity),
    dryEnoughAt: (sensor) => dryEnoughMoisture(sensor.fieldCapacity && 100 * sensor.fieldCapacity),
    lackMm: (sensor, moisture) =>
      sensor.fieldCapacity === null
        ? null
        : lackAboveMm(sensor.depthCm, moisture, sensor.fieldCapacity),
  };
  return {
    // A sensor in doubt may be the one that would have shown them.
    response: isTopTrusted ? responseFacts(soil, done, zone) : NO_RESPONSE_FACTS,
    evidence: wateringEvidence({ isTension: false, ...history, steps }, done),
    wettedAt: wettedAt(curves),
    jump: commonJump(curves),
    wetSince: wetSince(curve, state),
    stillPeriods: stillPeriods({ curves, curve, fieldCapacity }),
  };
}

/** The starts of all wetting events. */
export const wettedAt = (curves: readonly DepthCurve[]): number[] =>
  curves.flatMap((curve) => wettingEventsOf(curve, curve.points).map(({ startAt }) => startAt));

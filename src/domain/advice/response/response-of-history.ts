import type { ProbeFacts, ProbeSeries, StateFacts } from '../../facts/probe-facts.ts';
import { type ProbeHistory, trustedHistory } from '../../facts/probe-history.ts';
import { NO_RESPONSE_FACTS } from '../../facts/response-facts.ts';
import { frozenByThermometers } from '../../facts/soil-temperature.ts';
import type { WateringFacts } from '../../facts/watering-facts.ts';
import { depthCurves, sensorSteps } from '../depth-curves.ts';
import { drawnFieldCapacity } from '../probe/advise-probe.ts';
import { responseFacts } from './response-facts.ts';
import { stillPeriods } from './still-periods.ts';
import { wetSince } from './wet-since.ts';

export type ShownFacts = Pick<ProbeFacts, 'response' | 'wetSince' | 'stillPeriods'>;

/** Of a probe that measures no soil moisture. */
export const NO_RESPONSE_SHOWN: ShownFacts = {
  response: NO_RESPONSE_FACTS,
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
  return {
    response: responseFacts({ curves, sensorSteps: steps, curve, fieldCapacity }, done, zone),
    wetSince: wetSince(curve, state),
    stillPeriods: stillPeriods({ curves, curve, fieldCapacity }),
  };
}

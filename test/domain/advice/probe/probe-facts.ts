import type { AdviceRequest, ProbeAdvice } from '../../../../src/domain/advice/advice.ts';
import {
  type ConditionInputs,
  FarmConditions,
} from '../../../../src/domain/advice/probe/farm-conditions.ts';
import { adviseProbe } from '../../../../src/domain/advice/probe/probe-advice.ts';
import type { ProbeFacts } from '../../../../src/domain/facts/probe-facts.ts';
import { NO_RESPONSE_FACTS } from '../../../../src/domain/facts/response-facts.ts';
import { FARM_NOW, HOUR } from '../../../farm.ts';
import { setupOf, stateOf } from '../farm/farm-probes.ts';

/** A farm without rain and weather. */
export const farmWith = (facts: Partial<ConditionInputs> = {}): FarmConditions =>
  new FarmConditions({
    now: FARM_NOW,
    zone: 'UTC',
    rain: { records: [] },
    weather: { data: [], pace: null, forecast: null },
    coverByParcel: new Map(),
    ...facts,
  });

/** A probe that read 20 % an hour ago, with equipment of its own. */
export function probeFacts(fields: Partial<ProbeFacts> = {}): ProbeFacts {
  const points = [{ at: FARM_NOW - HOUR, value: 20 }];
  const soil = { fieldCapacity: null, wiltingPoint: null, saturation: null };
  return {
    module: { id: 1, uid: 'A1', name: 'Oak', category: 'SOIL_PROBE', parcelId: null },
    freshness: { newestAt: FARM_NOW - HOUR, isFresh: true },
    recent: {
      type: 'humidity',
      hasSensors: true,
      rootDepthCm: 60,
      depths: [{ depthCm: 30, slice: null, weight: 1, ...soil, points }],
      curve: points,
    },
    missingShare: 0,
    dryingRate: null,
    dayEnds: [],
    dayMeans: null,
    newestByDepth: [],
    response: NO_RESPONSE_FACTS,
    evidence: null,
    wettedAt: [],
    jump: null,
    wetSince: null,
    soilTemperatures: [],
    stillPeriods: [],
    state: stateOf({ stressPoint: null, at: FARM_NOW - HOUR }),
    setup: setupOf('module', null),
    waterings: [],
    earlierWaterings: [],
    wateringsOnValve: [],
    wateringsOfParcel: [],
    ...fields,
  };
}

const setup = setupOf('module', null);

export const COMPLETE_SETUP = {
  ...setup,
  installation: { ...setup.installation!, irrigatedAreaM2: 1000 },
};

/** The same at 10, 30 and 50 cm. */
export const withMoisture = (value: number): Pick<ProbeFacts, 'recent'> => ({
  recent: {
    type: 'humidity',
    hasSensors: true,
    rootDepthCm: 60,
    depths: [10, 30, 50].map((depthCm) => ({
      depthCm,
      slice: { topCm: depthCm - 10, bottomCm: depthCm + 10 },
      weight: 1 / 3,
      fieldCapacity: 0.27,
      wiltingPoint: 0.13,
      saturation: 0.45,
      points: [{ at: FARM_NOW - HOUR, value }],
    })),
    curve: [{ at: FARM_NOW - HOUR, value }],
  },
});

const state = stateOf({ at: FARM_NOW - HOUR });

/** It lacks 7 points of 60 cm, and nothing else. */
export const COMPLETE_PROBE = probeFacts({
  ...withMoisture(20),
  state: { ...state, basis: { ...state.basis, fieldCapacity: 'annotation' } },
  dryingRate: { perDay: -0.5, usualPerDay: -0.5, basis: 'newest', count: 5, decay: null },
  setup: COMPLETE_SETUP,
});

/** A change of the complete probe. */
export interface AdviceChange {
  readonly facts?: Partial<ProbeFacts>;
  readonly farm?: Partial<ConditionInputs>;
  readonly request?: Partial<AdviceRequest>;
}

export const adviceWith = ({ facts, farm, request }: AdviceChange): ProbeAdvice =>
  adviseProbe({ ...COMPLETE_PROBE, ...facts }, farmWith(farm), { expectedRainMm: 0, ...request })
    .advice;

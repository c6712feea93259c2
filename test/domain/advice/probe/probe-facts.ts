import {
  type ConditionFacts,
  FarmConditions,
} from '../../../../src/domain/advice/probe/farm-conditions.ts';
import type { ProbeFacts } from '../../../../src/domain/facts/probe-facts.ts';
import { NO_RESPONSE_FACTS } from '../../../../src/domain/facts/response-facts.ts';
import { FARM_NOW, HOUR } from '../../../farm.ts';
import { setupOf, stateOf } from '../farm/farm-probes.ts';

/** Without rain and weather. */
export const farmWith = (facts: Partial<ConditionFacts> = {}): FarmConditions =>
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

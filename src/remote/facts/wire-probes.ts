import getIrrigationSetup from '../../../tools/irrigation/get-irrigation-setup.ts';
import getAgronomicState from '../../../tools/monitoring/get-agronomic-state.ts';
import getMoistureSeries from '../../../tools/monitoring/get-moisture-series.ts';
import { earlierWateringPeriod } from '../../domain/advice/balance/balance-from-full.ts';
import {
  NO_RESPONSE_SHOWN,
  responseOfHistory,
  type ShownFacts,
} from '../../domain/advice/response/response-of-history.ts';
import { responseOfTension } from '../../domain/advice/response/tension-response.ts';
import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { withFractionsOfSpacing } from '../../domain/advice/wetted-fraction.ts';
import { recordPeriod } from '../../domain/facts/moisture-record.ts';
import {
  DRYING_RATE_DAYS,
  type ModuleFacts,
  type ProbeFacts,
} from '../../domain/facts/probe-facts.ts';
import {
  dayEndsBeforeSilence,
  type HistoryFacts,
  historyFacts,
  isLongSilent,
  periodBeforeSilence,
  probeHistory,
} from '../../domain/facts/probe-history.ts';
import { soilTemperatures } from '../../domain/facts/soil-temperature.ts';
import { runPeriod, wateringsOnValve, wateringsToShow } from '../../domain/facts/watering-facts.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import type { WateringTarget } from '../../operation/fact-source.ts';
import { toIso } from '../../schema/wire-format.ts';
import type { FactRequests } from './fact-requests.ts';
import { toWateringFacts } from './farm-mappers.ts';
import {
  toFreshness,
  toProbeSeries,
  toSetupFacts,
  toStateFacts,
  toThermometers,
} from './probe-mappers.ts';
import { wateringBodies } from './wire-waterings.ts';

/** More than the readings of 25 hours, one a minute. */
const MAX_RECENT_READINGS = 5000;

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const WEEK_S = 7 * DAY_S;

export async function probeFacts(
  requests: FactRequests,
  module: ModuleFacts,
  { now, zone }: { readonly now: number; readonly zone: string },
): Promise<ProbeFacts> {
  const moduleId = module.id;
  const body = await requests.read(getMoistureSeries, {
    moduleId,
    start: toIso(now - MAX_FRESH_AGE_MS),
    end: toIso(now + 1),
    maxPoints: MAX_RECENT_READINGS,
    depths: true,
  });
  const state = toStateFacts(await requests.readOnce(getAgronomicState, { moduleId }));
  const setup = toSetupFacts(await requests.readOnce(getIrrigationSetup, { moduleId }));
  const period = {
    from: now - DRYING_RATE_DAYS * DAY_MS,
    to: now + FORESEEABLE_DAYS * DAY_MS,
  };
  const wateringsOf = async (
    target: WateringTarget,
    { from, to }: { readonly from: number; readonly to: number } = period,
  ) => (await wateringBodies(requests, { targets: [target], from, to })).map(toWateringFacts);
  const waterings = await wateringsOf({ moduleId });
  const freshness = toFreshness(body);
  const recent = toProbeSeries(body);
  const judgesTension = state.tension !== undefined;
  const ofParcel =
    judgesTension && module.parcelId !== null
      ? await wateringsOf({ parcelId: module.parcelId })
      : waterings;
  const onValve = wateringsOnValve(ofParcel, moduleId, setup.installation);

  const done = wateringsToShow({ waterings, wateringsOnValve: onValve }, now);
  const inputs = { recent, state, done, now, zone };
  const judged = isSoilMoisture(body, module)
    ? await judgedHistory(requests, moduleId, { ...inputs, freshness, setup })
    : {
        missingShare: 0,
        dryingRate: null,
        dayEnds: [],
        newestByDepth: [],
        ...(judgesTension
          ? await tensionHistory(requests, moduleId, inputs)
          : { soilTemperatures: [], ...NO_RESPONSE_SHOWN }),
      };

  const isLong = isLongSilent(
    { module, freshness, recent, dayEnds: judged.dayEnds },
    { now, zone },
  );
  return {
    module,
    freshness,
    recent,
    ...judged,
    state,
    setup: withFractionsOfSpacing(setup, recent.depths),
    waterings,
    earlierWaterings: isLong ? await wateringsOf({ moduleId }, earlierWateringPeriod(now)) : [],
    wateringsOnValve: onValve,
    wateringsOfParcel: judgesTension ? ofParcel : [],
  };
}

type JudgedInputs = Parameters<typeof responseOfHistory>[1] & { readonly now: number };

async function tensionHistory(
  requests: FactRequests,
  moduleId: number,
  { now, ...inputs }: JudgedInputs,
): Promise<ShownFacts & Pick<ProbeFacts, 'soilTemperatures'>> {
  const query = {
    moduleId,
    start: toIso(now - DRYING_RATE_DAYS * DAY_MS),
    end: toIso(now),
    interval: HOUR_S,
    depths: true,
  };
  const tension = await requests.read(getMoistureSeries, { ...query, type: 'tensio' });
  const temperature = await requests.read(getMoistureSeries, { ...query, type: 'temperature' });
  const thermometers = toThermometers(temperature);
  const history = probeHistory(toProbeSeries(tension), thermometers);
  return {
    // A tensiometer in ice shows no water of the soil.
    soilTemperatures: soilTemperatures(history.thermometers),
    ...responseOfTension(history, inputs),
  };
}

type HistoryInputs = Parameters<typeof responseOfHistory>[1] &
  Pick<ProbeFacts, 'freshness' | 'setup'> & { readonly now: number };

async function judgedHistory(
  requests: FactRequests,
  moduleId: number,
  { now, freshness, setup, ...inputs }: HistoryInputs,
): Promise<Pick<ProbeFacts, 'missingShare'> & ShownFacts & HistoryFacts> {
  // A series without a period covers the last week. One or two points of it are enough, because
  // only its share of missing readings is used.
  const { missingShare } = await requests.read(getMoistureSeries, { moduleId, interval: WEEK_S });
  const series = (period: Period, interval: number) => ({
    moduleId,
    start: toIso(period.start),
    end: toIso(period.end),
    interval,
    depths: true,
  });
  const historyOf = async (query: ReturnType<typeof series>, measuresTemperature: boolean) => {
    const moisture = await requests.read(getMoistureSeries, query);
    const thermometers = measuresTemperature
      ? toThermometers(await requests.read(getMoistureSeries, { ...query, type: 'temperature' }))
      : [];
    return probeHistory(toProbeSeries(moisture), thermometers);
  };
  const drying = { start: now - DRYING_RATE_DAYS * DAY_MS, end: now };
  const hours = await historyOf(series(drying, HOUR_S), true);
  const measuresTemperature = hours.depths.some(
    ({ soilTemperature }) => soilTemperature.length > 0,
  );
  const days = await historyOf(series(recordPeriod(now, inputs.zone), DAY_S), measuresTemperature);
  const silent = periodBeforeSilence(freshness.newestAt, now);
  const beforeSilence = silent && (await historyOf(series(silent, HOUR_S), true));
  const facts = historyFacts(hours, {
    days,
    doubts: inputs.state.doubts,
    wiltingPoint: inputs.state.wiltingPoint,
    watered: inputs.done.map(runPeriod),
    zone: inputs.zone,
  });
  const dayEnds =
    beforeSilence === null
      ? facts.dayEnds
      : dayEndsBeforeSilence(beforeSilence, {
          zone: inputs.zone,
          fractionWetted: setup.installation?.fractionWetted ?? 1,
        });
  return { missingShare, ...facts, dayEnds, ...responseOfHistory(hours, inputs) };
}

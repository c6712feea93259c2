import getIrrigationSetup from '../../../tools/irrigation/get-irrigation-setup.ts';
import getAgronomicState from '../../../tools/monitoring/get-agronomic-state.ts';
import getMoistureSeries from '../../../tools/monitoring/get-moisture-series.ts';
import { earlierWateringPeriod } from '../../domain/advice/balance/balance-from-full.ts';
import {
  assembleMeasured,
  assembleProbe,
  type JudgedHistory,
} from '../../domain/advice/probe/probe-assembly.ts';
import { FORESEEABLE_DAYS } from '../../domain/advice/watering-advice.ts';
import { probeWater } from '../../domain/advice/wetted-fraction.ts';
import { recordPeriod } from '../../domain/facts/moisture-record.ts';
import {
  DRYING_RATE_DAYS,
  type Freshness,
  type ModuleFacts,
  type ProbeFacts,
} from '../../domain/facts/probe-facts.ts';
import {
  isLongSilent,
  type ProbeHistory,
  periodBeforeSilence,
  probeHistory,
} from '../../domain/facts/probe-history.ts';
import {
  wateringsOnValve,
  wateringsToShow,
  withThoseOfParcel,
} from '../../domain/facts/watering-facts.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import type { MoistureSeriesBody } from '../../schema/moisture/series.ts';
import { toIso } from '../../schema/wire-format.ts';
import type { WateringTarget } from '../../store/irrigation/watering-target.ts';
import type { FactRequests } from './fact-requests.ts';
import { toWateringFacts } from './farm-mappers.ts';
import {
  toFreshness,
  toProbeSeries,
  toSetupFacts,
  toStateFacts,
  toThermometers,
} from './probe-mappers.ts';
import { parcelWaterings, wateringBodies } from './wire-waterings.ts';

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
  const beforeProbe = (of = period) =>
    module.parcelId === null ? [] : parcelWaterings(requests, module.parcelId, of);
  const waterings = withThoseOfParcel(await wateringsOf({ moduleId }), await beforeProbe());
  const freshness = toFreshness(body);
  const recent = toProbeSeries(body);
  const judgesTension = state.tension !== undefined;
  const ofParcel =
    judgesTension && module.parcelId !== null
      ? withThoseOfParcel(await wateringsOf({ parcelId: module.parcelId }), await beforeProbe())
      : waterings;
  const onValve = wateringsOnValve(ofParcel, moduleId, setup.installation);

  const done = wateringsToShow({ waterings, wateringsOnValve: onValve }, now);
  const history = await judgedHistory(requests, module, {
    series: body,
    freshness,
    judgesTension,
    now,
    zone,
  });
  const measured = assembleMeasured(
    { freshness, recent, state },
    { history, zone, ...probeWater(setup, recent.depths, done) },
  );

  const earlier = earlierWateringPeriod(now);
  const isLong = isLongSilent({ module, ...measured }, { now, zone });
  return assembleProbe(measured, {
    module,
    setup,
    waterings,
    earlierWaterings: isLong
      ? withThoseOfParcel(await wateringsOf({ moduleId }, earlier), await beforeProbe(earlier))
      : [],
    wateringsOnValve: onValve,
    wateringsOfParcel: ofParcel,
  });
}

interface HistoryInputs {
  readonly series: MoistureSeriesBody;
  readonly freshness: Freshness;
  readonly judgesTension: boolean;
  readonly now: number;
  readonly zone: string;
}

async function judgedHistory(
  requests: FactRequests,
  module: ModuleFacts,
  { series, freshness, judgesTension, now, zone }: HistoryInputs,
): Promise<JudgedHistory> {
  const moduleId = module.id;
  const dryingDays = { start: now - DRYING_RATE_DAYS * DAY_MS, end: now };
  const historyOf = (period: Period, interval: number, facts?: HistoryQuery) =>
    readHistory(requests, { ...period, moduleId, interval }, facts);

  if (!isSoilMoisture(series, module))
    return judgesTension
      ? { judges: 'tension', hours: await historyOf(dryingDays, HOUR_S, { type: 'tensio' }) }
      : null;

  // A series without a period covers the last week. One or two points of it are enough, because
  // only its share of missing readings is used.
  const { missingShare } = await requests.read(getMoistureSeries, { moduleId, interval: WEEK_S });
  const hours = await historyOf(dryingDays, HOUR_S);
  const measuresTemperature = hours.depths.some(
    ({ soilTemperature }) => soilTemperature.length > 0,
  );
  const days = await historyOf(recordPeriod(now, zone), DAY_S, { measuresTemperature });
  const silent = periodBeforeSilence(freshness.newestAt, now);
  const beforeSilence = silent && (await historyOf(silent, HOUR_S));
  return { judges: 'moisture', hours, days, beforeSilence, missingShare };
}

interface HistoryQuery {
  /** By default, moisture is read. */
  readonly type?: 'tensio';
  readonly measuresTemperature?: boolean;
}

async function readHistory(
  requests: FactRequests,
  span: Period & { readonly moduleId: number; readonly interval: number },
  { type, measuresTemperature = true }: HistoryQuery = {},
): Promise<ProbeHistory> {
  const query = { ...span, start: toIso(span.start), end: toIso(span.end), depths: true };
  const series = await requests.read(getMoistureSeries, type ? { ...query, type } : query);
  const thermometers = measuresTemperature
    ? toThermometers(await requests.read(getMoistureSeries, { ...query, type: 'temperature' }))
    : [];
  return probeHistory(toProbeSeries(series), thermometers);
}

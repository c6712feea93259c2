import farmOverview from '../../../tools/advice/farm-overview.ts';
import listAlerts from '../../../tools/alerts/list-alerts.ts';
import listDevices from '../../../tools/ingest/list-devices.ts';
import getIrrigationSetup from '../../../tools/irrigation/get-irrigation-setup.ts';
import getParcelIrrigationSetup from '../../../tools/irrigation/get-parcel-irrigation-setup.ts';
import listSchedules from '../../../tools/irrigation/list-schedules.ts';
import listWaterSources from '../../../tools/moisture/list-water-sources.ts';
import getAgronomicState from '../../../tools/monitoring/get-agronomic-state.ts';
import getModule from '../../../tools/monitoring/get-module.ts';
import getMoistureSeries from '../../../tools/monitoring/get-moisture-series.ts';
import listGateways from '../../../tools/monitoring/list-gateways.ts';
import listModules from '../../../tools/monitoring/list-modules.ts';
import getWeather from '../../../tools/weather/get-weather.ts';
import listRain from '../../../tools/weather/list-rain.ts';
import { sensorSteps } from '../../domain/advice/depth-curves.ts';
import type { SharedSource } from '../../domain/advice/farm/shared-water.ts';
import {
  SPARKLINE_STEP_MS,
  type SparklineCurve,
  sparklinePeriod,
} from '../../domain/advice/farm/sparkline.ts';
import type { WaterHours } from '../../domain/advice/witness/watering-evidence.ts';
import type {
  ActiveSchedule,
  AlertFacts,
  DoubtfulTemperature,
  FarmFacts,
  GatewayFacts,
  WaitingCounts,
  WaitingDevices,
} from '../../domain/facts/farm-facts.ts';
import type { ParcelFacts } from '../../domain/facts/parcel-facts.ts';
import type {
  ModuleFacts,
  ProbeFacts,
  ProbeSeries,
  SetupFacts,
  StateFacts,
} from '../../domain/facts/probe-facts.ts';
import { hasSoilMoisture } from '../../domain/facts/probe-series.ts';
import { type Thermometer, thermometersInSoil } from '../../domain/facts/soil-temperature.ts';
import type { ParcelWateringFacts, ProbeWateringFacts } from '../../domain/facts/watering-facts.ts';
import type { WeatherFacts } from '../../domain/facts/weather-facts.ts';
import { MAX_UNASSIGNED_DEVICES } from '../../domain/ingest/unassigned-devices.ts';
import { receivedReason } from '../../domain/ingest/unread-reason.ts';
import { withoutNulls } from '../../domain/items.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { DAY_MS, HOUR_MS, type Period, SECOND_MS } from '../../domain/periods.ts';
import { RAIN_MARGIN_DAYS, type RecordedRain, toRainRecord } from '../../domain/weather/rain.ts';
import type { ComposedCall, OnProgress } from '../../operation/call.ts';
import type { FactSource, WateringSelection } from '../../operation/fact-source.ts';
import type { OverviewBody } from '../../schema/advice/overview.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { nullIfNotFound } from '../../schema/error.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import type {
  AgronomicStateBody,
  MoistureSeriesBody,
  SeriesInput,
} from '../../schema/moisture/series.ts';
import { toIso } from '../../schema/wire-format.ts';
import { toWaitingDevices } from '../../service/ingest/devices/waiting-devices.ts';
import { mapConcurrently } from './concurrency.ts';
import type { FactRequests } from './fact-requests.ts';
import { toAlertFacts, toGatewayFacts, toScheduleFacts, toWateringFacts } from './farm-mappers.ts';
import {
  toModuleFacts,
  toParcelFacts,
  toProbeSeries,
  toSetupFacts,
  toSparkline,
  toStateFacts,
  toThermometers,
} from './probe-mappers.ts';
import { probeFacts } from './wire-probes.ts';
import {
  lastWateringsWithoutDose,
  newestWaterings,
  parcelWaterings,
  wateringBodies,
} from './wire-waterings.ts';

const MAX_READINGS = 10_000;
/** Instead of the waterings of more probes and parcels, those of the whole farm are read. */
const MAX_TARGETS = 8;

/** Facts from the answers of a service elsewhere, which may know only the specification. */
export class WireFacts implements FactSource {
  readonly #requests: FactRequests;
  readonly #call: ComposedCall;

  constructor(requests: FactRequests, call: ComposedCall) {
    this.#requests = requests;
    this.#call = call;
  }

  async module(id: number): Promise<ModuleFacts> {
    return toModuleFacts(await this.#requests.readOnce(getModule, { moduleId: id }));
  }

  async modules(): Promise<readonly ModuleFacts[]> {
    const rows = await this.#requests.readRows(listModules, { detail: 'concise' });
    return rows.map(toModuleFacts);
  }

  async probes(
    ids: readonly number[],
    onProgress?: OnProgress,
  ): Promise<ReadonlyMap<number, ProbeFacts>> {
    const listed = ids.length > 1 ? await this.modules() : [];
    const moduleById = new Map(listed.map((module) => [module.id, module]));
    let doneCount = 0;

    const probes = await mapConcurrently(ids, async (id) => {
      const facts = await nullIfNotFound(async () =>
        probeFacts(this.#requests, moduleById.get(id) ?? (await this.module(id)), this.#call),
      );
      doneCount++;
      onProgress?.(doneCount, ids.length);
      return facts;
    });
    return new Map(withoutNulls(probes).map((facts) => [facts.module.id, facts]));
  }

  async state(id: number): Promise<StateFacts> {
    return toStateFacts(await this.agronomicState(id));
  }

  async states(ids: readonly number[]): Promise<ReadonlyMap<number, StateFacts>> {
    const found = await mapConcurrently(ids, (id) =>
      nullIfNotFound(async () => [id, await this.state(id)] as const),
    );
    return new Map(withoutNulls(found));
  }

  async setup(id: number): Promise<SetupFacts> {
    return toSetupFacts(await this.#requests.readOnce(getIrrigationSetup, { moduleId: id }));
  }

  async parcel(id: number): Promise<ParcelFacts> {
    return toParcelFacts(await this.#requests.readOnce(getParcelIrrigationSetup, { parcelId: id }));
  }

  async series(id: number, period: Period, intervalMs: number): Promise<ProbeSeries> {
    const query = { ...isoPeriod(period), interval: intervalMs / SECOND_MS, depths: true };
    return toProbeSeries(await this.moistureSeries(id, query));
  }

  async readings(id: number, period: Period): Promise<ProbeSeries | null> {
    const query = { ...isoPeriod(period), maxPoints: MAX_READINGS, depths: true };
    const body = await this.moistureSeries(id, query);
    return body.interval_seconds === null ? toProbeSeries(body) : null;
  }

  async thermometers(id: number, period: Period): Promise<readonly Thermometer[]> {
    const query = { ...isoPeriod(period), interval: HOUR_MS / SECOND_MS, depths: true };
    return toThermometers(await this.moistureSeries(id, { type: 'temperature', ...query }));
  }

  async waterHours(periods: ReadonlyMap<number, Period>): Promise<ReadonlyMap<number, WaterHours>> {
    const found = await mapConcurrently([...periods], async ([id, period]) => {
      const module = await this.module(id);
      const isTension = module.category === 'TENSIOMETER';
      const query = { ...isoPeriod(period), interval: HOUR_MS / SECOND_MS, depths: true };
      const type = isTension ? 'tensio' : 'humidity';
      const series = toProbeSeries(await this.moistureSeries(id, { type, ...query }));
      if (isTension ? series.type !== 'tensio' : !hasSoilMoisture(series, module)) return null;

      const { now } = this.#call;
      const recent = isTension
        ? null
        : await this.readings(id, { start: now - MAX_FRESH_AGE_MS, end: now + 1 });
      const hours: WaterHours = {
        isTension,
        depths: series.depths,
        thermometers: thermometersInSoil(await this.thermometers(id, period)),
        steps: recent === null ? new Map() : sensorSteps(recent),
      };
      return [id, hours] as const;
    });
    return new Map(withoutNulls(found));
  }

  async sparklines(ids: readonly number[]): Promise<ReadonlyMap<number, SparklineCurve>> {
    const period = isoPeriod(sparklinePeriod(this.#call.now));
    const query = { ...period, interval: SPARKLINE_STEP_MS / SECOND_MS };
    const found = await mapConcurrently(ids, (id) =>
      nullIfNotFound(async () => {
        const { tension } = await this.state(id);
        const type = tension === undefined ? 'humidity' : 'tensio';
        return [id, toSparkline(await this.moistureSeries(id, { type, ...query }))] as const;
      }),
    );
    return new Map(withoutNulls(found).filter(([, { curve }]) => curve.length > 0));
  }

  async waterings(selection: WateringSelection): Promise<readonly ProbeWateringFacts[]> {
    return (await this.wateringBodies(selection)).map(toWateringFacts);
  }

  parcelWaterings(
    parcelId: number | null,
    period: Pick<WateringSelection, 'from' | 'to' | 'status'>,
  ): Promise<readonly ParcelWateringFacts[]> {
    return parcelWaterings(this.#requests, parcelId, period);
  }

  async wateringBodies(selection: WateringSelection): Promise<readonly WateringBody[]> {
    const { targets = [] } = selection;
    if (targets.length <= MAX_TARGETS) return wateringBodies(this.#requests, selection);

    const ofFarm = await wateringBodies(this.#requests, { ...selection, targets: undefined });
    const parcels = new Map((await this.modules()).map(({ id, parcelId }) => [id, parcelId]));
    return ofFarm.filter(({ moduleId }) =>
      targets.some((target) =>
        'moduleId' in target
          ? target.moduleId === moduleId
          : target.parcelId === parcels.get(moduleId),
      ),
    );
  }

  newestWaterings(modules: readonly ModuleFacts[]): ReturnType<FactSource['newestWaterings']> {
    return newestWaterings(this.#requests, modules, this.#call.now);
  }

  wateringsWithoutDose(id: number, count: number): Promise<readonly ProbeWateringFacts[]> {
    return lastWateringsWithoutDose(this.#requests, id, count);
  }

  async rain(period: { readonly from: number; readonly to: number }): Promise<RecordedRain> {
    if (!this.#requests.isSupported(listRain)) return { ...period, records: [] };

    const marginMs = RAIN_MARGIN_DAYS * DAY_MS;
    const rows = await this.#requests.readRows(listRain, {
      from: toIso(Math.max(0, period.from - marginMs)),
      to: toIso(period.to + marginMs),
      totals: 'none',
    });
    return { ...period, records: rows.map((row) => toRainRecord(row, this.#call.zone)) };
  }

  async weather(days: { from?: string; to?: string } = {}): Promise<WeatherFacts> {
    return this.#requests.isSupported(getWeather)
      ? this.#requests.readOnce(getWeather, days)
      : { data: [], pace: null, forecast: null };
  }

  async alerts(moduleIds?: readonly number[]): Promise<readonly AlertFacts[]> {
    const filters = moduleIds === undefined ? [{}] : moduleIds.map((moduleId) => ({ moduleId }));
    const lists = await mapConcurrently(filters, (filter) =>
      this.#requests.readRows(listAlerts, { isActive: true, ...filter }),
    );
    return lists.flat().map(toAlertFacts);
  }

  async schedules(): Promise<ReadonlyMap<number, ActiveSchedule>> {
    const rows = await this.#requests.readRows(listSchedules, { isActive: true });
    return new Map(rows.map((row) => [row.id, toScheduleFacts(row)]));
  }

  async waterSources(): Promise<readonly SharedSource[]> {
    return this.#requests.isSupported(listWaterSources)
      ? (await this.#requests.readOnce(listWaterSources, {})).data
      : [];
  }

  async gateways(): Promise<readonly GatewayFacts[]> {
    return (await this.#requests.readRows(listGateways, {})).map(toGatewayFacts);
  }

  async waitingDevices(limit: number): Promise<WaitingDevices> {
    if (!this.#requests.isSupported(listDevices)) return { unassigned: [], unread: [] };
    const query = { isAssigned: false, limit };
    // An older service does not list messages.
    const { data, unread = [] } = await this.#requests.readOnce(listDevices, query);
    const senders = unread.map(({ sender, reason }) => ({
      sender,
      reason: receivedReason(reason),
    }));
    return toWaitingDevices(data, senders);
  }

  async waitingCounts(): Promise<WaitingCounts> {
    const { unassigned, unread } = await this.waitingDevices(MAX_UNASSIGNED_DEVICES);
    return { devices: unassigned.length, senders: unread.length };
  }

  /** A service that does not compose its own answers says nothing of its messages and copies. */
  async notices(): Promise<readonly Advisory[]> {
    return [];
  }

  /** The newest temperatures of a whole farm take a request for each probe, so they are not read. */
  async doubtfulTemperatures(): Promise<readonly DoubtfulTemperature[]> {
    return [];
  }

  farm(): FarmFacts {
    return { id: null, name: null, lang: null, units: null };
  }

  async overview(limit: number): Promise<OverviewBody | null> {
    return this.#requests.isSupported(farmOverview)
      ? this.#requests.read(farmOverview, { limit })
      : null;
  }

  moistureSeries(id: number, query: SeriesInput): Promise<MoistureSeriesBody> {
    return this.#requests.read(getMoistureSeries, { moduleId: id, ...query });
  }

  agronomicState(id: number): Promise<AgronomicStateBody> {
    return this.#requests.readOnce(getAgronomicState, { moduleId: id });
  }
}

const isoPeriod = ({ start, end }: Period) => ({ start: toIso(start), end: toIso(end) });

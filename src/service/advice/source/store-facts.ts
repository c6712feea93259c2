import type { SharedSource } from '../../../domain/advice/farm/shared-water.ts';
import type { SparklineCurve } from '../../../domain/advice/farm/sparkline.ts';
import type { WaterHours } from '../../../domain/advice/witness/watering-evidence.ts';
import { alertStatus } from '../../../domain/alerts/alert-episodes.ts';
import type {
  ActiveSchedule,
  AlertFacts,
  DoubtfulTemperature,
  FarmFacts,
  GatewayFacts,
  WaitingCounts,
  WaitingDevices,
} from '../../../domain/facts/farm-facts.ts';
import type { ParcelFacts } from '../../../domain/facts/parcel-facts.ts';
import type {
  ModuleFacts,
  ProbeFacts,
  ProbeSeries,
  SetupFacts,
  StateFacts,
} from '../../../domain/facts/probe-facts.ts';
import { seriesOfSource, timedValues } from '../../../domain/facts/probe-series.ts';
import { probeState } from '../../../domain/facts/probe-state.ts';
import type { Thermometer } from '../../../domain/facts/soil-temperature.ts';
import type {
  ParcelWateringFacts,
  ProbeWateringFacts,
} from '../../../domain/facts/watering-facts.ts';
import type { WeatherFacts } from '../../../domain/facts/weather-facts.ts';
import { versionAtWithParcel } from '../../../domain/irrigation/equipment-timeline.ts';
import { entryOf, firstOf } from '../../../domain/items.ts';
import { readAllRows } from '../../../domain/list-pages.ts';
import {
  type CalibratedSensor,
  withoutCalibrationSteps,
} from '../../../domain/moisture/calibration.ts';
import { settingsVersionAt } from '../../../domain/moisture/probe-settings.ts';
import { HOUR_MS, type Period } from '../../../domain/periods.ts';
import { unitSystemOf } from '../../../domain/units.ts';
import { type RecordedRain, withMargin } from '../../../domain/weather/rain.ts';
import { moduleDisplayName } from '../../../language/default-names.ts';
import { langOfCountry } from '../../../language/index.ts';
import type { Call, OnProgress } from '../../../operation/call.ts';
import type { FactSource, WateringSelection } from '../../../operation/fact-source.ts';
import type { Advisory } from '../../../schema/advisory.ts';
import type { WateringBody } from '../../../schema/irrigation/watering.ts';
import type {
  AgronomicStateBody,
  MoistureSeriesBody,
  SeriesInput,
} from '../../../schema/moisture/series.ts';
import { seriesInput } from '../../../schema/moisture/series.ts';
import { parseInstantOrNull } from '../../../schema/wire-format.ts';
import { activeAlertStates } from '../../../store/alerts/alert-states.ts';
import { moduleNames, modulesOfParcels } from '../../../store/company/modules.ts';
import { countUnassignedDevices } from '../../../store/ingest/devices.ts';
import { unreadMessages } from '../../../store/ingest/unread-messages.ts';
import { ownVersions } from '../../../store/irrigation/installations.ts';
import { parcelWateringFacts } from '../../../store/irrigation/parcel-waterings.ts';
import { activeSchedules } from '../../../store/irrigation/schedules.ts';
import {
  type WateringPeriod,
  wateringFacts,
  wateringsInPeriod,
  wateringsWithoutDose,
} from '../../../store/irrigation/watering-facts.ts';
import { type NewestDone, newestDone } from '../../../store/irrigation/watering-lists.ts';
import { doubtfulTemperatures } from '../../../store/moisture/doubtful-temperatures.ts';
import { readingRetention } from '../../../store/moisture/reading-retention.ts';
import { readingsOfSensors } from '../../../store/moisture/sensor-columns.ts';
import { bucketStartsWithReadings } from '../../../store/moisture/series.ts';
import {
  settingsVersionsOfModules,
  settingsVersionsOfParcel,
} from '../../../store/moisture/settings-versions.ts';
import { rainIn } from '../../../store/weather/rain.ts';
import { unsentMail } from '../../alerts/means-of-notice.ts';
import { backupNotices } from '../../backups/backup-notices.ts';
import { seasonsOfParcels, toCropSeasonFacts } from '../../company/seasons.ts';
import {
  loadProbeFacts,
  loadSparklines,
  loadStateInputs,
} from '../../facts/probe-facts-loading.ts';
import { loadProbeParts, summarySourceOf } from '../../facts/probe-parts.ts';
import { loadSetups } from '../../facts/setup-loading.ts';
import { loadWaterHours } from '../../facts/water-hours.ts';
import { listedDevices } from '../../ingest/devices/devices.ts';
import { toWaitingDevices } from '../../ingest/devices/waiting-devices.ts';
import { toWateringBody } from '../../irrigation/waterings.ts';
import { hoursInPlaceBefore } from '../../moisture/retained-hours.ts';
import { meansOfSensors } from '../../moisture/sensor-means.ts';
import { listWaterSources } from '../../moisture/water-times.ts';
import { getAgronomicState } from '../../monitoring/agronomic-state.ts';
import { listGateways } from '../../monitoring/gateways.ts';
import { getMoistureSeries } from '../../monitoring/moisture-series.ts';
import { assertOwnParcel, requireCommissionedModule } from '../../ownership.ts';
import { balanceLayersOfParcel } from '../../soil/balance-layers.ts';
import { listWeather } from '../../weather/weather-days.ts';

/** More single readings than these are not read at once. */
const MAX_READINGS = 10_000;

/** The facts that the store holds, one query for each kind of row. */
export class StoreFacts implements FactSource {
  /** Without the advisories of what answers are computed from. */
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = { ...call, advise: () => undefined };
  }

  async module(id: number): Promise<ModuleFacts> {
    const module = await requireCommissionedModule(this.#call, id);
    return { ...module, name: moduleDisplayName(module, this.#call.lang) };
  }

  async modules(): Promise<ModuleFacts[]> {
    const { db, lang } = this.#call;
    const modules = await moduleNames(db);
    return modules.map((module) => ({ ...module, name: moduleDisplayName(module, lang) }));
  }

  async probes(
    ids: readonly number[],
    onProgress?: OnProgress,
  ): Promise<ReadonlyMap<number, ProbeFacts>> {
    const probes = await loadProbeFacts(this.#call, ids);
    onProgress?.(ids.length, ids.length);
    return new Map(probes.map((facts) => [facts.module.id, facts]));
  }

  async state(id: number): Promise<StateFacts> {
    await requireCommissionedModule(this.#call, id);
    return probeState((await loadStateInputs(this.#call, id))!, this.#call.now);
  }

  /** Those of the facts that are kept, since they are mostly asked for again. */
  async states(ids: readonly number[]): Promise<ReadonlyMap<number, StateFacts>> {
    const probes = await this.probes(ids);
    return new Map([...probes].map(([id, { state }]) => [id, state]));
  }

  async setup(id: number): Promise<SetupFacts> {
    const module = await requireCommissionedModule(this.#call, id);
    const settings = await settingsVersionsOfModules(this.#call.db, [module]);
    return firstOf(await loadSetups(this.#call, [module], settings));
  }

  async parcel(id: number): Promise<ParcelFacts> {
    const { db, now } = this.#call;
    await assertOwnParcel(this.#call, id);
    const season = entryOf(await seasonsOfParcels(db, [id]), id);
    const settings = settingsVersionAt(await settingsVersionsOfParcel(db, id), now);
    const versions = await ownVersions(db, { parcelId: id });
    return {
      id,
      season: toCropSeasonFacts(season),
      rootDepthCm: season.rootDepthCm ?? settings?.rootDepthCm ?? null,
      layers: await balanceLayersOfParcel(db, id, settings?.stonesByDepth ?? null),
      installation: versionAtWithParcel(versions, now),
      settings,
    };
  }

  async #parts(id: number) {
    const module = await requireCommissionedModule(this.#call, id);
    return firstOf(await loadProbeParts(this.#call.db, [module]));
  }

  async series(id: number, period: Period, intervalMs: number): Promise<ProbeSeries> {
    const source = summarySourceOf(await this.#parts(id), 'humidity', period.end);
    const { sensors } = source;
    const means = await meansOfSensors(this.#call.db, sensors, period, intervalMs);
    const series = seriesOfSource(
      source,
      sensors.map(({ id, calibration }) =>
        withoutCalibrationSteps(calibration, means(id), intervalMs),
      ),
      period.end,
    );
    return this.#withHours(series, { period, intervalMs, sensors });
  }

  async #withHours(
    series: ProbeSeries,
    asked: Omit<Parameters<typeof hoursInPlaceBefore>[1], 'zone'>,
  ): Promise<ProbeSeries> {
    const retention = await readingRetention(this.#call.db);
    const hoursBefore = hoursInPlaceBefore(retention, { ...asked, zone: null });
    return hoursBefore === null ? series : { ...series, hoursBefore };
  }

  async readings(id: number, period: Period): Promise<ProbeSeries | null> {
    const { db } = this.#call;
    const source = summarySourceOf(await this.#parts(id), 'humidity', period.end);
    const sensorIds = source.sensors.map((sensor) => sensor.id);
    const bounds = { first: period.start, last: period.end - 1 };
    const instants = await bucketStartsWithReadings(db, sensorIds, bounds, null, MAX_READINGS + 1);
    if (instants.length > MAX_READINGS) return null;

    const readings = await readingsOfSensors(db, source.sensors, period);
    const valuesOf = ({ id, calibration }: CalibratedSensor) =>
      withoutCalibrationSteps(calibration, readings.get(id) ?? { at: [], values: [] });
    const series = seriesOfSource(source, source.sensors.map(valuesOf), period.end);
    return this.#withHours(series, { period, intervalMs: null, sensors: source.sensors });
  }

  async thermometers(id: number, period: Period): Promise<Thermometer[]> {
    const { sensors } = await this.#parts(id);
    const thermometers = sensors.filter(({ type }) => type === 'temperature');
    const means = await meansOfSensors(this.#call.db, thermometers, period, HOUR_MS);
    return thermometers.map((sensor) => {
      const { at, values } = means(sensor.id);
      return { depthCm: sensor.depth, points: timedValues(at, values) };
    });
  }

  waterHours(periods: ReadonlyMap<number, Period>): Promise<ReadonlyMap<number, WaterHours>> {
    return loadWaterHours(this.#call, periods);
  }

  sparklines(ids: readonly number[]): Promise<ReadonlyMap<number, SparklineCurve>> {
    return loadSparklines(this.#call, ids);
  }

  async waterings(selection: WateringSelection): Promise<ProbeWateringFacts[]> {
    const ids = await this.#selectedModules(selection);
    return wateringFacts(this.#call.db, ids, selection, this.#call.now);
  }

  parcelWaterings(parcelId: number | null, period: WateringPeriod): Promise<ParcelWateringFacts[]> {
    const parcelIds = parcelId === null ? null : [parcelId];
    return parcelWateringFacts(this.#call.db, parcelIds, period, this.#call.now);
  }

  async wateringBodies(selection: WateringSelection): Promise<WateringBody[]> {
    const ids = await this.#selectedModules(selection);
    return (await wateringsInPeriod(this.#call.db, ids, selection)).map(toWateringBody);
  }

  async #selectedModules({ targets }: WateringSelection): Promise<number[] | undefined> {
    if (targets === undefined) return undefined;
    const moduleIds = targets.flatMap((target) => ('moduleId' in target ? target.moduleId : []));
    const parcelIds = targets.flatMap((target) => ('parcelId' in target ? target.parcelId : []));
    const ofParcels = await modulesOfParcels(this.#call.db, [...new Set(parcelIds)]);
    return [...new Set([...moduleIds, ...ofParcels.map(({ id }) => id)])];
  }

  /**
   * The newest watering at a tensiometer is that of its parcel, because it often has none of its
   * own.
   */
  async newestWaterings(modules: readonly ModuleFacts[]): Promise<ReadonlyMap<number, NewestDone>> {
    const { db, now } = this.#call;
    const newest = await newestDone(db, now);
    const ofParcels = new Map<number, NewestDone>();
    for (const { id, parcelId } of await moduleNames(db)) {
      const done = newest.get(id);
      if (parcelId === null || done === undefined) continue;
      const known = ofParcels.get(parcelId);
      if (known === undefined || done.startedAt > known.startedAt) ofParcels.set(parcelId, done);
    }

    return new Map(
      modules.flatMap(({ id, category, parcelId }) => {
        const isOfParcel = category === 'TENSIOMETER' && parcelId !== null;
        const done = isOfParcel ? ofParcels.get(parcelId) : newest.get(id);
        return done === undefined ? [] : [[id, done] as const];
      }),
    );
  }

  async rain(period: { readonly from: number; readonly to: number }): Promise<RecordedRain> {
    return { ...period, records: await rainIn(this.#call.db, withMargin(period)) };
  }

  weather(days: { from?: string; to?: string } = {}): Promise<WeatherFacts> {
    return listWeather(this.#call, days);
  }

  async wateringsWithoutDose(id: number, count: number): Promise<ProbeWateringFacts[]> {
    const { db, now } = this.#call;
    const { value } = await wateringsWithoutDose(db, [id], now, { perPage: count }).next();
    return value ?? [];
  }

  async alerts(moduleIds?: readonly number[]): Promise<AlertFacts[]> {
    const rows = await activeAlertStates(this.#call.db, moduleIds);
    return rows.map((row) => ({
      id: row.id,
      moduleId: row.moduleId,
      threshold: Number(row.threshold),
      state: row.stateId === null ? null : this.#alertState(row),
    }));
  }

  #alertState(row: {
    readonly since: number | null;
    readonly value: number | null;
    readonly evaluatedAt: number | null;
  }): AlertFacts['state'] {
    const { since, value, evaluatedAt } = row;
    const status = alertStatus(row, this.#call.now);
    return { status, isFiring: since !== null, since, value, at: evaluatedAt };
  }

  async schedules(): Promise<ReadonlyMap<number, ActiveSchedule>> {
    const schedules = await activeSchedules(this.#call.db);
    return new Map(schedules.map((schedule) => [schedule.id, schedule]));
  }

  async waterSources(): Promise<readonly SharedSource[]> {
    return (await listWaterSources(this.#call)).data;
  }

  async gateways(): Promise<GatewayFacts[]> {
    const { lang } = this.#call;
    const gateways = await readAllRows((page) => listGateways(this.#call, { lang, ...page }));
    return gateways.map(({ id, imei, status, lastSeen, modules }) => ({
      id,
      imei,
      isSilent: status === 'faulty',
      lastSeenAt: parseInstantOrNull(lastSeen),
      modules,
    }));
  }

  async waitingDevices(limit: number): Promise<WaitingDevices> {
    const { db, now } = this.#call;
    const data = await listedDevices(this.#call, { isAssigned: false, limit });
    return toWaitingDevices(data, await unreadMessages(db, now));
  }

  async waitingCounts(): Promise<WaitingCounts> {
    const { db, now } = this.#call;
    const senders = (await unreadMessages(db, now)).map(({ sender }) => sender);
    return { devices: await countUnassignedDevices(db), senders: new Set(senders).size };
  }

  async notices(): Promise<readonly Advisory[]> {
    return [...(await unsentMail(this.#call)), ...(await backupNotices(this.#call))];
  }

  doubtfulTemperatures(): Promise<readonly DoubtfulTemperature[]> {
    const { db, now } = this.#call;
    return doubtfulTemperatures(db, now);
  }

  farm(): FarmFacts {
    const { id, name, country_code, units } = this.#call.company;
    return {
      id,
      name,
      lang: langOfCountry(country_code),
      units: unitSystemOf(units, country_code),
    };
  }

  async overview(): Promise<null> {
    return null;
  }

  moistureSeries(id: number, query: SeriesInput): Promise<MoistureSeriesBody> {
    return getMoistureSeries(this.#call, id, seriesInput.parse(query));
  }

  agronomicState(id: number): Promise<AgronomicStateBody> {
    return getAgronomicState(this.#call, id);
  }
}

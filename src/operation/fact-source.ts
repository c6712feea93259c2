import type { SharedSource } from '../domain/advice/farm/shared-water.ts';
import type { SparklineCurve } from '../domain/advice/farm/sparkline.ts';
import type { WaterHours } from '../domain/advice/witness/watering-evidence.ts';
import type {
  ActiveSchedule,
  AlertFacts,
  DoubtfulTemperature,
  FarmFacts,
  GatewayFacts,
  WaitingCounts,
  WaitingDevices,
} from '../domain/facts/farm-facts.ts';
import type { ParcelFacts } from '../domain/facts/parcel-facts.ts';
import type {
  ModuleFacts,
  ProbeFacts,
  ProbeSeries,
  SetupFacts,
  StateFacts,
} from '../domain/facts/probe-facts.ts';
import type { Thermometer } from '../domain/facts/soil-temperature.ts';
import type {
  ParcelWateringFacts,
  ProbeWateringFacts,
  WateringFacts,
} from '../domain/facts/watering-facts.ts';
import type { WeatherFacts } from '../domain/facts/weather-facts.ts';
import type { Period } from '../domain/periods.ts';
import type { RecordedRain } from '../domain/weather/rain.ts';
import type { OverviewBody } from '../schema/advice/overview.ts';
import type { Advisory } from '../schema/advisory.ts';
import type { WateringBody, WateringStatus } from '../schema/irrigation/watering.ts';
import type {
  AgronomicStateBody,
  MoistureSeriesBody,
  SeriesInput,
} from '../schema/moisture/series.ts';
import type { WateringTarget } from '../store/irrigation/watering-target.ts';
import type { OnProgress } from './call.ts';

export interface WateringSelection {
  /** Default: the whole farm. Rows of several targets are returned once. */
  readonly targets?: readonly WateringTarget[] | undefined;
  /** The period of the starts, in ms: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  readonly status?: WateringStatus;
}

/**
 * Where answers about soil and water take their facts from: the store, or a service elsewhere. Of
 * the store, each method takes one query per kind of row, however many probes there are. Ids of
 * modules that were never in service throw 404, those of another company 403; only the methods that take
 * several leave such modules out.
 */
export interface FactSource {
  module(id: number): Promise<ModuleFacts>;
  /** All of the farm by id, with their default names in the language of the call. */
  modules(): Promise<readonly ModuleFacts[]>;
  /** By id. What an advice for these probes needs. */
  probes(ids: readonly number[], onProgress?: OnProgress): Promise<ReadonlyMap<number, ProbeFacts>>;
  state(id: number): Promise<StateFacts>;
  /** By id. Leaves out modules that are not in service. */
  states(ids: readonly number[]): Promise<ReadonlyMap<number, StateFacts>>;
  setup(id: number): Promise<SetupFacts>;
  /**
   * The facts of a parcel itself. Throws 404 for an unknown one, 403 for that of another company.
   */
  parcel(id: number): Promise<ParcelFacts>;
  /** Means of an interval in ms. */
  series(id: number, period: Period, intervalMs: number): Promise<ProbeSeries>;
  /** Single readings; null if they are too many to be read at once. */
  readings(id: number, period: Period): Promise<ProbeSeries | null>;
  /** The temperature sensors of a probe; the points are hourly means. */
  thermometers(id: number, period: Period): Promise<readonly Thermometer[]>;
  /** By id, what shows water in the soil in the period of each; of those that measure it. */
  waterHours(periods: ReadonlyMap<number, Period>): Promise<ReadonlyMap<number, WaterHours>>;
  /** Moisture, or tension, of several probes for `sparklineValues`; of those that have some. */
  sparklines(ids: readonly number[]): Promise<ReadonlyMap<number, SparklineCurve>>;
  /** Those on probes, oldest start first. */
  waterings(selection: WateringSelection): Promise<readonly ProbeWateringFacts[]>;
  /** Those that a parcel, or each parcel, got while it had no probe, oldest start first. */
  parcelWaterings(
    parcelId: number | null,
    period: Pick<WateringSelection, 'from' | 'to' | 'status'>,
  ): Promise<readonly ParcelWateringFacts[]>;
  /** The same waterings as they stand in answers. */
  wateringBodies(selection: WateringSelection): Promise<readonly WateringBody[]>;
  /**
   * By module id, the newest done watering until now: of a tensiometer, that of any probe of its
   * parcel.
   */
  newestWaterings(
    modules: readonly ModuleFacts[],
  ): Promise<ReadonlyMap<number, Pick<WateringFacts, 'startedAt' | 'isConfirmed'>>>;
  /** Includes the records around the period that decide what counts in it. */
  rain(period: { readonly from: number; readonly to: number }): Promise<RecordedRain>;
  /** The weather of local days, YYYY-MM-DD; default the last two weeks. */
  weather(days?: { readonly from: string; readonly to: string }): Promise<WeatherFacts>;
  /** The waterings of a probe, newest start first, not skipped, at most `count`. */
  wateringsWithoutDose(id: number, count: number): Promise<readonly ProbeWateringFacts[]>;
  /** The active alerts; default: of the whole farm. */
  alerts(moduleIds?: readonly number[]): Promise<readonly AlertFacts[]>;
  /** The active schedules, by id. */
  schedules(): Promise<ReadonlyMap<number, ActiveSchedule>>;
  gateways(): Promise<readonly GatewayFacts[]>;
  waterSources(): Promise<readonly SharedSource[]>;
  /** At most `limit` devices without a module. */
  waitingDevices(limit: number): Promise<WaitingDevices>;
  waitingCounts(): Promise<WaitingCounts>;
  /** Says which messages have not left and what is amiss with copies of the store, and why. */
  notices(): Promise<readonly Advisory[]>;
  /** The temperatures of the last day. */
  doubtfulTemperatures(): Promise<readonly DoubtfulTemperature[]>;
  farm(): FarmFacts;
  /**
   * The first rows as a service elsewhere answers with them; null where they are to be computed.
   */
  overview(limit: number): Promise<OverviewBody | null>;
  /** Answers of their own, which charts show as they are. */
  moistureSeries(id: number, query: SeriesInput): Promise<MoistureSeriesBody>;
  agronomicState(id: number): Promise<AgronomicStateBody>;
}

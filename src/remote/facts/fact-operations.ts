import farmOverview from '../../../tools/advice/farm-overview.ts';
import listAlerts from '../../../tools/alerts/list-alerts.ts';
import listDevices from '../../../tools/ingest/list-devices.ts';
import getIrrigationSetup from '../../../tools/irrigation/get-irrigation-setup.ts';
import getParcelIrrigationSetup from '../../../tools/irrigation/get-parcel-irrigation-setup.ts';
import listParcelWaterings from '../../../tools/irrigation/list-parcel-waterings.ts';
import listSchedules from '../../../tools/irrigation/list-schedules.ts';
import listWaterings from '../../../tools/irrigation/list-waterings.ts';
import listWaterSources from '../../../tools/moisture/list-water-sources.ts';
import getAgronomicState from '../../../tools/monitoring/get-agronomic-state.ts';
import getModule from '../../../tools/monitoring/get-module.ts';
import getMoistureSeries from '../../../tools/monitoring/get-moisture-series.ts';
import listGateways from '../../../tools/monitoring/list-gateways.ts';
import listModules from '../../../tools/monitoring/list-modules.ts';
import getWeather from '../../../tools/weather/get-weather.ts';
import listRain from '../../../tools/weather/list-rain.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { AnyOperation, CallOperation } from '../../operation/operation.ts';

/**
 * Without these, nothing is known of rain, weather, sources of water and unassigned devices, and the
 * overview is computed here.
 */
const OPTIONAL_OPERATIONS: ReadonlySet<AnyOperation> = new Set([
  listRain,
  getWeather,
  listDevices,
  farmOverview,
  listParcelWaterings,
  listWaterSources,
]);

/** The operations whose answers each kind of facts is made of. */
export const OPERATIONS_OF_FACTS: Readonly<Record<keyof FactSource, readonly CallOperation[]>> = {
  module: [getModule],
  modules: [listModules],
  probes: [
    getModule,
    listModules,
    getMoistureSeries,
    getAgronomicState,
    getIrrigationSetup,
    listWaterings,
    listParcelWaterings,
  ],
  state: [getAgronomicState],
  states: [getAgronomicState],
  setup: [getIrrigationSetup],
  parcel: [getParcelIrrigationSetup],
  series: [getMoistureSeries],
  readings: [getMoistureSeries],
  thermometers: [getMoistureSeries],
  waterHours: [getModule, getMoistureSeries],
  sparklines: [getMoistureSeries, getAgronomicState],
  waterings: [listWaterings],
  parcelWaterings: [listParcelWaterings],
  wateringBodies: [listWaterings],
  newestWaterings: [listWaterings],
  wateringsWithoutDose: [listWaterings],
  rain: [listRain],
  weather: [getWeather],
  alerts: [listAlerts],
  schedules: [listSchedules],
  gateways: [listGateways],
  waterSources: [listWaterSources],
  waitingDevices: [listDevices],
  waitingCounts: [listDevices],
  notices: [],
  doubtfulTemperatures: [],
  farm: [],
  overview: [farmOverview],
  moistureSeries: [getMoistureSeries],
  agronomicState: [getAgronomicState],
};

/** The operations that a service must have for answers from these kinds of facts. */
export const requiredOperations = (kinds: readonly (keyof FactSource)[]): CallOperation[] =>
  kinds
    .flatMap((kind) => OPERATIONS_OF_FACTS[kind])
    .filter((operation) => !OPTIONAL_OPERATIONS.has(operation));

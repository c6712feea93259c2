import type { AnyOperation } from '../src/operation/operation.ts';
import adviseParcelWatering from './advice/advise-parcel-watering.ts';
import adviseWatering from './advice/advise-watering.ts';
import chartMoisture from './advice/chart-moisture.ts';
import farmOverview from './advice/farm-overview.ts';
import getFarmPage from './advice/get-farm-page.ts';
import morningBrief from './advice/morning-brief.ts';
import reviewWaterings from './advice/review-waterings.ts';
import showFarm from './advice/show-farm.ts';
import showMoisture from './advice/show-moisture.ts';
import suggestThresholds from './advice/suggest-thresholds.ts';
import backtestAlert from './alerts/backtest-alert.ts';
import createAlert from './alerts/create-alert.ts';
import createAnnotation from './alerts/create-annotation.ts';
import createParcelAlerts from './alerts/create-parcel-alerts.ts';
import deleteAnnotation from './alerts/delete-annotation.ts';
import listAlerts from './alerts/list-alerts.ts';
import listAnnotations from './alerts/list-annotations.ts';
import updateAlert from './alerts/update-alert.ts';
import updateAnnotation from './alerts/update-annotation.ts';
import listChanges from './changes/list-changes.ts';
import undo from './changes/undo.ts';
import getCompany from './company/get-company.ts';
import getEnums from './company/get-enums.ts';
import listParcels from './company/list-parcels.ts';
import listUsers from './company/list-users.ts';
import setCompany from './farm/set-company.ts';
import setModule from './farm/set-module.ts';
import setParcel from './farm/set-parcel.ts';
import assignDevice from './ingest/assign-device.ts';
import importReadings from './ingest/import-readings.ts';
import ingest from './ingest/ingest.ts';
import listDevices from './ingest/list-devices.ts';
import correctInstallation from './irrigation/correct-installation.ts';
import correctParcelWatering from './irrigation/correct-parcel-watering.ts';
import correctWatering from './irrigation/correct-watering.ts';
import createSchedule from './irrigation/create-schedule.ts';
import generalizeInstallation from './irrigation/generalize-installation.ts';
import getIrrigationSetup from './irrigation/get-irrigation-setup.ts';
import getParcelIrrigationSetup from './irrigation/get-parcel-irrigation-setup.ts';
import getParcelWatering from './irrigation/get-parcel-watering.ts';
import getWatering from './irrigation/get-watering.ts';
import listParcelWaterings from './irrigation/list-parcel-waterings.ts';
import listSchedules from './irrigation/list-schedules.ts';
import listWaterings from './irrigation/list-waterings.ts';
import logParcelWatering from './irrigation/log-parcel-watering.ts';
import logWatering from './irrigation/log-watering.ts';
import previewWatering from './irrigation/preview-watering.ts';
import recomputeDoses from './irrigation/recompute-doses.ts';
import setModuleInstallation from './irrigation/set-module-installation.ts';
import setModulePlacement from './irrigation/set-module-placement.ts';
import setParcelInstallation from './irrigation/set-parcel-installation.ts';
import updateSchedule from './irrigation/update-schedule.ts';
import createSignInLink from './keys/create-sign-in-link.ts';
import listWaterSources from './moisture/list-water-sources.ts';
import setParcelSettings from './moisture/set-parcel-settings.ts';
import setParcelWaterTimes from './moisture/set-parcel-water-times.ts';
import setProbeSettings from './moisture/set-probe-settings.ts';
import setSourceWaterTimes from './moisture/set-source-water-times.ts';
import setWaterTimes from './moisture/set-water-times.ts';
import getAgronomicState from './monitoring/get-agronomic-state.ts';
import getModule from './monitoring/get-module.ts';
import getModuleHealth from './monitoring/get-module-health.ts';
import getMoistureSeries from './monitoring/get-moisture-series.ts';
import listGateways from './monitoring/list-gateways.ts';
import listModules from './monitoring/list-modules.ts';
import getSoilProfile from './soil/get-soil-profile.ts';
import listSoilHorizons from './soil/list-soil-horizons.ts';
import setSoilProfile from './soil/set-soil-profile.ts';
import correctRain from './weather/correct-rain.ts';
import getWeather from './weather/get-weather.ts';
import listRain from './weather/list-rain.ts';
import logRain from './weather/log-rain.ts';
import setWeather from './weather/set-weather.ts';

/** The order is that in which an assistant reads them; those for programs only come last. */
export const operations: readonly AnyOperation[] = [
  logWatering,
  logParcelWatering,
  correctWatering,
  correctParcelWatering,
  undo,
  listWaterings,
  logRain,
  correctRain,
  listRain,
  createSchedule,
  updateSchedule,
  listSchedules,
  getIrrigationSetup,
  setModuleInstallation,
  setParcelInstallation,
  correctInstallation,
  generalizeInstallation,
  recomputeDoses,
  setModulePlacement,
  setProbeSettings,
  setWaterTimes,
  listModules,
  getModule,
  getMoistureSeries,
  getAgronomicState,
  adviseWatering,
  adviseParcelWatering,
  reviewWaterings,
  suggestThresholds,
  chartMoisture,
  morningBrief,
  farmOverview,
  getModuleHealth,
  listGateways,
  importReadings,
  listParcels,
  getSoilProfile,
  setSoilProfile,
  listSoilHorizons,
  listAlerts,
  createAlert,
  createParcelAlerts,
  updateAlert,
  backtestAlert,
  listAnnotations,
  createAnnotation,
  updateAnnotation,
  deleteAnnotation,
  setCompany,
  setParcel,
  setModule,
  getCompany,
  listUsers,
  createSignInLink,
  listChanges,
  getEnums,
  getWatering,
  getParcelWatering,
  listParcelWaterings,
  getParcelIrrigationSetup,
  setParcelSettings,
  setParcelWaterTimes,
  setSourceWaterTimes,
  listWaterSources,
  ingest,
  listDevices,
  assignDevice,
  setWeather,
  getWeather,
  getFarmPage,
  previewWatering,
];

const byName = (all: readonly AnyOperation[]): ReadonlyMap<string, AnyOperation> =>
  new Map(all.map((operation) => [operation.name, operation]));

export const operationsByName = byName(operations);

/** An operation with `tool.name` is a variant of the tool of that name, which runs it. */
export const tools: readonly AnyOperation[] = operations.filter(
  ({ rest, tool, page }) =>
    !rest?.isRestOnly && tool?.name === undefined && page?.audience === undefined,
);

/** They are not in `operations`, because REST clients open the page at /. */
const pageOpeners: readonly AnyOperation[] = [showFarm, showMoisture];

/** Listed only to clients that render the page. Any client may call them. */
export const appTools: readonly AnyOperation[] = [
  ...pageOpeners,
  ...operations.filter(({ page }) => page?.audience !== undefined),
];

export const toolsByName = byName([...tools, ...appTools]);

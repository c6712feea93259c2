import type { AnyOperation } from '../src/operation/operation.ts';
import getCompany from './company/get-company.ts';
import getEnums from './company/get-enums.ts';
import correctInstallation from './irrigation/correct-installation.ts';
import correctWatering from './irrigation/correct-watering.ts';
import createSchedule from './irrigation/create-schedule.ts';
import generalizeInstallation from './irrigation/generalize-installation.ts';
import getIrrigationSetup from './irrigation/get-irrigation-setup.ts';
import listSchedules from './irrigation/list-schedules.ts';
import listWaterings from './irrigation/list-waterings.ts';
import logWatering from './irrigation/log-watering.ts';
import recomputeDoses from './irrigation/recompute-doses.ts';
import setModuleInstallation from './irrigation/set-module-installation.ts';
import setModulePlacement from './irrigation/set-module-placement.ts';
import setParcelInstallation from './irrigation/set-parcel-installation.ts';
import updateSchedule from './irrigation/update-schedule.ts';
import getModule from './monitoring/get-module.ts';
import listModules from './monitoring/list-modules.ts';
import listParcels from './soil/list-parcels.ts';

/** Every operation there is, in the order in which an assistant reads them. */
export const operations: readonly AnyOperation[] = [
  logWatering,
  correctWatering,
  listWaterings,
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
  listModules,
  getModule,
  listParcels,
  getCompany,
  getEnums,
];

export const operationsByName: ReadonlyMap<string, AnyOperation> = new Map(operations.map((each) => [each.name, each]));

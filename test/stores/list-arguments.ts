import { checkedArguments } from '../../src/operation/arguments/operation-arguments.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import { SCOPES } from '../../src/schema/scope.ts';
import { companyById } from '../../src/store/company/companies.ts';
import type { Store } from '../../src/store/store.ts';
import { operationsByName } from '../../tools/index.ts';
import { DAY, FARM_NOW, iso } from '../farm.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface ListBody {
  readonly data: readonly unknown[];
  readonly next_cursor?: string | null;
}

export interface Ids {
  readonly module: number;
  readonly quietModule: number;
  readonly parcel: number;
  readonly quietParcel: number;
  readonly schedule: number;
}

/** Arguments that a list may have, by operation. */
export const LIST_ARGUMENTS: Readonly<Record<string, (ids: Ids) => readonly Fields[]>> = {
  list_waterings: ({ module, quietModule, parcel, quietParcel, schedule }) => {
    const old = { from: iso(FARM_NOW - 900 * DAY), to: iso(FARM_NOW - 800 * DAY) };
    const targets = [{}, { moduleId: module }, { moduleId: quietModule }, { parcelId: parcel }];
    const filters = [
      {},
      { status: 'skipped' },
      { status: 'planned' },
      { status: 'done', to: iso(FARM_NOW) },
      old,
    ];
    return [
      ...targets.flatMap((target) => filters.map((filter) => ({ ...target, ...filter }))),
      ...filters.map((filter) => ({ ...filter, order: 'past_first', rain: 'totals' })),
      { parcelId: quietParcel, order: 'past_first' },
      { scheduleId: schedule },
      { scheduleId: schedule, status: 'skipped' },
      { scheduleId: schedule, moduleId: quietModule },
      { scheduleId: schedule, parcelId: quietParcel, order: 'past_first' },
      { moduleId: module, order: 'past_first', limit: 1 },
    ];
  },
  list_parcel_waterings: ({ parcel, schedule }) => [
    {},
    { parcelId: parcel },
    { status: 'planned' },
    { scheduleId: schedule },
  ],
  list_rain: ({ parcel }) => [
    {},
    { parcelId: parcel },
    { from: iso(FARM_NOW - 7 * DAY) },
    { to: iso(0) },
  ],
  list_changes: ({ module }) => [{}, { moduleId: module, limit: 2 }],
  list_annotations: ({ module }) => [{ moduleId: module }, { moduleId: module, limit: 10 }],
  list_alerts: ({ module }) => [{}, { moduleId: module }, { isActive: false }, { isActive: true }],
  list_schedules: ({ module, parcel }) => [
    {},
    { moduleId: module },
    { parcelId: parcel },
    { isActive: false },
  ],
  list_modules: ({ parcel }) => [
    {},
    { parcelId: parcel },
    { search: 'probe 1999' },
    { detail: 'concise' },
  ],
  list_gateways: () => [{}, { search: '1999' }],
  list_devices: () => [{ limit: 200 }, { isAssigned: true, limit: 200 }],
  list_parcels: () => [{}],
  list_soil_horizons: () => [{}],
  list_users: () => [{}],
  list_water_sources: () => [{}],
};

export const idsOf = (store: Store, companyId: number): Promise<Ids> =>
  store.read(companyId, async (db) => {
    const idsIn = async (table: 'modules' | 'parcels' | 'schedules') =>
      (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
    const [modules, parcels, schedules] = [
      await idsIn('modules'),
      await idsIn('parcels'),
      await idsIn('schedules'),
    ];
    return {
      module: modules[0]!,
      quietModule: modules.at(-1)!,
      parcel: parcels[0]!,
      quietParcel: parcels.at(-1)!,
      schedule: schedules[0]!,
    };
  });

export async function askList(
  store: Store,
  companyId: number,
  name: string,
  fields: Fields,
): Promise<ListBody> {
  const operation = operationsByName.get(name)!;
  const runner = new LocalRunner({
    store,
    operations: operationsByName,
    clock: () => FARM_NOW,
    identify: async (all) => ({
      company: (await companyById(all, companyId))!,
      caller: { id: 'viewer', companyId, userId: null, role: 'OWNER', scopes: SCOPES },
    }),
  });
  const { fullBody } = await runner.run(operation, {
    rawArguments: fields,
    readArguments: async (context) => checkedArguments(operation, fields, context),
  });
  return fullBody as ListBody;
}

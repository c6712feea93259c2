import {
  type DatabaseConnection,
  type DatabaseIntrospector,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  type Migration,
  Migrator,
  type QueryCompiler,
} from 'kysely';
import type { ColumnTypes } from './migrations/column-types.ts';

interface MigrationStep {
  up(db: Kysely<unknown>, types: ColumnTypes): Promise<void>;
}

/**
 * By name, in order. A released migration never changes, nor does its name: each store records
 * which it has applied.
 */
export const migrations: Readonly<Record<string, () => Promise<MigrationStep>>> = {
  '0001-first-tables': () => import('./migrations/0001-first-tables.ts'),
  '0002-schedules': () => import('./migrations/0002-schedules.ts'),
  '0003-annotations-and-alerts': () => import('./migrations/0003-annotations-and-alerts.ts'),
  '0004-alert-watch': () => import('./migrations/0004-alert-watch.ts'),
  '0005-api-keys': () => import('./migrations/0005-api-keys.ts'),
  '0006-answers-by-company': () => import('./migrations/0006-answers-by-company.ts'),
  '0007-pending-plans': () => import('./migrations/0007-pending-plans.ts'),
  '0008-parcel-area': () => import('./migrations/0008-parcel-area.ts'),
  '0009-probe-settings': () => import('./migrations/0009-probe-settings.ts'),
  '0010-changes': () => import('./migrations/0010-changes.ts'),
  '0011-watering-blocks': () => import('./migrations/0011-watering-blocks.ts'),
  '0012-secrets': () => import('./migrations/0012-secrets.ts'),
  '0013-rain-and-weather': () => import('./migrations/0013-rain-and-weather.ts'),
  '0014-devices': () => import('./migrations/0014-devices.ts'),
  '0015-sessions': () => import('./migrations/0015-sessions.ts'),
  '0016-forecasts-and-stations': () => import('./migrations/0016-forecasts-and-stations.ts'),
  '0017-device-status': () => import('./migrations/0017-device-status.ts'),
  '0018-pull-marks': () => import('./migrations/0018-pull-marks.ts'),
  '0019-moved-rain': () => import('./migrations/0019-moved-rain.ts'),
  '0020-long-waterings': () => import('./migrations/0020-long-waterings.ts'),
  '0021-removals': () => import('./migrations/0021-removals.ts'),
  '0022-lists-in-slices': () => import('./migrations/0022-lists-in-slices.ts'),
  '0023-due-alerts': () => import('./migrations/0023-due-alerts.ts'),
  '0025-change-counts': () => import('./migrations/0025-change-counts.ts'),
  '0026-device-senders': () => import('./migrations/0026-device-senders.ts'),
  '0027-columns-of-device-readings': () =>
    import('./migrations/0027-columns-of-device-readings.ts'),
};

interface MigrationDialect {
  readonly compiler: QueryCompiler;
  readonly adapter: DialectAdapter;
  readonly introspector: (db: Kysely<unknown>) => DatabaseIntrospector;
  readonly types: ColumnTypes;
}

export async function applyMigrations(
  connection: DatabaseConnection,
  { compiler, adapter, introspector, types }: MigrationDialect,
): Promise<void> {
  const dialect = {
    createDriver: () =>
      new (class extends DummyDriver {
        override acquireConnection = async () => connection;
      })(),
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: introspector,
  };

  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect }),
    provider: { getMigrations: () => loadMigrations(types) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

async function loadMigrations(types: ColumnTypes): Promise<Record<string, Migration>> {
  const loaded: Record<string, Migration> = {};
  for (const [name, load] of Object.entries(migrations)) {
    const { up } = await load();
    loaded[name] = { up: (db) => up(db, types) };
  }
  return loaded;
}

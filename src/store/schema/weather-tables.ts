import { sql } from 'kysely';
import { reference, type SchemaBuilder } from './schema-builder.ts';

export async function createWeatherTables(schema: SchemaBuilder): Promise<void> {
  await createRain(schema);
  await createWeather(schema);
}

async function createRain(schema: SchemaBuilder): Promise<void> {
  const { instant, real } = schema.types;

  await schema
    .numbered('rain')
    .addColumn('parcel_id', 'integer')
    .addColumn('module_id', 'integer')
    .addColumn('local_day', 'text', (c) => c.notNull())
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('ended_at', instant)
    .addColumn('is_whole_day', 'integer', (c) => c.notNull())
    .addColumn('mm', real, (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('created_by', 'integer')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('gauge_time', 'text')
    .addCheckConstraint('rain_source', sql`source in ('gauge', 'import', 'manual', 'api', 'mcp')`)
    .$call(reference('rain_parcel', 'parcel_id', 'parcels'))
    .$call(reference('rain_module', 'module_id', 'modules'))
    .execute();
  await schema.index('rain_by_start', 'rain', ['company_id', 'started_at', 'id']).execute();
  await schema
    .uniqueIndex('rain_by_gauge', 'rain', ['company_id', 'module_id', 'is_whole_day', 'started_at'])
    .where(sql.ref('module_id'), 'is not', null)
    .execute();
  await schema
    .index('rain_moved', 'rain', ['company_id', 'module_id'])
    .where(sql.ref('gauge_time'), 'is not', null)
    .execute();
  await schema.indexAcrossCompanies('rain');
}

async function createWeather(schema: SchemaBuilder): Promise<void> {
  const { instant, real } = schema.types;

  await schema
    .clustered('weather_days')
    .addColumn('local_day', 'text', (c) => c.notNull())
    .addColumn('temperature_min', real)
    .addColumn('temperature_max', real)
    .addColumn('humidity_min', real)
    .addColumn('humidity_max', real)
    .addColumn('dew_point', real)
    .addColumn('wind_ms', real)
    .addColumn('radiation_mj', real)
    .addColumn('set_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('weather_days_key', ['company_id', 'local_day'])
    .execute();

  await schema
    .clusteredByParent('station_readings')
    .addColumn('module_id', 'integer', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('value', real, (c) => c.notNull())
    .addPrimaryKeyConstraint('station_readings_key', ['company_id', 'module_id', 'type', 'at'])
    .$call(reference('station_readings_module', 'module_id', 'modules'))
    .addCheckConstraint('station_readings_type', sql`type in ('wind', 'radiation')`)
    .execute();

  await schema
    .clustered('forecasts')
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('attempted_at', instant, (c) => c.notNull())
    .addColumn('fetched_at', instant)
    .addColumn('body', 'text')
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('forecasts_key', ['company_id', 'provider'])
    .execute();
}

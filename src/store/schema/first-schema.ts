import { createAccessTables } from './access-tables.ts';
import { createAlertTables } from './alert-tables.ts';
import { createCompanyTables } from './company-tables.ts';
import { createDeviceTables } from './device-tables.ts';
import { createIrrigationTables } from './irrigation-tables.ts';
import { createMoistureTables } from './moisture-tables.ts';
import type { SchemaBuilder } from './schema-builder.ts';
import { createServiceTables } from './service-tables.ts';
import { createWaterings } from './watering-table.ts';
import { createWeatherTables } from './weather-tables.ts';

/**
 * The first migration. Once it is released these files stay as they are: later changes of
 * src/schema/tables are later migrations.
 */
export async function createFirstSchema(schema: SchemaBuilder): Promise<void> {
  // Each table follows those that it refers to.
  await createCompanyTables(schema);
  await createMoistureTables(schema);
  await createIrrigationTables(schema);
  await createWaterings(schema);
  await createWeatherTables(schema);
  await createAlertTables(schema);
  await createDeviceTables(schema);
  await createAccessTables(schema);
  await createServiceTables(schema);
}

import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

export async function up(db: Kysely<unknown>, { real }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('parcels').addColumn('area_m2', real).execute();
}

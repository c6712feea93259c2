import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Kinds of rows that are named by an integer id from outside. */
export type OwnedKind = 'modules' | 'parcels' | 'installation_versions' | 'waterings' | 'schedules';

/** Whether a row of that id stands in any company: what tells 403 from 404. */
export const standsAnywhere = async (db: Kysely<Tables>, kind: OwnedKind, id: number): Promise<boolean> =>
  (await db.selectFrom(kind).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

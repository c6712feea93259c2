import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Kinds of rows that are named by an id from outside. */
export type OwnedKind =
  | 'modules'
  | 'parcels'
  | 'installation_versions'
  | 'waterings'
  | 'schedules'
  | 'annotations'
  | 'alerts';

/** Whether a row of that id stands in any company: what tells 403 from 404. */
export const standsAnywhere = async (db: Kysely<Tables>, kind: OwnedKind, id: number | string): Promise<boolean> =>
  (await db
    .selectFrom(kind)
    .select('id')
    .where('id', '=', id as never)
    .executeTakeFirst()) !== undefined;

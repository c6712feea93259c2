import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Kinds of rows that are named by an id from outside. */
export type IdentifiedTable =
  | 'modules'
  | 'parcels'
  | 'installation_versions'
  | 'waterings'
  | 'schedules'
  | 'annotations'
  | 'alerts';

/** Whether a row of that id stands in any company: what tells 403 from 404. */
export const existsInAnyCompany = async (
  db: Kysely<Tables>,
  kind: IdentifiedTable,
  id: number | string,
): Promise<boolean> =>
  (await db
    .selectFrom(kind)
    .select('id')
    .where('id', '=', id as never)
    .executeTakeFirst()) !== undefined;

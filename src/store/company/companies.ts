import type { Kysely, Selectable } from 'kysely';
import { preparedGlobalQuery } from '../prepared-query.ts';
import type { CompanyDb, CompanyRow, Tables } from '../tables.ts';

export type CompanyRecord = Selectable<CompanyRow>;

/** Every company of the store, oldest first. */
export const allCompanies = (db: Kysely<Tables>): Promise<CompanyRecord[]> =>
  db.selectFrom('companies').selectAll().orderBy('id').execute();

export const companyById = (db: Kysely<Tables>, id: number): Promise<CompanyRecord | undefined> =>
  db.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();

/** A company with its first OWNER, who acts where no key says otherwise. */
export type CompanyWithOwner = CompanyRecord & { readonly owner_id: number | null };

const oldestCompaniesQuery = preparedGlobalQuery((db) =>
  db
    .selectFrom('companies')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('users')
        .select((users) => users.fn.min('users.id').as('id'))
        .whereRef('users.company_id', '=', 'companies.id')
        .where('users.role', '=', 'OWNER')
        .as('owner_id'),
    )
    .orderBy('companies.id')
    .limit(2),
);

/** The two oldest companies: one alone says whom a caller without a key speaks for. Asked at every call. */
export const oldestTwoCompanies = (db: Kysely<Tables>): Promise<CompanyWithOwner[]> => oldestCompaniesQuery(db);

/** The members of the company, by id upwards. */
export const allUsers = (db: CompanyDb) =>
  db.selectFrom('users').select(['id', 'name', 'email', 'role']).orderBy('id').execute();

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

import type { Kysely, Selectable } from 'kysely';
import type { CompanyRow, Tables } from './tables.ts';

export type Company = Selectable<CompanyRow>;

/** Every company of the store, oldest first. */
export const allCompanies = (db: Kysely<Tables>): Promise<Company[]> =>
  db.selectFrom('companies').selectAll().orderBy('id').execute();

export const companyById = (db: Kysely<Tables>, id: number): Promise<Company | undefined> =>
  db.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();

/** The company's first OWNER, who acts where no key says otherwise. */
export const firstOwner = (db: Kysely<Tables>, companyId: number): Promise<{ id: number } | undefined> =>
  db
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', companyId)
    .where('role', '=', 'OWNER')
    .orderBy('id')
    .executeTakeFirst();

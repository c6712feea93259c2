import type { CompanyDb } from './tables.ts';

/** The members of the company, by id upwards. */
export const allUsers = (db: CompanyDb) =>
  db.selectFrom('users').select(['id', 'name', 'email', 'role']).orderBy('id').execute();

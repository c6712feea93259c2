import type { Kysely } from 'kysely';
import { formerMember } from '../../domain/company/former-member.ts';
import type { CompanyDb, Tables } from '../tables.ts';

export interface Erasure {
  readonly companyId: number;
  readonly userId: number;
  readonly erasedAt: number;
  /** Null while something of the person may be left in the file. */
  readonly clearedAt: number | null;
}

export async function allErasures(all: Kysely<Tables>): Promise<Erasure[]> {
  const rows = await all
    .selectFrom('erasures')
    .selectAll()
    .orderBy('company_id')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => ({
    companyId: row.company_id,
    userId: row.user_id,
    erasedAt: row.erased_at,
    clearedAt: row.cleared_at,
  }));
}

/** Puts a former member in the place of the person, whom other rows name. */
export async function eraseUser(db: CompanyDb, userId: number, at: number): Promise<void> {
  await db.updateTable('users').set(formerMember(userId)).where('id', '=', userId).execute();
  await db.deleteFrom('erasures').where('user_id', '=', userId).execute();
  await db.insertInto('erasures').values({ user_id: userId, erased_at: at }).execute();
}

export async function recordCleared(all: Kysely<Tables>, at: number): Promise<void> {
  await all
    .updateTable('erasures')
    .set({ cleared_at: at })
    .where('cleared_at', 'is', null)
    .execute();
}

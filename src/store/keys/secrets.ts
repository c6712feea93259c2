import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';

const SECRET_BYTES = 32;

const findSecret = async (all: Kysely<Tables>, name: string): Promise<string | undefined> =>
  (await all.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst())?.value;

/** Created at its first use, and then the same in every process of the store. In base64url. */
export async function serviceSecret(store: Store, name: string): Promise<string> {
  const stored = await store.readAll((all) => findSecret(all, name));
  if (stored !== undefined) return stored;
  const value = randomBytes(SECRET_BYTES).toString('base64url');
  // Of several processes that create it at the same time, one does.
  await store.writeUnlocked((all) =>
    all
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  );
  return (await store.readAll((all) => findSecret(all, name)))!;
}

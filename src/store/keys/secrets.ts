import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';

const SECRET_BYTES = 32;

const findSecret = async (all: Kysely<Tables>, name: string): Promise<string | undefined> =>
  (await all.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst())
    ?.value;

/**
 * A random secret in base64url. It is created at its first use and shared by all processes of the
 * store.
 */
export async function serviceSecret(store: Store, name: string): Promise<string> {
  const stored = await store.readAll((all) => findSecret(all, name));
  if (stored !== undefined) return stored;

  const value = randomBytes(SECRET_BYTES).toString('base64url');
  // If several processes create it at the same time, only the first value is stored.
  await store.writeUnlocked((all) =>
    all
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  );

  const shared = await store.readAll((all) => findSecret(all, name));
  if (shared === undefined) throw new Error(`The secret ${name} was not stored`);
  return shared;
}

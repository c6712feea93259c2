import type { ErasedUser } from '../../store/backups/erasure-list.ts';
import { deleteUnsentMessages } from '../../store/mail/outbox.ts';
import type { Store } from '../../store/store.ts';
import { listKeys } from '../keys/key-administration.ts';
import { listSessions } from '../keys/sessions.ts';
import { eraseMembers, finishErasures } from '../members/erasure.ts';
import { membershipsById } from '../members/person.ts';

export interface RestoredStore {
  /** Unsent messages, which are discarded: they may have been sent since. */
  readonly discardedMessages: number;
  readonly companies: number;
  /** Members who were erased again, because that was done after the copy. */
  readonly erasedAgain: number;
  /** They open the store again, although some may have been revoked since the copy. */
  readonly keys: Awaited<ReturnType<typeof listKeys>>;
  readonly sessions: Awaited<ReturnType<typeof listSessions>>;
}

/** Prepares a store that was made of a copy, before anybody uses it. */
export async function prepareRestoredStore(
  store: Store,
  now: number,
  erased: readonly ErasedUser[] = [],
): Promise<RestoredStore> {
  const { discardedMessages, companies } = await store.writeAll(async (all) => {
    // What processes said about the store of which this is a copy.
    await all.deleteFrom('leases').execute();
    await all.deleteFrom('job_rounds').execute();
    // It gets an id of its own, so that it never deletes the copies of the other store.
    await all.deleteFrom('backup_folders').execute();

    const rows = await all.selectFrom('companies').select('id').execute();
    return { discardedMessages: await deleteUnsentMessages(all), companies: rows.length };
  });

  const erasedAgain = await eraseAgain(store, erased, now);
  const keys = (await listKeys(store, null, now)).filter(({ state }) => state === 'active');
  const sessions = (await listSessions(store, null, now)).filter(
    ({ state }) => state === 'active' || state === 'link',
  );
  return { discardedMessages, companies, erasedAgain, keys, sessions };
}

async function eraseAgain(
  store: Store,
  erased: readonly ErasedUser[],
  now: number,
): Promise<number> {
  const members = await store.readAll((all) => membershipsById(store, all, erased));
  if (members.length > 0) await eraseMembers(store, members, now);
  // A copy may have been made while an erasure was under way.
  await finishErasures(
    store,
    () => now,
    async () => undefined,
  );
  return members.length;
}

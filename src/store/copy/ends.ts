import { isMissingFile, isPostgresUrl, redactedLocation } from '../address.ts';
import type { Store, StoreState, StoreView } from '../store-interface.ts';
import { copyError, targetHoldsStoreError } from './mark.ts';

const openView = async (place: string): Promise<StoreView> =>
  isPostgresUrl(place)
    ? (await import('../postgres/view.ts')).viewPostgresStore(place)
    : (await import('../sqlite/view.ts')).viewSqliteStore(place);

const UNUSABLE_SOURCE: Readonly<Record<Exclude<StoreState, 'current'>, readonly [what: string, hint: string]>> = {
  new: ['is empty', 'Name the place of a store.'],
  behind: [
    'was written by an earlier Acequia',
    'Keep a backup; "acequia tick" with --db brings it up to date. Then copy it.',
  ],
  unfinished: [
    'is an unfinished copy itself',
    'Run the copy to it again, which goes on where it ended, or name the store that it is copied from.',
  ],
};

/** The view of a store whose tables are those of this version; it is left as it is. */
export async function openSource(place: string): Promise<StoreView> {
  const shown = redactedLocation(place);
  if (isMissingFile(place)) throw copyError(`There is no store ${shown}.`, 'Name the file or the database of a store.');
  const view = await openView(place);
  if (view.state === 'current') return view;
  await view.close();
  const [what, hint] = UNUSABLE_SOURCE[view.state];
  throw copyError(`${shown} ${what}.`, hint);
}

/** The store that is copied to: made where there is none. One of another version is left as it is, and refused. */
export async function openTarget(place: string): Promise<Store> {
  if (!isMissingFile(place)) {
    const view = await openView(place);
    await view.close();
    if (view.state === 'behind') throw targetHoldsStoreError(redactedLocation(place));
  }
  return isPostgresUrl(place)
    ? (await import('../postgres/store.ts')).openPostgresStore(place, true)
    : (await import('../sqlite/store.ts')).openSqliteStore(place, true);
}

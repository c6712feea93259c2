import { isMissing, isServerUrl, shownPlace } from '../address.ts';
import type { Store, StoreState, StoreView } from '../store-interface.ts';
import { copyRefused, holdsStore } from './mark.ts';

const viewOf = async (place: string): Promise<StoreView> =>
  isServerUrl(place)
    ? (await import('../postgres/view.ts')).viewDatabase(place)
    : (await import('../sqlite/view.ts')).viewFile(place);

const WHY_NOT: Readonly<Record<Exclude<StoreState, 'current'>, readonly [what: string, hint: string]>> = {
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
export async function viewWhole(place: string): Promise<StoreView> {
  const shown = shownPlace(place);
  if (isMissing(place)) throw copyRefused(`There is no store ${shown}.`, 'Name the file or the database of a store.');
  const view = await viewOf(place);
  if (view.state === 'current') return view;
  await view.close();
  const [what, hint] = WHY_NOT[view.state];
  throw copyRefused(`${shown} ${what}.`, hint);
}

/** The store that is copied to: made where there is none. One of another version is left as it is, and refused. */
export async function openTarget(place: string): Promise<Store> {
  if (!isMissing(place)) {
    const view = await viewOf(place);
    await view.close();
    if (view.state === 'behind') throw holdsStore(shownPlace(place));
  }
  return isServerUrl(place)
    ? (await import('../postgres/store.ts')).openDatabase(place, true)
    : (await import('../sqlite/store.ts')).openFile(place, true);
}

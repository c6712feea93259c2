import { firingAlerts } from '../../store/alerts/alert-states.ts';
import { newestChangeId } from '../../store/changes/changes.ts';
import { newestReadings } from '../../store/moisture/reading-lookup.ts';
import type { Store } from '../../store/store.ts';
import type { CompanyDb } from '../../store/tables.ts';
import { type CompanyWatcher, watchCompany } from '../company-watch.ts';

/** Tells new readings, alerts that begin or cease to fire, and what people and assistants write. */
export const watchFarm = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  watchCompany(store, watcher, farmFingerprint);

const farmFingerprint = async (db: CompanyDb): Promise<unknown> => [
  await newestReadings(db),
  await firingAlerts(db),
  await newestChangeId(db),
];

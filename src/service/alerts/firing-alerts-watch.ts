import { firingAlerts } from '../../store/alerts/alert-states.ts';
import type { Store } from '../../store/store.ts';
import { type CompanyWatcher, watchCompany } from '../company-watch.ts';

/** Tells that an alert of the company has begun or ceased to fire. */
export const watchFiringAlerts = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  watchCompany(store, watcher, firingAlerts);

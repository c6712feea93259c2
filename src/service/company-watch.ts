import { MINUTE_MS, SECOND_MS } from '../domain/periods.ts';
import { authorize, type Identify, type OperationAccess } from '../operation/authorization.ts';
import { AcequiaError, StoreClosedError } from '../schema/error.ts';
import { firingAlerts } from '../store/alerts/alert-states.ts';
import { newestChangeId } from '../store/changes/changes.ts';
import { newestReadings } from '../store/moisture/reading-lookup.ts';
import type { Store } from '../store/store.ts';
import type { CompanyDb } from '../store/tables.ts';

/**
 * Checked even if no change was announced: a key may be revoked, and a proxy of PostgreSQL may drop
 * announcements.
 */
const RECHECK_MS = MINUTE_MS;
const FIRST_RETRY_MS = 2 * SECOND_MS;
const MAX_RETRY_MS = 15 * SECOND_MS;

export interface CompanyWatcher {
  readonly identify: Identify;
  /** The access that reading the watched data requires. */
  readonly access: OperationAccess;
  onChange(): void;
  /** Called once the watcher may no longer read the data; the watch has ended. */
  onRefused(error: AcequiaError): void;
}

const isRefusal = (error: unknown): error is AcequiaError =>
  error instanceof AcequiaError && [401, 403].includes(error.status);

/**
 * Calls `onChange` for changes that any process makes after the promise has resolved, once for
 * several at a time. Checks each time that the watcher may still read the data; throws if it may
 * not at the start. Returns a function that stops the watch.
 */
async function watchCompany(
  store: Store,
  watcher: CompanyWatcher,
  fingerprintOf: (db: CompanyDb) => Promise<unknown>,
): Promise<() => void> {
  let isWatching = true;
  let isReading = true;
  let hasChangedMeanwhile = false;
  /**
   * Null while the store answers. Until it does, changes start no further reads, because each
   * failed one is logged.
   */
  let retryMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  const read = () =>
    store.readAll(async (all) => {
      const { caller, company } = await watcher.identify(all);
      authorize(caller, watcher.access);
      const fingerprint = JSON.stringify(
        await fingerprintOf(store.scopeToCompany(all, company.id)),
      );
      return { companyId: company.id, fingerprint };
    });

  const stopListening = store.onCompanyChange((companyId) => {
    if (isReading) hasChangedMeanwhile = true;
    else if (retryMs === null && (companyId === null || companyId === last.companyId)) void check();
  });

  const stop = (): void => {
    isWatching = false;
    clearTimeout(timer);
    stopListening();
  };

  async function check(): Promise<void> {
    clearTimeout(timer);
    isReading = true;
    hasChangedMeanwhile = false;

    const current = await read().catch((error: unknown) => {
      if (error instanceof StoreClosedError) stop();
      return isRefusal(error) ? error : null;
    });

    isReading = false;
    if (!isWatching) return;
    if (current instanceof AcequiaError) {
      stop();
      watcher.onRefused(current);
      return;
    }

    if (current === null) {
      retryMs = retryMs === null ? FIRST_RETRY_MS : Math.min(2 * retryMs, MAX_RETRY_MS);
      checkIn(retryMs);
      return;
    }

    retryMs = null;
    if (current.fingerprint !== last.fingerprint) {
      last = current;
      watcher.onChange();
    }

    if (hasChangedMeanwhile) void check();
    else checkIn(RECHECK_MS);
  }

  function checkIn(ms: number): void {
    timer = setTimeout(() => void check(), ms).unref();
  }

  let last = await read().catch((error) => {
    stop();
    throw error;
  });

  isReading = false;
  if (hasChangedMeanwhile) void check();
  else checkIn(RECHECK_MS);

  return stop;
}

/** Reports alerts of the company that begin or cease to fire. */
export const watchFiringAlerts = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  watchCompany(store, watcher, firingAlerts);

/**
 * Reports new readings, alerts that begin or cease to fire, and what people and assistants write.
 */
export const watchFarm = (store: Store, watcher: CompanyWatcher): Promise<() => void> =>
  watchCompany(store, watcher, farmFingerprint);

const farmFingerprint = async (db: CompanyDb): Promise<unknown> => [
  await newestReadings(db),
  await firingAlerts(db),
  await newestChangeId(db),
];

import {
  assertNothingPending,
  type Call,
  WorkRequired,
  withRequiredWork,
} from '../../operation/call.ts';
import { probesVersion } from '../../store/changes/change-counts.ts';
import { newestChangeId } from '../../store/changes/changes.ts';
import { readingVersions } from '../../store/moisture/reading-versions.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import type { CompanyDb } from '../../store/tables.ts';
import type { SuggestedCapacity } from '../alerts/line-check.ts';
import { ofProbeAndParcel, plannedWaterings } from '../irrigation/planning/pending-waterings.ts';
import { StoreFacts } from './source/store-facts.ts';
import { suggestThresholds } from './threshold-suggestion.ts';

/**
 * The field capacity of a probe, computed before a call draws a line: to compute it from months of
 * readings would hold the write lock for hundreds of milliseconds.
 */
export class CapacitySuggestion implements SuggestedCapacity {
  #found: { readonly version: string; readonly capacity: number | null } | null = null;

  /** Throws WorkRequired unless it was computed, and the probe is the same since. */
  async of(call: Call, moduleId: number): Promise<number | null> {
    const version = await versionOf(call.db, moduleId);
    if (this.#found?.version === version) return this.#found.capacity;

    const companyId = companyIdOf(call.db);
    throw new WorkRequired({
      needed: (store) =>
        withRequiredWork(store, () =>
          store.read(companyId, async (db) => {
            this.#found = {
              version: await versionOf(db, moduleId),
              capacity: await suggestedCapacity({ ...call, db }, moduleId),
            };
          }),
        ),
    });
  }
}

/** Equal versions mean equal readings, waterings and settings of the probe. */
async function versionOf(db: CompanyDb, moduleId: number): Promise<string> {
  const readings = (await readingVersions(db, [moduleId])).get(moduleId);
  return [await probesVersion(db), await newestChangeId(db), readings].join(' ');
}

/** In %; null where past waterings suggest none, or one in doubt. */
async function suggestedCapacity(call: Call, moduleId: number): Promise<number | null> {
  await assertNothingPending(call, plannedWaterings(ofProbeAndParcel(moduleId)));
  const { fieldCapacity, doubt } = await suggestThresholds(call, new StoreFacts(call), moduleId);
  return doubt === null ? fieldCapacity : null;
}

import { type Call, WorkRequired } from '../../operation/call.ts';
import { countEffects } from '../../operation/replay/change-bodies.ts';
import { changesWithParts, partsOfChange } from '../../store/changes/change-parts.ts';
import { newestChangeId } from '../../store/changes/changes.ts';
import { toReversals } from '../../store/changes/reversals.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import type { Store } from '../../store/store.ts';
import { isWrittenAnew, withoutRainSince } from '../ingest/devices/assignment-undo.ts';
import { assertUnchangedSince } from './unchanged-since.ts';
import { assertNoDependants, type RecordedChange, referenceKey } from './undo-conflicts.ts';

export interface PartsToUndo {
  /** The rows that the parts changed, by kind and action. */
  readonly counts: Readonly<Record<string, number>>;
  /** How many rows the undo adds, its parts included; see domain/shares/daily-rows.ts. */
  readonly addedRows: number;
}

/**
 * The parts of a change, compared before a call undoes it: to compare tens of thousands of rows
 * would hold the write lock for seconds.
 */
export class CheckedParts {
  #found: (PartsToUndo & { readonly changeId: number; readonly newestId: number | null }) | null =
    null;

  /**
   * Null for a change without parts. Throws WorkRequired unless they were checked, and nothing has
   * changed since.
   */
  async of(call: Call, change: RecordedChange): Promise<PartsToUndo | null> {
    const { db } = call;
    if (!(await changesWithParts(db, [change.id])).has(change.id)) return null;

    const newestId = await newestChangeId(db);
    if (this.#found?.changeId === change.id && this.#found.newestId === newestId)
      return this.#found;

    throw new WorkRequired({
      needed: async (store) => {
        const parts = await checkParts(store, call, change);
        this.#found = { ...parts, changeId: change.id };
      },
    });
  }
}

/** In several reads, so that each is short; another change in between gives another newest id. */
async function checkParts(store: Store, call: Call, change: RecordedChange) {
  const companyId = companyIdOf(call.db);
  const read = <T>(body: (context: Call) => Promise<T>): Promise<T> =>
    store.read(companyId, (db) => body({ ...call, db }));

  const newestId = await read(({ db }) => newestChangeId(db));
  const counts: Record<string, number> = {};
  const keys = new Set<string>();
  let addedRows = 0;

  for (let part = await read((context) => checkNextPart(context, change, 0)); part; ) {
    for (const row of part.rows) keys.add(referenceKey(row));
    countEffects(part.rows, counts);
    addedRows += 1 + part.rows.filter(({ after }) => after === null).length;
    const { part: last } = part;
    part = await read((context) => checkNextPart(context, change, last));
  }

  await read((context) => assertNoDependants(context, change, keys));
  return { newestId, counts, addedRows };
}

async function checkNextPart(context: Call, change: RecordedChange, afterPart: number) {
  const { value: part } = await partsOfChange(context.db, change.id, afterPart, 1).next();
  if (!part) return null;
  const rows = await withoutRainSince(context, part.rows);
  if (!isWrittenAnew(rows))
    await assertUnchangedSince(context, { ...change, rows }, toReversals(rows));
  return part;
}

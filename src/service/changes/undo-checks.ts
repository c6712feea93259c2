import { type Call, WorkRequired } from '../../operation/call.ts';
import { changeCount, hasChangedRows } from '../../store/changes/change-counts.ts';
import type { Reversal } from '../../store/changes/reversals.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import { assertUnchangedSince } from './unchanged-since.ts';
import { assertNoDependants, type RecordedChange } from './undo-conflicts.ts';
import { CheckedParts } from './undo-parts.ts';

/** A change of this many rows is compared before the lock is taken. */
const MANY_ROWS = 500;

/** More often would make a company that writes all the time wait for ever. */
const MAX_CHECKS = 2;

/**
 * The checks before a call undoes a change: to compare thousands of rows with the stored ones, and
 * to look for waterings that depend on equipment, would hold the write lock for long.
 */
export class UndoChecks {
  readonly parts = new CheckedParts();
  #passed: { readonly changeId: number; readonly changeCount: number } | null = null;
  #checks = 0;

  /**
   * Throws if the rows were changed since, or others depend on them. Throws WorkRequired for a large
   * change until that was checked, and nothing has changed since.
   */
  async assertUndoable(
    call: Call,
    change: RecordedChange,
    reversals: readonly Reversal[],
  ): Promise<void> {
    if (!isLarge(reversals) || hasChangedRows(call.db))
      return assertUndoable(call, change, reversals);

    const count = await changeCount(call.db);
    if (this.#passed?.changeId === change.id && this.#passed.changeCount === count) return;
    if (this.#checks === MAX_CHECKS) return assertUndoable(call, change, reversals);

    this.#checks++;
    throw new WorkRequired({
      needed: async (store) => {
        this.#passed = await store.read(companyIdOf(call.db), async (db) => {
          const found = { changeId: change.id, changeCount: await changeCount(db) };
          await assertUndoable({ ...call, db }, change, reversals);
          return found;
        });
      },
    });
  }
}

/** Any number of waterings may depend on equipment. */
const isLarge = (reversals: readonly Reversal[]): boolean =>
  reversals.length >= MANY_ROWS || reversals.some(({ table }) => table === 'installation_versions');

async function assertUndoable(
  call: Call,
  change: RecordedChange,
  reversals: readonly Reversal[],
): Promise<void> {
  await assertUnchangedSince(call, change, reversals);
  await assertNoDependants(call, change);
}

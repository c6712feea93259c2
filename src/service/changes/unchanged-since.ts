import type { Call } from '../../operation/call.ts';
import { type Reversal, storedImages } from '../../store/changes/reversals.ts';
import { isSameImage, recordedTables } from '../../store/scope/recorded-rows.ts';
import { laterChangeError, type RecordedChange } from './undo-conflicts.ts';

export async function assertUnchangedSince(
  call: Call,
  change: RecordedChange,
  reversals: readonly Reversal[],
): Promise<void> {
  for (const table of recordedTables) {
    const reversalsOfTable = reversals.filter((reversal) => reversal.table === table);
    if (reversalsOfTable.length === 0) continue;

    const keys = reversalsOfTable.map(({ key }) => key);
    const stored = await storedImages(call.db, table, keys);
    const changed = reversalsOfTable.find(
      ({ key, from }) => !isSameImage(stored.get(key) ?? null, from),
    );
    if (changed) throw await laterChangeError(call, change, changed, 'was changed since');
  }
}

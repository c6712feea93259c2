import type { Books, Call } from '../operation/call.ts';
import { completeDoses, keptDoses } from './doses.ts';
import { regenerateReaching, settleReaching } from './occurrences.ts';
import { setupWords } from './say-setup.ts';

/** A stretch of time, [from, to), in ms; `to` null for no end. */
export interface Span {
  readonly from: number;
  readonly to: number | null;
}

/** What a change of equipment did to waterings. */
export interface Followed {
  /** Doses that were missing and are there now. */
  readonly completed: number;
  /** Planned waterings of schedules, still ahead, that got another dose. */
  readonly renewed: number;
  /** Recorded doses that are not what the changed setups would give. */
  readonly kept: number;
}

/**
 * Changes the equipment of some probes: their schedules are brought up to now before, so that what is past keeps its
 * dose; after it missing doses are completed, and planned waterings ahead follow. `change` says in which stretch of time
 * it counts.
 */
export async function changingEquipment<S extends Span>(
  books: Books,
  moduleIds: readonly number[],
  change: () => Promise<S>,
): Promise<Followed & { readonly span: S }> {
  await settleReaching(books, moduleIds);
  const span = await change();
  const renewed = await regenerateReaching(books, moduleIds);
  let completed = 0;
  let kept = 0;
  for (const id of moduleIds) {
    completed += await completeDoses(books, id);
    kept += await keptDoses(books, id, span.from, span.to);
  }
  return { span, completed, renewed, kept };
}

/** Says what became of missing doses, of what is planned, and which doses stand as they were. */
export function remarkFollowed(call: Call, { completed, renewed, kept }: Followed): void {
  const words = setupWords(call);
  if (completed > 0) call.remark(words.completed(completed));
  if (renewed > 0) call.remark(words.renewed(renewed));
  if (kept > 0) call.remark(words.kept(kept));
}

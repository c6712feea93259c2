import { setTimeout as pause } from 'node:timers/promises';
import type { LastStage, StagedCall } from '../../../operation/call.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import type { BatchPace } from './batch-context.ts';
import { type BatchCounts, type InsertPart, noBatchCounts } from './item-kind.ts';

/**
 * Writes all stages but the last, which it returns. Each stage has a part of every list that is not
 * exhausted.
 */
export async function writeInStages(
  { write }: Pick<StagedCall, 'write'>,
  lists: readonly Generator<InsertPart, void>[],
  pace: BatchPace,
): Promise<LastStage<BatchCounts>> {
  const stages = stagesOf(lists);
  const letOthersWrite = pauseBetweenStages(pace);
  let counts = noBatchCounts();
  let stage = stages.next().value ?? [];

  for (const nextStage of stages) {
    const before = counts;
    counts = await write((db) => writeStage(db, stage, before));
    stage = nextStage;
    await letOthersWrite();
  }

  return (db) => writeStage(db, stage, counts);
}

/** Returns a function that lets others write, to be called after each stage but the last. */
export function pauseBetweenStages({ slice, steps }: BatchPace): () => Promise<void> {
  let pausedAt = performance.now();
  return async () => {
    if (steps.pause === null || performance.now() - pausedAt < steps.pause.afterMs)
      return slice.renew();

    await pause(steps.pause.ms);
    pausedAt = performance.now();
  };
}

function* stagesOf(
  lists: readonly Generator<InsertPart, void>[],
): Generator<readonly InsertPart[], void> {
  for (;;) {
    const stage = lists.flatMap((parts) => parts.next().value ?? []);
    if (stage.length === 0) return;
    yield stage;
  }
}

/** The counts before are kept, because a transaction may be tried again. */
async function writeStage(
  db: CompanyDb,
  stage: readonly InsertPart[],
  before: BatchCounts,
): Promise<BatchCounts> {
  const counts = structuredClone(before);
  for (const insert of stage) await insert(db, counts);
  return counts;
}

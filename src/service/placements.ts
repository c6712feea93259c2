import type { Call } from '../operation/call.ts';
import { placementOf, setPlacement } from '../store/installations.ts';
import { ownModule } from './ownership.ts';
import { configurationOf } from './setups.ts';

export async function placeModule(
  call: Call,
  moduleId: number,
  entry: { emitterDistanceCm?: number | null; notes?: string | null },
) {
  const probe = await ownModule(call, moduleId);
  const standing = await placementOf(call.db, moduleId);
  await setPlacement(call.db, moduleId, {
    emitterDistanceCm:
      entry.emitterDistanceCm === undefined ? (standing?.emitterDistanceCm ?? null) : entry.emitterDistanceCm,
    notes: entry.notes === undefined ? (standing?.notes ?? null) : entry.notes,
    setAt: call.now,
  });
  return configurationOf(call, probe);
}

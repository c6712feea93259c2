import type { Call } from '../operation/call.ts';
import { placementOf, setPlacement } from '../store/installations.ts';
import { requireOwnModule } from './ownership.ts';
import { loadIrrigationSetup } from './setups.ts';

export async function setModulePlacement(
  call: Call,
  moduleId: number,
  entry: { emitterDistanceCm?: number | null; notes?: string | null },
) {
  const probe = await requireOwnModule(call, moduleId);
  const existing = await placementOf(call.db, moduleId);
  await setPlacement(call.db, moduleId, {
    emitterDistanceCm:
      entry.emitterDistanceCm === undefined ? (existing?.emitterDistanceCm ?? null) : entry.emitterDistanceCm,
    notes: entry.notes === undefined ? (existing?.notes ?? null) : entry.notes,
    setAt: call.now,
  });
  return loadIrrigationSetup(call, probe);
}

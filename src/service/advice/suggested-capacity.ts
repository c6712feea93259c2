import type { Call } from '../../operation/call.ts';
import { StoreFacts } from './source/store-facts.ts';
import { suggestThresholds } from './threshold-suggestion.ts';

/** In %; null where past waterings suggest none, or one in doubt. */
export async function suggestedFieldCapacity(call: Call, moduleId: number): Promise<number | null> {
  const { fieldCapacity, doubt } = await suggestThresholds(call, new StoreFacts(call), moduleId);
  return doubt === null ? fieldCapacity : null;
}

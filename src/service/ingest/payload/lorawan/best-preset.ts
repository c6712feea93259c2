import { networkOfSource } from '../../../../domain/ingest/device-sources.ts';
import type { ReadingsRule } from '../../../../schema/ingest/payload-map.ts';
import { type Payload, UnreadableMessageError } from '../payload.ts';
import { lorawanPresetsOf } from '../presets.ts';
import { countFields } from '../samples.ts';

/**
 * The preset that reads most of a message, the first of several. Networks of LoRaWAN send the
 * messages of all devices to every listener, and fields of different devices have the same names.
 * Null if the rules are of no such network, or no preset reads anything.
 */
export function* bestPreset(
  rules: readonly ReadingsRule[],
  payload: Payload,
): Generator<void, string | null> {
  const networks = new Set(rules.flatMap(({ preset }) => preset && networkOfSource(preset)));
  let best: string | null = null;
  let bestCount = 0;

  for (const network of networks)
    for (const { name, rules: rulesOfPreset } of network ? lorawanPresetsOf(network) : []) {
      const count = yield* valueCount(rulesOfPreset, payload);
      if (count <= bestCount) continue;
      best = name;
      bestCount = count;
    }
  return best;
}

function* valueCount(rules: readonly ReadingsRule[], payload: Payload): Generator<void, number> {
  let count = 0;
  try {
    for (const rule of rules) count += yield* countFields(rule, payload.as(rule));
    return count;
  } catch (error) {
    if (error instanceof UnreadableMessageError) return 0;
    throw error;
  }
}

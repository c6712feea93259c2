import { isRecord } from '../../../../domain/records.ts';
import type { ReadingsRule } from '../../../../schema/ingest/payload-map.ts';
import { type Payload, partOfPayload, UnreadableMessageError } from '../payload.ts';
import { networkOfRule } from './networks.ts';

/**
 * The uplinks of a payload: a list of them, or what the storage integration of The Things Stack
 * answers, which is {"result": uplink}, one a line. Any other payload is one.
 */
export function* uplinksIn(payload: Payload, rules: readonly ReadingsRule[]): Generator<Payload> {
  const isOfNetwork = rules.some((rule) => networkOfRule(rule) !== undefined);
  const root = isOfNetwork ? jsonOrNull(payload) : payload;

  for (const item of itemsOf(root, payload)) {
    const uplink = withoutEnvelope(item);
    yield uplink === root ? payload : partOfPayload(uplink);
  }
}

function itemsOf(root: unknown, payload: Payload): readonly unknown[] {
  const values = root ?? payload.as({ format: 'lines' });
  return Array.isArray(values) ? values : [values];
}

const withoutEnvelope = (item: unknown): unknown =>
  isRecord(item) && isRecord(item.result) ? item.result : item;

/** Null for a payload that is not JSON as a whole. */
function jsonOrNull(payload: Payload): unknown {
  try {
    return payload.as({});
  } catch (error) {
    if (error instanceof UnreadableMessageError) return null;
    throw error;
  }
}

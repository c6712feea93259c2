import { isRecord } from '../../../../domain/records.ts';
import type { ReadingsRule } from '../../../../schema/ingest/payload-map.ts';
import { type Payload, partOfPayload, UnreadableMessageError } from '../payload.ts';
import { networkOfRule } from './networks.ts';

/**
 * The uplinks of a payload: a list of them, or what the storage integration of The Things Stack
 * answers, which is {"result": uplink}, one a line. Any other payload is one, also an empty list.
 */
export function* uplinksIn(payload: Payload, rules: readonly ReadingsRule[]): Generator<Payload> {
  if (rules.every((rule) => networkOfRule(rule) === undefined)) {
    yield payload;
    return;
  }

  const root = jsonOrNull(payload);
  const items = itemsOf(root, payload);
  if (items.length === 0) yield payload;

  for (const item of items) {
    const uplink = withoutEnvelope(item);
    yield uplink === root ? payload : partOfPayload(uplink);
  }
}

/** Without null, which is no uplink. */
function itemsOf(root: unknown, payload: Payload): readonly unknown[] {
  const values = root ?? payload.as({ format: 'lines' });
  return (Array.isArray(values) ? values : [values]).filter((item) => item !== null);
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

import { isRecord } from '../../../../domain/records.ts';
import type { ReadingsRule } from '../../../../schema/ingest/payload-map.ts';
import { type Payload, partOfPayload, UnreadableMessageError } from '../payload.ts';
import { networkOfRule } from './networks.ts';

/**
 * The uplinks of a payload: a list of them, or what the storage integration of The Things Stack
 * answers, which is {"result": uplink}, one a line. Any other payload is one.
 */
export function uplinksIn(payload: Payload, rules: readonly ReadingsRule[]): readonly Payload[] {
  if (rules.every((rule) => networkOfRule(rule) === undefined)) return [payload];

  const root = jsonOrNull(payload);
  const uplinks = itemsOf(root, payload).map(withoutEnvelope);
  const isOne = uplinks.length === 1 && uplinks[0] === root;
  return isOne ? [payload] : uplinks.map(partOfPayload);
}

function itemsOf(root: unknown, payload: Payload): readonly unknown[] {
  if (root === null) return linesOf(payload);
  return Array.isArray(root) ? root : [root];
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

function linesOf(payload: Payload): unknown[] {
  const lines = String(payload.as({ format: 'text' })).split('\n');
  try {
    return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new UnreadableMessageError('the payload is not JSON');
  }
}

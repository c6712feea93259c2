import type { Call } from '../operation/call.ts';
import type { WateringBody, WateringStatus } from '../schema/watering.ts';
import { allResultRows } from './every-page.ts';
import { toIso } from './wire.ts';

/** Every watering of a probe that starts from `from` (included) to `to` (excluded), in ms, in order of time. */
export async function wateringsBetween(
  call: Call,
  moduleId: number,
  { from, to, status }: { from: number; to: number; status?: WateringStatus },
): Promise<WateringBody[]> {
  const args = { moduleId, from: toIso(from), to: toIso(to), ...(status && { status }) };
  return (await allResultRows<WateringBody>(call, 'list_waterings', args)).reverse();
}

/** When a watering ran, in ms; its start alone where its length is not known. */
export const runPeriod = ({ startedAt, endedAt }: WateringBody) => ({
  start: Date.parse(startedAt),
  end: Date.parse(endedAt ?? startedAt),
});

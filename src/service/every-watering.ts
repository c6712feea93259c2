import type { Call } from '../operation/call.ts';
import type { WateringBody, WateringStatus } from '../schema/watering.ts';
import { everyRow } from './every-page.ts';
import { isoOf } from './wire.ts';

/** Every watering of a probe that starts from `from` (included) to `to` (excluded), in ms, in order of time. */
export async function everyWatering(
  call: Call,
  moduleId: number,
  { from, to, status }: { from: number; to: number; status?: WateringStatus },
): Promise<WateringBody[]> {
  const asked = { moduleId, from: isoOf(from), to: isoOf(to), ...(status && { status }) };
  return (await everyRow<WateringBody>(call, 'list_waterings', asked)).reverse();
}

/** When a watering ran, in ms; its start alone where its length is not known. */
export const runOf = ({ startedAt, endedAt }: WateringBody) => ({
  start: Date.parse(startedAt),
  end: Date.parse(endedAt ?? startedAt),
});

import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { GatewayBody, GatewayHealthBody } from '../schema/gateway.ts';
import { sayMore } from './say-lists.ts';
import { placeWords } from './say-place.ts';

function sayLastSeen(time: string | null, call: Saying): string {
  const { neverHeard, lastHeard } = placeWords(call);
  return time === null
    ? neverHeard
    : lastHeard(sayInstant(Date.parse(time), call.zone, call.now, call.lang), call.zone);
}

/** A faulty one first of all, with what hangs on it. */
export function sayGateways(page: { data: readonly GatewayBody[]; next_cursor: string | null }, call: Saying): string {
  const words = placeWords(call);
  if (page.data.length === 0) return [words.noGateway, ...call.remarks].join(' ');
  const names = page.data.map(({ imei, id }) => `${imei} (#${id})`).join(', ');
  const faults = page.data.flatMap(({ status, imei, lastSeen, modules }) => {
    const carried = modules.map(({ id, name }) => name ?? `#${id}`);
    return status === 'faulty' ? [words.faulty(imei, sayLastSeen(lastSeen, call), carried)] : [];
  });
  return [words.gateways(names, faults), ...call.remarks, ...sayMore(page, call.lang)].join(' ');
}

export async function sayHealth(
  health: GatewayHealthBody | null,
  call: Saying,
  { moduleId }: { moduleId: number },
): Promise<string> {
  const words = placeWords(call);
  const name = await moduleName(call.directory, moduleId);
  if (health === null) return [words.unplugged(name), ...call.remarks].join(' ');
  const { imei, status, soc, level, time } = health;
  return [words.health({ name, imei, status, heard: sayLastSeen(time, call), soc, level }), ...call.remarks].join(' ');
}

import type { Saying } from '../operation/call.ts';
import { moduleName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { GatewayBody, GatewayHealthBody } from '../schema/gateway.ts';

const sayLastSeen = (time: string | null, { now, zone }: Saying): string =>
  time === null ? 'never heard of' : `last heard of ${sayInstant(Date.parse(time), zone, now)} (${zone})`;

/** A faulty one first of all, with what hangs on it. */
export function sayGateways(
  { data, next_cursor }: { data: readonly GatewayBody[]; next_cursor: string | null },
  call: Saying,
): string {
  if (data.length === 0) return ['No gateway matches.', ...call.remarks].join(' ');
  const faulty = data.filter(({ status }) => status === 'faulty');
  const carrying = ({ modules }: GatewayBody): string =>
    modules.length === 0
      ? 'carrying nothing'
      : `carrying ${modules.map(({ id, name }) => name ?? `#${id}`).join(', ')}`;
  const faults = faulty.map((each) => `${each.imei}, ${sayLastSeen(each.lastSeen, call)}, ${carrying(each)}`);
  return [
    `Gateways: ${data.map(({ imei, id }) => `${imei} (#${id})`).join(', ')}.`,
    faulty.length === 0 ? 'None of them is faulty.' : `Faulty: ${faults.join('; ')}.`,
    ...call.remarks,
    ...(next_cursor === null ? [] : ['More follow: pass next_cursor as cursor.']),
  ].join(' ');
}

export async function sayHealth(
  health: GatewayHealthBody | null,
  call: Saying,
  { moduleId }: { moduleId: number },
): Promise<string> {
  const name = await moduleName(call.directory, moduleId);
  if (health === null) return [`${name} is plugged into no gateway.`, ...call.remarks].join(' ');
  const battery = health.soc === null ? 'battery unknown' : `battery ${health.soc} %`;
  const signal = health.level === null ? 'signal unknown' : `signal ${health.level} of 4 bars`;
  return [
    `The gateway of ${name} (${health.imei}) is ${health.status}: ${sayLastSeen(health.time, call)}, ${battery}, ${signal}.`,
    ...call.remarks,
  ].join(' ');
}

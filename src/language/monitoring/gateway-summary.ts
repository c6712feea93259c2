import { exact } from '../../domain/text/figures.ts';
import { commaSeparated, counted, join, name, say, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeWithZone } from '../../domain/text/times.ts';
import type { GatewayBody, GatewayHealthBody } from '../../schema/company/company.ts';
import { NO_NAME } from '../company/place-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';

export function summarizeGateways({ data }: { data: readonly GatewayBody[] }): Text {
  if (data.length === 0) return say`No gateway matches.`;

  const all = data.map(({ imei }) => name(imei));
  const faulty = data.filter(({ status }) => status === 'faulty').map(describeFaulty);
  const status =
    faulty.length === 0 ? say`None of them is faulty.` : say`Faulty: ${join(faulty, say`; `)}.`;
  return say`Gateways: ${commaSeparated(all)}. ${status}`;
}

function describeFaulty({ imei, lastSeen, modules }: GatewayBody): Text {
  const names = modules.map((module) => (module.name === null ? NO_NAME : name(module.name)));
  const carried = names.length === 0 ? say`no modules` : say`with ${commaSeparated(names)}`;
  return say`${name(imei)}, ${describeLastContact(lastSeen)}, ${carried}`;
}

export async function summarizeGatewayHealth(
  health: GatewayHealthBody | null,
  { directory }: SummaryContext,
  { moduleId }: { moduleId: number },
): Promise<Text> {
  const module = await moduleText(directory, moduleId);
  if (health === null) return say`${module} has no gateway.`;

  const { imei, status, soc, level, time } = health;
  const battery = soc === null ? say`battery unknown` : say`battery ${exact(soc, '%')}`;
  const signal = level === null ? say`signal unknown` : say`signal ${counted(level, 'bar')} of 4`;
  return say`The gateway of ${module} (${name(imei)}) is ${word(status)}: ${describeLastContact(time)}, ${battery}, ${signal}.`;
}

const describeLastContact = (time: string | null): Text =>
  time === null ? say`no contact yet` : say`last contact ${timeWithZone(time)}`;

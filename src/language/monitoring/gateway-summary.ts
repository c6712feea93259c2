import type { GatewayBody, GatewayHealthBody } from '../../schema/company.ts';
import { placePhrases } from '../company/place-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleName } from '../summary-context.ts';
import { formatInstant } from '../time.ts';

function describeLastContact(time: string | null, context: SummaryContext): string {
  const { noContact, lastContact } = placePhrases(context);
  return time === null
    ? noContact
    : lastContact(formatInstant(Date.parse(time), context.zone, context.now, context.lang), context.zone);
}

/** A faulty one first of all, with what hangs on it. */
export function summarizeGateways(
  page: { data: readonly GatewayBody[]; next_cursor: string | null },
  context: SummaryContext,
): string {
  const words = placePhrases(context);
  if (page.data.length === 0) return words.noGateway;
  const names = page.data.map(({ imei, id }) => `${imei} (#${id})`).join(', ');
  const faults = page.data.flatMap(({ status, imei, lastSeen, modules }) => {
    const carried = modules.map(({ id, name }) => name ?? `#${id}`);
    return status === 'faulty' ? [words.faulty(imei, describeLastContact(lastSeen, context), carried)] : [];
  });
  return words.gateways(names, faults);
}

export async function summarizeGatewayHealth(
  health: GatewayHealthBody | null,
  context: SummaryContext,
  { moduleId }: { moduleId: number },
): Promise<string> {
  const words = placePhrases(context);
  const name = await moduleName(context.directory, moduleId);
  if (health === null) return words.unplugged(name);
  const { imei, status, soc, level, time } = health;
  return words.health({ name, imei, status, heard: describeLastContact(time, context), soc, level });
}

import type { GatewayBody, GatewayHealthBody } from '../../schema/company/company.ts';
import { languageOf } from '../index.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTimeWithZone } from '../time.ts';

function describeLastContact(time: string | null, context: SummaryContext): string {
  const { noContact, lastContact } = languageOf(context.lang).gateway;
  return time === null ? noContact : lastContact(formatTimeWithZone(time, context));
}

export function summarizeGateways(
  { data }: { data: readonly GatewayBody[] },
  context: SummaryContext,
): string {
  const phrases = languageOf(context.lang).gateway;
  if (data.length === 0) return phrases.noMatch;

  const names = data.map(({ imei, id }) => `${imei} (#${id})`).join(', ');
  const faulty = data
    .filter(({ status }) => status === 'faulty')
    .map(({ imei, lastSeen, modules }) =>
      phrases.faulty(
        imei,
        describeLastContact(lastSeen, context),
        modules.map(({ id, name }) => name ?? `#${id}`),
      ),
    );

  return phrases.list(names, faulty);
}

export async function summarizeGatewayHealth(
  health: GatewayHealthBody | null,
  context: SummaryContext,
  { moduleId }: { moduleId: number },
): Promise<string> {
  const phrases = languageOf(context.lang).gateway;
  const name = await moduleName(context.directory, moduleId);
  if (health === null) return phrases.unplugged(name);

  const { imei, status, soc, level, time } = health;
  return phrases.health({
    name,
    imei,
    status,
    lastContact: describeLastContact(time, context),
    soc,
    level,
  });
}

import type { GatewayBody, GatewayHealthBody } from '../../schema/company/company.ts';
import { moduleName, type SummaryContext } from '../summary-context.ts';
import { formatTimeWithZone } from '../time.ts';
import { gatewayPhrases } from './gateway-phrases.ts';

function describeLastContact(time: string | null, context: SummaryContext): string {
  const { noContact, lastContact } = gatewayPhrases;
  return time === null ? noContact : lastContact(formatTimeWithZone(time, context));
}

export function summarizeGateways(
  { data }: { data: readonly GatewayBody[] },
  context: SummaryContext,
): string {
  if (data.length === 0) return gatewayPhrases.noMatch;

  const names = data.map(({ imei }) => imei).join(', ');
  const faulty = data
    .filter(({ status }) => status === 'faulty')
    .map(({ imei, lastSeen, modules }) =>
      gatewayPhrases.faulty(
        imei,
        describeLastContact(lastSeen, context),
        modules.map(({ name }) => name ?? 'no name'),
      ),
    );

  return gatewayPhrases.list(names, faulty);
}

export async function summarizeGatewayHealth(
  health: GatewayHealthBody | null,
  context: SummaryContext,
  { moduleId }: { moduleId: number },
): Promise<string> {
  const name = await moduleName(context.directory, moduleId);
  if (health === null) return gatewayPhrases.noGateway(name);

  const { imei, status, soc, level, time } = health;
  return gatewayPhrases.health({
    name,
    imei,
    status,
    lastContact: describeLastContact(time, context),
    soc,
    level,
  });
}

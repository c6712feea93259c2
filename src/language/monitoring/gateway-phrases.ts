import type { GatewayBody } from '../../schema/company/company.ts';
import { englishCount } from '../en/grammar.ts';

interface GatewayHealthFacts {
  readonly name: string;
  readonly imei: string;
  readonly status: GatewayBody['status'];
  readonly lastContact: string;
  readonly soc: number | null;
  readonly level: number | null;
}

export const gatewayPhrases = {
  noContact: 'no contact yet',
  lastContact: (at: string) => `last contact ${at}`,
  noMatch: 'No gateway matches.',
  faulty: (imei: string, lastContact: string, modules: readonly string[]) =>
    `${imei}, ${lastContact}, ${modules.length === 0 ? 'no modules' : `with ${modules.join(', ')}`}`,
  list: (names: string, faulty: readonly string[]) =>
    `Gateways: ${names}. ${faulty.length === 0 ? 'None of them is faulty.' : `Faulty: ${faulty.join('; ')}.`}`,
  noGateway: (name: string) => `${name} has no gateway.`,
  health: ({ name, imei, status, lastContact, soc, level }: GatewayHealthFacts) =>
    `The gateway of ${name} (${imei}) is ${status}: ${lastContact}, ${soc === null ? 'battery unknown' : `battery ${soc} %`}, ${level === null ? 'signal unknown' : `signal ${englishCount(level, 'bar')} of 4`}.`,
};

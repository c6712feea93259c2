import { describe, expect, it } from 'vitest';
import {
  summarizeGatewayHealth,
  summarizeGateways,
} from '../../../src/language/monitoring/gateway-summary.ts';
import type { GatewayBody, GatewayHealthBody } from '../../../src/schema/company/company.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const IMEI = '356938035643809';
const context = contextOf({ modules: [{ ...MODULE, name: 'Oak' }] });

describe('gateways', () => {
  const gateway = (changes: Partial<GatewayBody>): GatewayBody =>
    ({
      imei: IMEI,
      status: 'active',
      lastSeen: iso(FARM_NOW),
      modules: [],
      ...changes,
    }) as GatewayBody;
  const carried = ['Oak', null].map((name) => ({ ...MODULE, name }));

  it.each<[string, GatewayBody[]]>([
    ['No gateway matches.', []],
    [`Gateways: ${IMEI}. None of them is faulty.`, [gateway({})]],
    [
      `Gateways: ${IMEI}, 2. Faulty: ${IMEI}, last contact 29 Jun 12:00 (Europe/Paris), with Oak, no name; 2, no contact yet, no modules.`,
      [
        gateway({
          status: 'faulty',
          lastSeen: iso(FARM_NOW - 48 * HOUR),
          modules: carried as never,
        }),
        gateway({ imei: '2', status: 'faulty', lastSeen: null }),
      ],
    ],
  ])('are %j', (sentence, data) => expect(renderText(summarizeGateways({ data }))).toBe(sentence));
});

describe('the gateway of a module', () => {
  const HEALTH: GatewayHealthBody = {
    time: iso(FARM_NOW - HOUR),
    id: 1,
    imei: IMEI,
    status: 'active',
    soc: 76,
    charging: false,
    level: 1,
  };

  it.each<[string, GatewayHealthBody | null]>([
    ['Oak has no gateway.', null],
    [
      `The gateway of Oak (${IMEI}) is active: last contact today 11:00 (Europe/Paris), battery 76 %, signal 1 bar of 4.`,
      HEALTH,
    ],
    [
      `The gateway of Oak (${IMEI}) is faulty: no contact yet, battery unknown, signal unknown.`,
      { ...HEALTH, time: null, status: 'faulty', soc: null, level: null },
    ],
  ])('is %j', async (sentence, health) =>
    expect(renderText(await summarizeGatewayHealth(health, context, { moduleId: 1 }))).toBe(
      sentence,
    ),
  );
});

import { z } from 'zod';
import { GATEWAY_STATUSES } from '../domain/gateway-status.ts';
import { instantOutput } from './field.ts';
import { CATEGORIES } from './place.ts';

/** Gateway of the spec. */
export const gateway = z.strictObject({
  id: z.number().int(),
  imei: z.string(),
  serialHex: z.string().nullable(),
  firmware: z.string().nullable(),
  assignedAt: instantOutput(),
  status: z.enum(GATEWAY_STATUSES),
  lastSeen: instantOutput().nullable(),
  soc: z.number().int().nullable().describe('Battery, %.'),
  level: z.number().int().nullable().describe('Signal bars, 0 to 4.'),
  modules: z.array(
    z.strictObject({
      id: z.number().int(),
      uid: z.string(),
      name: z.string().nullable(),
      category: z.enum(CATEGORIES).nullable(),
    }),
  ),
});
export type GatewayBody = z.output<typeof gateway>;

/** GatewayHealth of the spec. */
export const gatewayHealth = z.strictObject({
  time: instantOutput().nullable(),
  id: z.number().int(),
  imei: z.string(),
  status: z.enum(GATEWAY_STATUSES),
  soc: z.number().int().nullable(),
  charging: z.boolean(),
  level: z.number().int().nullable(),
});
export type GatewayHealthBody = z.output<typeof gatewayHealth>;

import type { CompanyDb } from '../tables.ts';

export interface Gateway {
  readonly id: number;
  readonly imei: string;
  readonly serialHex: string | null;
  readonly firmware: string | null;
  readonly assignedAt: number;
  readonly lastSeenAt: number | null;
  readonly batteryMv: number | null;
  readonly level: number | null;
}

const gatewayRows = (db: CompanyDb) =>
  db
    .selectFrom('gateways')
    .select([
      'id',
      'imei',
      'serial_hex as serialHex',
      'firmware',
      'assigned_at as assignedAt',
      'last_seen_at as lastSeenAt',
      'battery_mv as batteryMv',
      'level',
    ]);

export const allGateways = (db: CompanyDb): Promise<Gateway[]> => gatewayRows(db).orderBy('id').execute();

export async function gatewayById(db: CompanyDb, id: number): Promise<Gateway | null> {
  return (await gatewayRows(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function modulesInServiceOn(db: CompanyDb, gatewayIds: readonly number[]) {
  if (gatewayIds.length === 0) return [];
  return db
    .selectFrom('modules')
    .select(['id', 'uid', 'name', 'number', 'category', 'gateway_id as gatewayId'])
    .where('gateway_id', 'in', gatewayIds)
    .where('commissioned_at', 'is not', null)
    .orderBy('id')
    .execute();
}

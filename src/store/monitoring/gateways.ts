import type { Selectable } from 'kysely';
import { type CamelRow, camelRow } from '../camel-row.ts';
import { isInService } from '../company/places.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export type Gateway = CamelRow<Selectable<CompanyTables['gateways']>>;

export const allGateways = async (db: CompanyDb): Promise<Gateway[]> =>
  (await db.selectFrom('gateways').selectAll().orderBy('id').execute()).map(camelRow);

export async function gatewayById(db: CompanyDb, id: number): Promise<Gateway | null> {
  const row = await db.selectFrom('gateways').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? camelRow(row) : null;
}

export async function modulesInServiceOn(db: CompanyDb, gatewayIds: readonly number[]) {
  if (gatewayIds.length === 0) return [];
  return db
    .selectFrom('modules')
    .select(['id', 'uid', 'name', 'number', 'category', 'gateway_id as gatewayId'])
    .where('gateway_id', 'in', gatewayIds)
    .where(isInService)
    .orderBy('id')
    .execute();
}

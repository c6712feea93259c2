import type { Selectable } from 'kysely';
import { type CamelRow, camelRow } from '../queries/camel-row.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';

export type Gateway = CamelRow<Selectable<CompanyTables['gateways']>>;

export const gatewayNames = (
  db: CompanyDb,
): Promise<Pick<Gateway, 'id' | 'imei' | 'serialHex'>[]> =>
  db
    .selectFrom('gateways')
    .select(['id', 'imei', 'serial_hex as serialHex'])
    .orderBy('id')
    .execute();

export async function gatewaysById(db: CompanyDb, ids: readonly number[]): Promise<Gateway[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('gateways')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  return rows.map(camelRow);
}

export async function gatewayById(db: CompanyDb, id: number): Promise<Gateway | null> {
  const row = await db.selectFrom('gateways').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? camelRow(row) : null;
}

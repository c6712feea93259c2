import { CompiledQuery, type Kysely } from 'kysely';
import { expect, vi } from 'vitest';
import { updatePlannedDoses } from '../../../src/store/irrigation/occurrence-writes.ts';
import { PostgresConnection } from '../../../src/store/postgres/connection.ts';
import type { Tables } from '../../../src/store/tables.ts';
import { FARM_NOW, it, type TestFarm } from '../../farm.ts';

const PROBES = 60;

async function scheduleOfLargeParcel(farm: TestFarm): Promise<number> {
  await farm.importFile({
    parcels: [{ name: 'North block' }],
    modules: Array.from({ length: PROBES }, (_, index) => ({
      uid: `Vine ${index}`,
      name: `Vine ${index}`,
      category: 'SOIL_PROBE',
      parcel: 'North block',
    })),
  });
  return (await farm.createSchedule({ parcel: 'North block' })).id;
}

const DOSE = { waterMm: 2, waterMmWetted: null, snapshot: null };

async function planOf(all: Kysely<Tables>, { sql, parameters }: CompiledQuery): Promise<string> {
  const explain = CompiledQuery.raw(`explain (analyze, timing off) ${sql}`, [...parameters]);
  const { rows } = await all.executeQuery<{ 'QUERY PLAN': string }>(explain);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('reads only the waterings of the probe to update its planned doses, without statistics', async ({
  farm,
}) => {
  const scheduleId = await scheduleOfLargeParcel(farm);
  const moduleId = farm.idOf('North 1');
  const run = vi.spyOn(PostgresConnection.prototype, 'executeQuery');

  const { updated, plan } = await farm.store.writeAll(async (all) => {
    const { company_id: companyId } = await all
      .selectFrom('schedules')
      .select('company_id')
      .where('id', '=', scheduleId)
      .executeTakeFirstOrThrow();
    const db = farm.store.scopeToCompany(all, companyId);
    const period = { after: FARM_NOW, before: null };
    const occurrences = { scheduleId, moduleIds: [moduleId], scheduledFrom: '2026-01-01T00:00' };
    const updated = await updatePlannedDoses(db, occurrences, period, DOSE);
    const plan = await planOf(all, run.mock.lastCall![0]);
    return { updated, plan };
  });
  run.mockRestore();

  expect(updated).toBeGreaterThan(50);
  const removed = /Rows Removed by Filter: (\d+)/.exec(plan)?.[1] ?? 0;
  expect(Number(removed), plan).toBeLessThan(3 * updated);
});

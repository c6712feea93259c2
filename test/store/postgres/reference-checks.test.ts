import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { addAlerts, newRecipient, newUnnumberedAlert } from '../../../src/store/alerts/alerts.ts';
import { allUsers } from '../../../src/store/company/companies.ts';
import { companyIdOf } from '../../../src/store/scope/company-db.ts';
import type { Tables } from '../../../src/store/tables.ts';
import { FARM_NOW, it } from '../../farm.ts';

const ROWS = 150;

/** Counts the alerts that the session has read since it last reported to the server. */
const alertsReadBy = async (all: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ read: number }>`select idx_tup_fetch as read
    from pg_stat_xact_user_tables where relname = 'alerts'`.execute(all);
  return rows[0]!.read;
};

it('checks that an alert exists without reading the others, however many were added since the first', async ({
  farm,
}) => {
  const companyId = await farm.write(async (db) => companyIdOf(db));
  const addMany = () =>
    farm.store.writeUnscoped(companyId, async (all) => {
      const db = farm.store.scopeToCompany(all, companyId);
      const [user] = await allUsers(db);
      const added = Array.from({ length: ROWS }, () => {
        const alert = newUnnumberedAlert(
          {
            moduleId: farm.idOf('North 1'),
            parcelId: null,
            annotationId: null,
            threshold: '20',
            hysteresis: '2',
            reminderTime: '08:00:00',
            source: 'manual',
            createdBy: user!.id,
          },
          FARM_NOW,
        );
        return { alert, recipient: newRecipient(alert) };
      });
      const readBefore = await alertsReadBy(all);
      await addAlerts(db, added);
      return (await alertsReadBy(all)) - readBefore;
    });

  const read: number[] = [];
  for (let step = 0; step < 3; step++) read.push(await addMany());
  expect(read.at(-1)).toBeLessThanOrEqual(2 * ROWS);
});

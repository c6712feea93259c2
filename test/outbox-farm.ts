import { randomUUID } from 'node:crypto';
import { plainTextOf } from '../src/language/mail/mail-content.ts';
import { parseStoredContent } from '../src/service/mail/stored-content.ts';
import { insertCompany } from '../src/store/company/companies.ts';
import { insertFarmRow } from '../src/store/farm/farm-rows.ts';
import { addMail, type NewMail } from '../src/store/mail/outbox.ts';
import { openStore, type Store } from '../src/store/store.ts';
import type { CompanyDb } from '../src/store/tables.ts';
import { bareModule } from './farm.ts';

/** A stored mail with the plain text that is sent of it. */
export const withPlainText = <Row extends { readonly text: string }>(row: Row): Row => ({
  ...row,
  text: plainTextOf(parseStoredContent(row.text)),
});

/** In ms. */
export const COMPOSED_AT = Date.UTC(2026, 6, 1, 4);

/** Each has its own recipient, so that a mail server can tell them apart. */
export const outboxMessage = (n: number, alert: { alertId: string; userId: number }): NewMail => ({
  ...alert,
  kind: 'fired',
  to: `ana+${n}@example.org`,
  subject: `Message ${n}`,
  text: `The text of message ${n}.`,
  html: `<p>The text of message ${n}.</p>`,
});

async function addAlertOf(
  db: CompanyDb,
  threshold = '20',
): Promise<{ alertId: string; userId: number; moduleId: number }> {
  const userId = await insertFarmRow(db, 'users', {
    email: 'ana@example.org',
    name: 'Ana',
    role: 'OWNER',
  });
  const moduleId = await insertFarmRow(db, 'modules', bareModule({ uid: 'A1', name: 'North 1' }));
  const alertId = randomUUID();
  await db
    .insertInto('alerts')
    .values({
      id: alertId,
      module_id: moduleId,
      parcel_id: null,
      annotation_id: null,
      threshold,
      hysteresis: '5',
      reminder_time: '08:00:00',
      source: 'manual',
      is_active: 1,
      created_by: userId,
      created_at: COMPOSED_AT,
      updated_at: COMPOSED_AT,
    })
    .execute();
  await db
    .insertInto('alert_recipients')
    .values({ id: randomUUID(), alert_id: alertId, user_id: userId })
    .execute();
  return { alertId, userId, moduleId };
}

export async function fillOutbox(
  store: Store,
  count: number,
  name = 'Mas Rouge',
): Promise<{ companyId: number; alertId: string }> {
  return store.writeAll(async (all) => {
    const companyId = await insertCompany(all, {
      name,
      timezone: 'Europe/Paris',
      legal_name: null,
      country_code: 'FR',
      currency: null,
      city: null,
      postal_code: null,
      region: null,
    });
    const db = store.scopeToCompany(all, companyId);
    const alert = await addAlertOf(db);
    const { alertId, userId } = alert;
    await addMail(
      db,
      Array.from({ length: count }, (_, n) => outboxMessage(n, { alertId, userId })),
      COMPOSED_AT,
    );
    return { companyId, alertId };
  });
}

export async function fillOutboxAt(db: string, count: number): Promise<void> {
  const store = await openStore({ db });
  try {
    await fillOutbox(store, count);
  } finally {
    await store.close();
  }
}

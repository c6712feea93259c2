import { describe, expect } from 'vitest';
import type { AlertMailState } from '../../../src/language/mail/mail-facts.ts';
import type { AlertMailKind } from '../../../src/schema/alerts/alert.ts';
import { type MailedAlert, queueAlertMail } from '../../../src/service/alerts/alert-messages.ts';
import { companyById } from '../../../src/store/company/companies.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { FARM_NOW, HOUR, iso, it, minutesAt, type TestFarm } from '../../farm.ts';
import { withPlainText } from '../../outbox-farm.ts';

const STANDING: AlertMailState = {
  newestAt: FARM_NOW - HOUR,
  newestValue: 18.4,
  startedAt: FARM_NOW - HOUR,
  endedAt: null,
  lowestValue: 18.4,
  isFiring: true,
  ending: 'reached',
};

interface MailOptions {
  readonly kind?: AlertMailKind;
  readonly country?: string;
}

async function queuedMails(
  farm: TestFarm,
  module: string,
  emails: readonly string[],
  { kind = 'fired', country }: MailOptions = {},
) {
  const companyId = (await farm.tool<{ id: number }>('get_company')).id;
  await farm.store.writeAll(async (all) => {
    await all
      .updateTable('companies')
      .set({ country_code: country ?? null })
      .where('id', '=', companyId)
      .execute();
    const db = farm.store.scopeToCompany(all, companyId);
    const users: number[] = [];
    for (const email of emails)
      users.push(await insertFarmRow(db, 'users', { email, name: email, role: 'MANAGER' }));
    const alert: MailedAlert = {
      id: '00000000-0000-4000-8000-000000000001',
      kind: 'moisture',
      moduleId: farm.idOf(module),
      threshold: '20',
      hysteresis: '5',
    };
    const at = { created_at: FARM_NOW, updated_at: FARM_NOW };
    const owner = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    await db
      .insertInto('alerts')
      .values({
        ...at,
        id: alert.id,
        module_id: alert.moduleId,
        parcel_id: null,
        annotation_id: null,
        threshold: alert.threshold,
        hysteresis: alert.hysteresis,
        reminder_time: '08:00:00',
        source: 'manual',
        is_active: 1,
        created_by: owner.id,
      })
      .execute();
    for (const [n, user_id] of users.entries())
      await db
        .insertInto('alert_recipients')
        .values({ id: `recipient ${n}`, alert_id: alert.id, user_id })
        .execute();
    const company = (await companyById(all, companyId))!;
    await queueAlertMail({ db, now: FARM_NOW }, company, alert, kind, STANDING);
  });
  const rows = await farm.write((db) =>
    db.selectFrom('outbox').selectAll().orderBy('seq').execute(),
  );
  return rows.map(withPlainText);
}

describe('the messages of an alert', () => {
  it('go to each recipient and are due at once', async ({ farm }) => {
    const rows = await queuedMails(farm, 'North 1', ['ana@example.com', 'bo@example.com'], {
      kind: 'reminder',
    });
    expect(rows.map(({ to_address }) => to_address)).toEqual(['ana@example.com', 'bo@example.com']);
    for (const row of rows)
      expect(row).toMatchObject({
        kind: 'reminder',
        state: 'waiting',
        created_at: FARM_NOW,
        attempts: 0,
        message_id: null,
        next_attempt_at: 0,
      });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
  });

  it('are not written without recipients', async ({ farm }) =>
    expect(await queuedMails(farm, 'North 1', [])).toEqual([]));

  it('are in the language of the company’s country', async ({ farm }) => {
    const subject = async (query: MailOptions) => {
      const [row] = await queuedMails(farm, 'North 1', ['ana@example.com'], query);
      await farm.write(async (db) => {
        for (const table of ['outbox', 'alert_recipients', 'alerts'] as const)
          await db.deleteFrom(table).execute();
        await db.deleteFrom('users').where('email', '=', 'ana@example.com').execute();
      });
      return row!.subject;
    };
    expect(await subject({ country: 'FR' })).toMatch(/^Sol sec/);
    expect(await subject({ country: 'MX' })).toMatch(/^Suelo seco/);
    expect(await subject({ country: 'DE' })).toMatch(/^Dry soil/);
    expect(await subject({})).toMatch(/^Dry soil/);
  });

  it('list the last three waterings that are done, and which nobody confirmed; none planned, skipped or of another probe', async ({
    farm,
  }) => {
    await farm.declare('North 1', {
      system: 'sprinkler',
      flowMmPerH: 6,
      effectiveFrom: iso(FARM_NOW - 5 * HOUR),
    });
    const water = (hoursAgo: number, more: Record<string, unknown> = {}, module = 'North 1') =>
      farm.log(module, minutesAt(FARM_NOW - hoursAgo * HOUR, 30, more));
    // 12:00 in Paris is now. No setup covers the time before 07:00, so the dose is missing.
    for (const hoursAgo of [7, 6, 3]) await water(hoursAgo);
    await water(2, { status: 'skipped' });
    await water(-2);
    await water(1, {}, 'North 2');
    // No job has run since that watering of 08:00.
    farm.now = FARM_NOW - 5 * HOUR;
    await farm.createSchedule({ module: 'North 1', startTimes: ['08:00'], endsOn: '2026-07-01' });
    farm.now = FARM_NOW;
    const [row] = await queuedMails(farm, 'North 1', ['ana@example.com']);
    // 30 min at 6 mm/h.
    expect(row!.text).toContain(
      'Last waterings\n- 1 July, 09:00: 3 mm\n- 1 July, 08:00: 3 mm (unconfirmed)\n- 1 July, 06:00: dose unknown\n\n',
    );
  });

  it('give the field capacity and wilting point of the drawn lines', async ({ farm }) => {
    const line = (fill: string, value: number) =>
      farm.tool('create_annotation', {
        module: 'North 1',
        chartType: 'humidity',
        type: 'h-line',
        unit: 'vwc',
        p1: [FARM_NOW, value],
        style: { fill },
      });
    await line('threshold1', 31.5);
    await line('threshold2', 14.25);
    const [row] = await queuedMails(farm, 'North 1', ['ana@example.com']);
    expect(row!.text).toContain('Field capacity: 31.5 % (the line drawn on the curve)');
    expect(row!.text).toContain('Wilting point: 14.25 % (the line drawn on the curve)');
    // Below the 22.9 % = 31.5 - 0.5 x (31.5 - 14.25) at which plants begin to suffer.
    expect(row!.text).toContain(
      'Plants there begin to suffer at 22.9 %, which is above this threshold.',
    );
    expect(row!.text).toContain('Plants begin to suffer at: 22.9 %');
  });

  it('give those of the parcel’s soil without drawn lines', async ({ farm }) => {
    await farm.write(async (db) => {
      await insertFarmRow(db, 'sensors', {
        module_id: farm.idOf('North 1'),
        type: 'humidity',
        depth: 20,
        label: null,
      });
    });
    const { data } = await farm.tool<{
      data: { code: string; usda_class: string; theta_fc: number; theta_pwp: number }[];
    }>('list_soil_horizons');
    const loam = data.find(({ usda_class }) => usda_class === 'Loam')!;
    await farm.wire('set_soil_profile', {
      parcelId: farm.idOf('North block'),
      layers: [{ soilHorizonId: Number(loam.code), depthTopCm: 0, depthBottomCm: 60 }],
    });
    const [row] = await queuedMails(farm, 'North 1', ['ana@example.com']);
    const percent = (share: number) => Number((100 * share).toFixed(1));
    expect(row!.text).toContain(
      `Field capacity: ${percent(loam.theta_fc)} % (the soil of the parcel)`,
    );
    expect(row!.text).toContain(
      `Wilting point: ${percent(loam.theta_pwp)} % (the soil of the parcel)`,
    );
  });

  it('say that none is declared, and name a probe without a name by its id', async ({ farm }) => {
    await farm.write((db) =>
      db.updateTable('modules').set({ name: null }).where('id', '=', farm.idOf('Loose')).execute(),
    );
    const [row] = await queuedMails(farm, 'Loose', ['ana@example.com']);
    expect(row!.text).toContain('Field capacity: not declared\nWilting point: not declared');
    expect(row!.text).toContain(`Moisture at #${farm.idOf('Loose')} is below 20 %.`);
  });
});

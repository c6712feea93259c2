import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { registerStoreGauges } from '../../src/observe/metrics.ts';
import { runHousekeepingRound } from '../../src/service/jobs/housekeeping.ts';
import { alertsToEvaluate } from '../../src/store/alerts/alert-states.ts';
import { allCompanies } from '../../src/store/company/companies.ts';
import { moduleIsInService } from '../../src/store/company/modules.ts';
import { sensorsOf } from '../../src/store/company/sensors.ts';
import { unassignedDevices } from '../../src/store/ingest/unassigned-readings.ts';
import { outboxStatistics, waitingMessageCount } from '../../src/store/mail/outbox.ts';
import { doubtfulTemperatures } from '../../src/store/moisture/doubtful-temperatures.ts';
import { type Store, wrappedStore } from '../../src/store/store-interface.ts';
import {
  allLeases,
  firingAlertCount,
  mailAddresses,
  newestInstant,
  watchedAlertCount,
  zonesInUse,
} from '../../src/store/store-statistics.ts';
import { allForecasts } from '../../src/store/weather/weather.ts';
import { fillFarm } from './sample-rows.ts';
import { onEachStore, withStore } from './temporary-stores.ts';

/** A store that also collects the text of each statement. */
function collecting(store: Store): { readonly store: Store; readonly statements: Set<string> } {
  const statements = new Set<string>();
  const observer = {
    onConnectionAcquired: () => undefined,
    onBegin: () => undefined,
    onQuery: (text: string) => void statements.add(text),
  };
  return { store: wrappedStore(store, (_, run) => run({ observer })), statements };
}

/** The newest record is a reading of the second company. */
async function fillBoth(store: Store): Promise<void> {
  for (const company of [1, 2])
    await store.write(company, async (db) => {
      await fillFarm(db, `owner ${company}`);
      await db.deleteFrom('pending_plans').execute();
      await db.deleteFrom('pending_parts').execute();
      await db.deleteFrom('pending_undos').execute();
      const { id } = await db.selectFrom('sensors').select('id').executeTakeFirstOrThrow();
      const reading = { sensor_id: id, at: 3000 + company, value: 20 };
      await db.insertInto('readings').values(reading).execute();
    });
}

onEachStore((withEachStore, isOnServer) => {
  it('finds the newest reading of a sensor by its company and id', () =>
    withEachStore(async (store) => {
      await fillBoth(store);
      const observed = collecting(store);
      expect(await observed.store.readAll(newestInstant)).toBe(3002);

      const text = [...observed.statements].find((statement) => statement.includes('"readings"'))!;
      const plan = await store.readAll(async (all) => {
        if (!isOnServer)
          return sqlitePlan(
            await sql.raw<{ detail: string }>(`explain query plan ${text}`).execute(all),
          );
        // The planner would read the few rows of a test one by one.
        await sql`set local enable_seqscan = off`.execute(all);
        return postgresPlan(
          await sql.raw<{ 'QUERY PLAN': string }>(`explain ${text}`).execute(all),
        );
      });

      expect(plan.length).toBeGreaterThan(0);
      for (const step of plan) expect(step).toMatch(/company_id.*sensor_id/);
    }));
});

const sqlitePlan = ({ rows }: { rows: readonly { detail: string }[] }): string[] =>
  rows.map(({ detail }) => detail).filter((detail) => /\breadings\b/.test(detail));

/** The conditions by which the indexes of readings are searched. */
const postgresPlan = ({ rows }: { rows: readonly { 'QUERY PLAN': string }[] }): string[] =>
  rows
    .map((row) => row['QUERY PLAN'])
    .filter((line, index, lines) => /Index Cond/.test(line) && /readings/.test(lines[index - 1]!));

/** Every company's sensors would be read for each probe. */
it('finds the sensors of probes by an index', () =>
  withStore(async (store) => {
    await fillBoth(store);
    const observed = collecting(store);
    await observed.store.read(1, async (db) => {
      await sensorsOf(db, [1]);
      await sensorsOf(db, [1, 2]);
      await moduleIsInService(db, 1);
    });

    const texts = [...observed.statements].filter((text) => text.includes('"sensors"'));
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      const { rows } = await store.readAll((all) =>
        sql.raw<{ detail: string }>(`explain query plan ${text}`).execute(all),
      );
      const plan = rows
        .map(({ detail }) => detail)
        .filter((detail) => /\b(sensors|readings)\b/.test(detail));
      expect(plan.length).toBeGreaterThan(0);
      for (const step of plan) expect(step).toMatch(/SEARCH.*(module|sensor)_id=/);
    }
  }));

/** The brief asks for them; all readings of the company would be read. */
it('finds the newest temperature of each thermometer by its sensor', () =>
  withStore(async (store) => {
    await fillBoth(store);
    const observed = collecting(store);
    await observed.store.read(1, (db) => doubtfulTemperatures(db, 3_500));

    const [text] = [...observed.statements].filter((each) => each.includes('"readings"'));
    const plan = sqlitePlan(
      await store.readAll((all) =>
        sql.raw<{ detail: string }>(`explain query plan ${text}`).execute(all),
      ),
    );
    expect(plan.length).toBeGreaterThan(0);
    for (const step of plan) expect(step).toMatch(/SEARCH.*sensor_id=\?/);
  }));

/** Each reading that arrives asks for them; all alerts of the company would be looked at. */
it('finds the alerts with new readings by an index of these alone', () =>
  withStore(async (store) => {
    await fillBoth(store);
    const observed = collecting(store);
    await observed.store.read(1, (db) => alertsToEvaluate(db, 4));

    const [text] = [...observed.statements].filter((each) => each.includes('"alert_states"'));
    const { rows } = await store.readAll((all) =>
      sql.raw<{ detail: string }>(`explain query plan ${text}`).execute(all),
    );
    expect(rows[0]?.detail).toMatch(/^SEARCH alert_states USING INDEX alert_states_pending/);
  }));

/** A company may have hundreds of thousands of waterings, which an index of its id would read. */
it('finds rows of a list of ids by their ids, and no row of another company', () =>
  withStore(async (store) => {
    await fillBoth(store);
    const idsOf = (company: number): Promise<number[]> =>
      store.read(company, async (db) =>
        (await db.selectFrom('waterings').select('id').execute()).map(({ id }) => id),
      );
    const [own, others] = [await idsOf(1), await idsOf(2)];
    const ids = [...own, ...others];
    const observed = collecting(store);
    await observed.store.write(1, async (db) => {
      await db.selectFrom('waterings').selectAll().where('id', 'in', ids).execute();
      await db.updateTable('waterings').set({ note: 'seen' }).where('id', 'in', ids).execute();
      const subquery = db.selectFrom('waterings').select('id').where('id', 'in', ids);
      await db.deleteFrom('waterings').where('id', 'in', subquery).execute();
    });

    const texts = [...observed.statements].filter((text) => text.includes('"id" in ('));
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      const { rows } = await store.readAll((all) =>
        sql.raw<{ detail: string }>(`explain query plan ${text}`).execute(all),
      );
      const plan = rows.map(({ detail }) => detail).filter((step) => step.includes('waterings'));
      expect(plan[0]).toBe('SEARCH waterings USING INTEGER PRIMARY KEY (rowid=?)');
    }
    expect(await idsOf(1)).toEqual([]);
    expect(await idsOf(2)).toEqual(others);
  }));

const tick = async (store: Store): Promise<unknown> =>
  runHousekeepingRound(store, { now: 3000, holder: 'test' });

const scrape = async (store: Store): Promise<unknown> =>
  registerStoreGauges(new Registry(), store, () => 3000)();

/** Asks a store what "acequia doctor" asks it. */
async function examine(store: Store): Promise<void> {
  const questions = [
    newestInstant,
    zonesInUse,
    allCompanies,
    allForecasts,
    allLeases,
    mailAddresses,
  ];
  for (const question of questions) await store.readAll<unknown>(question);
  for (const count of [watchedAlertCount, firingAlertCount, waitingMessageCount])
    await store.readAll(count);
  await store.readAll(outboxStatistics);
  await store.readAll((all) => unassignedDevices(all, 5));
}

/** Tables that grow for years, with the only way in which all their rows may be looked at. */
const SCANS =
  /\bSCAN (?:readings|reading_hours|reading_days|station_readings|outbox(?! USING (?:COVERING )?INDEX outbox_(?:undelivered|by_attempt)))\b/;

describe('statements that concern all companies', () => {
  it.each([
    ['doctor', examine],
    ['metrics', scrape],
    ['housekeeping', tick],
  ])('read no table that grows for years as a whole: %s', (_, run) =>
    withStore(async (store) => {
      await fillBoth(store);
      const observed = collecting(store);
      await run(observed.store);

      expect(observed.statements.size).toBeGreaterThan(3);
      for (const text of observed.statements) {
        if (!/^(?:with|select|update|delete)\b/.test(text)) continue;
        const { rows } = await store.readAll((all) =>
          sql.raw<{ detail: string }>(`explain query plan ${text}`).execute(all),
        );
        for (const { detail } of rows) expect(detail, text).not.toMatch(SCANS);
      }
    }),
  );
});

import type { Kysely, KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { StagedCall } from '../../../src/operation/call.ts';
import { type IngestBatch, ingestBatch } from '../../../src/service/ingest/batch/batch-ingest.ts';
import { createAlertEvaluator } from '../../../src/service/jobs/background-jobs.ts';
import {
  type CompanyRow,
  companyById,
  insertCompany,
} from '../../../src/store/company/companies.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { CompanyDb } from '../../../src/store/tables.ts';
import { bareModule, HOUR, iso, NO_DETAILS } from '../../farm.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';

const NOW = Date.UTC(2026, 6, 1, 12);
const DEPTHS = [10, 20, 30];

/** Each probe has three sensors, a device, a gateway and an alert. */
async function addProbes(db: CompanyDb, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  const probes = numbers.map((n) => bareModule({ uid: `U${n}`, name: `Probe ${n}` }));
  await db.insertInto('modules').values(probes).execute();
  const modules = await db.selectFrom('modules').select(['id', 'uid']).execute();
  const { id: userId } = await db
    .insertInto('users')
    .values({ email: 'ana@example.org', name: 'Ana', role: 'OWNER' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const sensors = modules.flatMap(({ id }) =>
    DEPTHS.map((depth) => ({ module_id: id, type: 'humidity' as const, depth, label: null })),
  );
  const devices = modules.map(({ id, uid }) => ({
    name: `D${uid}`,
    module_id: id,
    depths: JSON.stringify(DEPTHS),
    first_seen_at: NOW,
  }));
  const gateways = numbers.map((n) => ({ imei: String(1e14 + n), assigned_at: NOW }));
  const alerts = modules.map(({ id, uid }) => ({
    id: `alert ${uid}`,
    module_id: id,
    parcel_id: null,
    annotation_id: null,
    threshold: '20',
    hysteresis: '1',
    reminder_time: '07:00',
    source: 'manual' as const,
    is_active: 1 as const,
    created_by: userId,
    created_at: NOW,
    updated_at: NOW,
  }));
  await db.insertInto('sensors').values(sensors).execute();
  await db.insertInto('devices').values(devices).execute();
  await db.insertInto('gateways').values(gateways).execute();
  await db.insertInto('alerts').values(alerts).execute();
  const states = alerts.map(({ id }) => ({
    alert_id: id,
    is_firing: 0 as const,
    pending_marks: 0,
    evaluated_marks: 0,
    notified_firing: 0 as const,
    notified_stale: 0 as const,
    is_rule_changed: 0 as const,
  }));
  await db.insertInto('alert_states').values(states).execute();
}

/** The transactions, the statements and the rows that they return. */
class StoreCosts {
  transactions = 0;
  statements = 0;
  rows = 0;

  readonly #plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      this.statements++;
      this.rows += result.rows.length;
      return result;
    },
  };

  /** The store, whose transactions are counted. */
  of(store: Store): Store {
    const counted = <DB, T>(body: (db: Kysely<DB>) => Promise<T>) => {
      this.transactions++;
      return (db: Kysely<DB>) => body(db.withPlugin(this.#plugin));
    };
    return {
      read: (id, body) => store.read(id, counted(body)),
      write: (id, body) => store.write(id, counted(body)),
      writeUnscoped: (id, body) => store.writeUnscoped(id, counted(body)),
      readAll: (body) => store.readAll(counted(body)),
      writeAll: (body) => store.writeAll(counted(body)),
      writeUnlocked: (body) => store.writeUnlocked(counted(body)),
      scopeToCompany: (db, id) => store.scopeToCompany(db, id),
      onCompanyChange: (listener) => store.onCompanyChange(listener),
      checkWritable: () => store.checkWritable(),
      ensurePartitions: (now) => store.ensurePartitions(now),
      close: () => store.close(),
    };
  }

  total() {
    const { transactions, statements, rows } = this;
    return { transactions, statements, rows };
  }
}

interface Fleet {
  readonly store: Store;
  readonly company: CompanyRow;
}

async function withFleet<T>(probes: number, body: (fleet: Fleet) => Promise<T>): Promise<T> {
  const empty = await newEmptyStore();
  const store = await openStore({ db: empty.db });
  try {
    const company = await store.writeAll(async (all) => {
      const id = await insertCompany(all, { name: 'Mas Rouge', timezone: 'UTC', ...NO_DETAILS });
      await addProbes(store.scopeToCompany(all, id), probes);
      return (await companyById(all, id))!;
    });
    return await body({ store, company });
  } finally {
    await store.close();
    await empty.remove();
  }
}

/** Writes the batch and evaluates alerts, as a call of a sender does. */
async function send({ store, company }: Fleet, batch: IngestBatch, now = NOW) {
  const costs = new StoreCosts();
  const counted = costs.of(store);
  const call: StagedCall = {
    sender: 'owner',
    now,
    zone: 'UTC',
    read: (body) => counted.read(company.id, body),
    write: (body) => counted.write(company.id, body),
    existsAnywhere: async () => false,
  };
  const lastStage = await ingestBatch(call, batch);
  const result = await counted.write(company.id, lastStage);
  const evaluator = createAlertEvaluator({
    store: counted,
    clock: () => now,
    report: (error) => Promise.reject(error),
  });
  evaluator.evaluate(company);
  await evaluator.close();
  return { result, cost: costs.total() };
}

type BatchAt = (at: number) => IngestBatch;

const readingsOf =
  (source: object): BatchAt =>
  (at) => ({
    readings: DEPTHS.map((depth) => ({
      ...source,
      type: 'humidity',
      depth,
      time: iso(at),
      value: 25,
    })),
  });

const csvOf =
  (module: string): BatchAt =>
  (at) => ({
    module,
    csv: `time,${DEPTHS.map((depth) => `humidity_${depth}`).join()}\n${iso(at)},25,25,25\n`,
  });

describe('a call of three readings costs the same in a company of 20 probes and of 200', () => {
  it.for([
    ['devices', readingsOf({ device: 'DU7' })],
    ['uids', readingsOf({ module: 'U7' })],
    ['names', readingsOf({ module: 'Probe 7' })],
    ['name, beside a CSV', csvOf('Probe 7')],
    ['id, beside a CSV', csvOf('#7')],
  ] as const)('that it names by their %s', async ([, batchAt]) => {
    const costOf = (probes: number) =>
      withFleet(probes, async (fleet) => {
        await send(fleet, batchAt(NOW - HOUR));
        const { result, cost } = await send(fleet, batchAt(NOW));
        expect(result.readings.written).toBe(DEPTHS.length);
        return cost;
      });
    const cost = await costOf(20);
    expect(await costOf(200)).toEqual(cost);
    // The places, the readings, and the read and the write of the evaluation.
    expect(cost.transactions).toBe(4);
  });
});

import type { Kysely, KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { chunksOf } from '../../../src/domain/groups.ts';
import type { StagedCall } from '../../../src/operation/call.ts';
import { type IngestBatch, ingestBatch } from '../../../src/service/ingest/batch/batch-ingest.ts';
import { parsePayloadMap } from '../../../src/service/ingest/payload/payload-map.ts';
import { readPayload } from '../../../src/service/ingest/payload/read-payload.ts';
import { createAlertEvaluator } from '../../../src/service/jobs/alert-evaluator.ts';
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
/** SQLite takes at most 32,766 values in a statement. */
const ROWS_PER_STATEMENT = 500;

/** Each probe has three sensors, a device, a gateway and an alert. */
async function addProbes(db: CompanyDb, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n + 1);
  const probes = numbers.map((n) => bareModule({ uid: `U${n}`, name: `Probe ${n}` }));
  for (const rows of chunksOf(probes, ROWS_PER_STATEMENT))
    await db.insertInto('modules').values(rows).execute();
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
  for (const rows of chunksOf(sensors, ROWS_PER_STATEMENT))
    await db.insertInto('sensors').values(rows).execute();
  for (const rows of chunksOf(devices, ROWS_PER_STATEMENT))
    await db.insertInto('devices').values(rows).execute();
  for (const rows of chunksOf(gateways, ROWS_PER_STATEMENT))
    await db.insertInto('gateways').values(rows).execute();
  for (const rows of chunksOf(alerts, ROWS_PER_STATEMENT))
    await db.insertInto('alerts').values(rows).execute();
  const states = alerts.map(({ id }) => ({
    alert_id: id,
    is_firing: 0 as const,
    pending_marks: 0,
    evaluated_marks: 0,
    notified_firing: 0 as const,
    notified_stale: 0 as const,
    is_rule_changed: 0 as const,
  }));
  for (const rows of chunksOf(states, ROWS_PER_STATEMENT))
    await db.insertInto('alert_states').values(rows).execute();
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
      clearFreeSpace: () => store.clearFreeSpace(),
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

const longCsvOf =
  (module: string): BatchAt =>
  (at) => ({
    csv: [
      'module,type,depth,time,value',
      ...DEPTHS.map((depth) => `${module},humidity,${depth},${iso(at)},25`),
    ].join('\n'),
  });

const WIDE_COLUMNS = ['time', ...DEPTHS.map((depth) => `humidity_${depth}`), 'gust'].join();

const wideCsvOf =
  (module: string): BatchAt =>
  (at) => ({ csv: `module,${WIDE_COLUMNS}\n${module},${iso(at)},25,25,25,3\n` });

const csvForModule =
  (module: string): BatchAt =>
  (at) => ({ module, csv: `${WIDE_COLUMNS}\n${iso(at)},25,25,25,3\n` });

const WEBHOOK_MAP = parsePayloadMap(
  JSON.stringify({
    readings: [
      {
        device: { path: 'eui' },
        time: { path: 'at', unit: 'iso' },
        values: DEPTHS.map((_, position) => ({
          path: `soil${position}`,
          type: 'humidity',
          position,
        })),
      },
    ],
  }),
);

const webhookOf =
  (eui: string): BatchAt =>
  (at) => {
    const body = { eui, at: iso(at), soil0: 25, soil1: 25, soil2: 25 };
    const payload = Buffer.from(JSON.stringify(body));
    const message = readPayload(WEBHOOK_MAP, { topic: null, payload }, at);
    if (message.kind !== 'items') throw new Error(message.reason.text);
    return message;
  };

describe('a call of three readings costs the same in a company of 50 probes and of 2,000', () => {
  it.for([
    ['JSON with devices', readingsOf({ device: 'DU7' })],
    ['JSON with uids', readingsOf({ module: 'U7' })],
    ['JSON with names', readingsOf({ module: 'Probe 7' })],
    ['JSON with names in another case', readingsOf({ module: 'PROBE 7' })],
    ['a long CSV with uids', longCsvOf('U7')],
    ['a long CSV with names', longCsvOf('Probe 7')],
    ['a wide CSV with names in another case, and an unknown column', wideCsvOf('probe 7')],
    ['a CSV, beside the name', csvForModule('Probe 7')],
    ['a CSV, beside the id', csvForModule('#7')],
    ['a webhook', webhookOf('DU7')],
  ] as const)('sent as %s', async ([, batchAt]) => {
    const costOf = (probes: number) =>
      withFleet(probes, async (fleet) => {
        // The first call of a process reads the modules and sensors.
        await send(fleet, batchAt(NOW - HOUR));
        const { result, cost } = await send(fleet, batchAt(NOW));
        expect(result.readings.written).toBe(DEPTHS.length);
        return cost;
      });
    const cost = await costOf(50);
    expect(await costOf(2_000)).toEqual(cost);
    // The sensors, the readings, and the read and the write of the evaluation.
    expect(cost.transactions).toBe(4);
  });
});

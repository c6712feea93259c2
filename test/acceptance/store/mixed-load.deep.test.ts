import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EmbeddedPostgresServer,
  queryOnce,
  startEmbeddedServer,
} from '../../stores/postgres-server.ts';
import { rowsOf } from '../../stores/stores.ts';
import { type Json, waitUntil } from '../program.ts';
import {
  importLoadCompanies,
  LOAD_DEPTHS,
  LOAD_PROBES,
  LOAD_START,
  type LoadCompany,
  loadMoistureAt,
  RECORRECTED_PROBE,
} from './mixed-farm.ts';
import { type ClientRecord, LOAD_KINDS, mixedLoad } from './mixed-load.ts';
import {
  type ClientCounts,
  retryingClient,
  type ServerProcesses,
  startServerProcesses,
} from './server-processes.ts';
import { storeFaults } from './store-faults.ts';

const MACHINES = 4;
const CONNECTIONS = 64;
const isLong = process.env.ACEQUIA_TEST_LONG === '1';
const [DURATION_MS, KILL_EVERY_MS] = isLong ? [60_000, 10_000] : [15_000, 3_000];
/** Longer than a process retries by itself. */
const DOWNTIME_MS = 4_000;

let server: EmbeddedPostgresServer | undefined;

beforeAll(async () => {
  server = await startEmbeddedServer().catch(() => undefined);
});

afterAll(() => server?.stop());

async function newDatabase(server: EmbeddedPostgresServer): Promise<string> {
  await queryOnce(server.maintenanceUrl, "create database farm encoding 'UTF8' template template0");
  return server.url('farm');
}

type GetPath = (path: string) => Promise<Json>;

async function listAll(ask: GetPath, path: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await ask(
      `${path}limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

const byId = (rows: Iterable<Json>): Json =>
  Object.fromEntries([...rows].map((row) => [row.id, row]));

const recordedRows = (
  records: readonly ClientRecord[],
  company: LoadCompany,
  table: 'waterings' | 'schedules' | 'alerts',
): Json =>
  byId(
    records.filter((each) => each.company === company).flatMap((each) => [...each[table].values()]),
  );

async function wrongReadings(
  db: string,
  records: readonly ClientRecord[],
  { name }: LoadCompany,
): Promise<string[]> {
  const rows = await rowsOf<{ uid: string; at: number; low: number; high: number; count: number }>(
    db,
    `select uid, at, min(value) as low, max(value) as high, count(*) as count from readings
       join sensors on sensors.company_id = readings.company_id and sensors.id = sensor_id
       join modules on modules.company_id = sensors.company_id and modules.id = module_id
       join companies on companies.id = modules.company_id
       where companies.name = '${name}' group by uid, at`,
  );
  const stored = new Map(rows.map((row) => [`${row.uid} ${row.at}`, row]));
  const wrong = rows.filter(
    ({ uid, at, low, high }) =>
      uid !== LOAD_PROBES[RECORRECTED_PROBE] &&
      (low !== loadMoistureAt(at) || high !== loadMoistureAt(at)),
  );
  const missing = records
    .filter(({ company }) => company.name === name)
    .flatMap(({ readings }) =>
      [...readings].flatMap(([probe, all]) => [...all].map((at) => `${LOAD_PROBES[probe]} ${at}`)),
    )
    .filter((each) => stored.get(each)?.count !== LOAD_DEPTHS.length);
  return [...wrong.map((row) => JSON.stringify(row)), ...missing];
}

function totals(records: readonly ClientRecord[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { countsByKind } of records)
    for (const [kind, count] of countsByKind) all[kind] = (all[kind] ?? 0) + count;
  return all;
}

async function killRepeatedly(
  machines: ServerProcesses,
  server: EmbeddedPostgresServer,
): Promise<{ kills: number }> {
  const restarts: Promise<void>[] = [];
  let kills = 0;
  for (let at = KILL_EVERY_MS; at < DURATION_MS; at += KILL_EVERY_MS) {
    await pause(KILL_EVERY_MS);
    restarts.push(machines.kill(kills++));
    if (at < DURATION_MS / 2 && at + KILL_EVERY_MS >= DURATION_MS / 2)
      restarts.push(server.restart(DOWNTIME_MS));
  }
  await pause(KILL_EVERY_MS);
  await Promise.all(restarts);
  return { kills };
}

async function expectMatchesRecords(
  ask: GetPath,
  records: readonly ClientRecord[],
  company: LoadCompany,
): Promise<void> {
  const events = await listAll(
    ask,
    `/irrigation/events?from=${new Date(LOAD_START).toISOString()}&`,
  );
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  expect(byId(events.filter(({ scheduleId }) => scheduleId === null))).toEqual(
    recordedRows(records, company, 'waterings'),
  );
  // Housekeeping extends the horizon.
  const withoutHorizon = ({ materializedUntil: _, ...schedule }: Json): Json => schedule;
  expect(byId((await listAll(ask, '/irrigation/schedules?')).map(withoutHorizon))).toEqual(
    byId(
      (Object.values(recordedRows(records, company, 'schedules')) as Json[]).map(withoutHorizon),
    ),
  );
  // A list names the recipients too, and has the state of each alert.
  const withoutName = ({ userName: _, ...recipient }: Json): Json => recipient;
  const alerts = (await listAll(ask, '/alerts?')).map(({ state: _, ...alert }: Json) => ({
    ...alert,
    recipients: alert.recipients.map(withoutName),
  }));
  expect(byId(alerts)).toEqual(recordedRows(records, company, 'alerts'));
}

describe('four processes on one PostgreSQL, under a mixed load over 64 connections', () => {
  it('lose no answered write, repeat none and answer correctly while they are killed and the database crashes', {
    timeout: 600_000,
  }, async ({ skip, annotate, onTestFinished }) => {
    if (!server) return skip('There is no PostgreSQL of its own to restart');
    const db = await newDatabase(server);
    const companies = await importLoadCompanies(db);
    const machines = await startServerProcesses(db, MACHINES);
    const counts: ClientCounts = { answered: 0, cut: 0, unavailable: 0 };
    let isOver = false;
    const clients = Array.from({ length: CONNECTIONS }, (_, n) => {
      const company = companies[n % companies.length]!;
      const client = retryingClient(machines, company.key, { n: n >> 1, counts });
      onTestFinished(client.close);
      const { record, step } = mixedLoad(client.ask, company, n);
      const done = (async () => {
        while (!isOver) await step();
      })();
      // Awaited below, unless something else fails before.
      done.catch(() => undefined);
      return { client, company, record, done };
    });
    const records = clients.map((each) => each.record);

    const { kills } = await killRepeatedly(machines, server);
    await waitUntil(() =>
      LOAD_KINDS.every((kind) => records.some(({ countsByKind }) => countsByKind.has(kind))),
    );
    isOver = true;
    await Promise.all(clients.map(({ done }) => done));

    await annotate(JSON.stringify({ kills, ...counts, ...totals(records) }));
    expect(records.flatMap(({ mismatches }) => mismatches)).toEqual([]);
    expect(counts.cut).toBeGreaterThan(0);
    expect(counts.unavailable).toBeGreaterThan(0);
    for (const company of companies) {
      const { client } = clients.find((each) => each.company === company)!;
      await expectMatchesRecords(
        async (path) => (await client.ask({ method: 'GET', path })).body,
        records,
        company,
      );
      expect(await wrongReadings(db, records, company)).toEqual([]);
    }
    expect(await storeFaults(db)).toEqual([]);
  });
});

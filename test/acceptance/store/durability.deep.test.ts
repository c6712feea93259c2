import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { importBaseFarm, newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { connectRaw, type RawServer } from '../raw-server.ts';

/** 1 to 200 min of drip at 3.2 mm/h. */
const watering = (n: number, module = 'North 1') => ({
  module,
  startedAt: new Date(Date.UTC(2026, 3, 1) + n * 60_000).toISOString(),
  inputMode: 'duration',
  durationMin: 1 + (n % 200),
  idempotencyKey: `watering ${n}`,
});

function rows<Row = Json>(db: string, sql: string): Row[] {
  const database = new DatabaseSync(db);
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

const expectIntact = (db: string): void =>
  expect(rows(db, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);

const isUp = (raw: RawServer): boolean => raw.child.exitCode === null && raw.child.signalCode === null;

const responsesOf = (raw: RawServer): Json[] => raw.lines.map((line) => JSON.parse(line)).filter(({ id }) => id > 1);

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(1);
}

describe('a server that is killed in the middle of a thousand writes', () => {
  it.each([1, 137, 612])(
    'after %i answers has lost none of them and left no half: the next takes over',
    async (count) => {
      const db = await newBaseFarm();
      const raw = await connectRaw(db);
      for (let n = 0; n < 1000; n++) raw.call('log_watering', watering(n));
      await waitFor(() => responsesOf(raw).length >= count || !isUp(raw));
      raw.child.kill('SIGKILL');
      expect((await raw.ended).signal).toBe('SIGKILL');
      const events = responsesOf(raw).map(({ result }) => bodyOf(result).event);
      expect(events.length).toBeGreaterThanOrEqual(count);
      expect(events.length).toBeLessThan(1000);

      const next = await connectRaw(db);
      const listed = new Map<number, Json>();
      for (let cursor: string | undefined; ; ) {
        const { result } = await next.answer(next.call('list_waterings', { limit: 200, cursor }));
        const page = bodyOf(result);
        for (const event of page.data) listed.set(event.id, event);
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
      }
      for (const event of events) expect(listed.get(event.id)).toEqual(event);
      // Rows that were written but not answered are whole too.
      for (const { durationMin, waterMm, configSnapshot } of listed.values()) {
        expect(waterMm).toBeCloseTo((3.2 * durationMin) / 60, 3);
        expect(configSnapshot.flowMmPerH).toBe(3.2);
      }
      expectIntact(db);

      const repeated = await Promise.all(
        Array.from(
          { length: 1000 },
          async (_, n) => (await next.answer(next.call('log_watering', watering(n)))).result,
        ),
      );
      expect(new Set(repeated.map((result) => bodyOf(result).event.id)).size).toBe(1000);
      const replayed = repeated.filter((result) => result._meta?.['acequia/replayed']);
      expect(replayed).toHaveLength(listed.size);
      expect(rows(db, 'select count(*) as n from waterings')).toEqual([{ n: 1000 }]);
    },
  );

  it('has written a setup and all the doses that it completes, or nothing', async () => {
    const before = await newBaseFarm();
    const raw = await connectRaw(before);
    const ids = Array.from({ length: 400 }, (_, n) => raw.call('log_watering', watering(n, 'South 1')));
    for (const id of ids) expect(bodyOf((await raw.answer(id)).result).event.waterMm).toBeNull();
    raw.child.stdin.end();
    await raw.ended;

    for (const delay of [0, 2, 4, 6, 9, 12, 16, 25]) {
      const db = join(await newFolder(), 'farm.db');
      await copyFile(before, db);
      const server = await connectRaw(db);
      await server.answer(server.call('get_company', {}));
      server.call('set_parcel_installation', { parcel: 'South block', system: 'pivot', flowMmPerH: 4 });
      await pause(delay);
      server.child.kill('SIGKILL');
      await server.ended;
      const wasAnswered = responsesOf(server).length === 2;

      const next = await connectRaw(db);
      const { result } = await next.answer(next.call('get_irrigation_setup', { module: 'South 1' }));
      const { versions, missingDoses } = bodyOf(result);
      expect([versions.length, missingDoses.count]).toEqual(versions.length === 1 ? [1, 0] : [0, 400]);
      if (wasAnswered) expect(versions).toHaveLength(1);
      expectIntact(db);
    }
  });
});

describe('two servers on one file', () => {
  it('write at once: every call is answered well, each row stands once, and each sees the other’s', async () => {
    const db = await newBaseFarm();
    const servers = await Promise.all([connectRaw(db), connectRaw(db)]);
    const ids = servers.map((server, s) =>
      Array.from({ length: 150 }, (_, n) => {
        if (n % 10 === 0) server.call('list_waterings', {});
        return server.call('log_watering', { ...watering(n * 2 + s), idempotencyKey: undefined });
      }),
    );
    const events = await Promise.all(
      servers.flatMap((server, s) => ids[s]!.map(async (id) => bodyOf((await server.answer(id)).result).event.id)),
    );
    expect(new Set(events).size).toBe(300);
    for (const server of servers) {
      const { result } = await server.answer(server.call('list_waterings', { limit: 200 }));
      expect(bodyOf(result).summary).toContain('300');
      expect(responsesOf(server).filter(({ result: each }) => each?.isError)).toEqual([]);
    }
    expectIntact(db);
  });

  it('asked the same under one key at once write it once; the other answers the same, as a repeat', async () => {
    const db = await newBaseFarm();
    const servers = await Promise.all([connectRaw(db), connectRaw(db)]);
    for (const server of servers) await server.answer(server.call('get_company', {}));
    for (let n = 0; n < 25; n++) {
      const results = await Promise.all(
        servers.map(async (server) => (await server.answer(server.call('log_watering', watering(n)))).result),
      );
      const [one, other] = results.map(bodyOf);
      expect(other).toEqual(one);
      expect(results.filter((result) => result._meta?.['acequia/replayed'])).toHaveLength(1);
    }
    expect(rows(db, 'select count(*) as n from waterings')).toEqual([{ n: 25 }]);
  });

  it('begin a new store at once, with an import beside them, and none is told of the others', async () => {
    const db = join(await newFolder(), 'deep', 'new.db');
    const servers = await Promise.all([connectRaw(db), connectRaw(db)]);
    const first = servers.map((server) => server.call('get_company', {}));
    await importBaseFarm(db);
    for (const [i, server] of servers.entries()) {
      const { result } = await server.answer(first[i]!);
      // Before or after the import.
      if (result.isError) expect(result._meta['acequia/error'].code).toBe('not_found');
      expect(bodyOf((await server.answer(server.call('get_company', {}))).result).name).toBe('Mas Rouge');
    }
    expect(rows(db, 'select count(*) as n from companies')).toEqual([{ n: 1 }]);
  });

  it('go on when one of them is killed in the middle of a write', async () => {
    const db = await newBaseFarm();
    const [doomed, other] = (await Promise.all([connectRaw(db), connectRaw(db)])) as [RawServer, RawServer];
    for (let n = 0; n < 400; n++) doomed.call('log_watering', watering(n));
    const ids = Array.from({ length: 100 }, (_, n) => other.call('log_watering', watering(1000 + n)));
    await waitFor(() => responsesOf(doomed).length >= 40 || !isUp(doomed));
    doomed.child.kill('SIGKILL');
    await doomed.ended;
    const written = responsesOf(doomed).map(({ result }) => bodyOf(result).event.id);
    for (const id of ids) written.push(bodyOf((await other.answer(id)).result).event.id);
    const standing = new Set(rows<{ id: number }>(db, 'select id from waterings').map(({ id }) => id));
    for (const id of written) expect(standing).toContain(id);
    expect(new Set(written).size).toBe(written.length);
    expectIntact(db);
  });
});

describe('a store that another program holds', () => {
  it('is waited for: reads go on, the write is answered when it is free, also past the end of input', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    await raw.answer(raw.call('get_company', {}));
    const other = new DatabaseSync(db);
    other.exec("begin immediate; update parcels set type = 'vine'");
    const write = raw.call('log_watering', watering(1));
    const read = bodyOf((await raw.answer(raw.call('list_parcels', {}))).result);
    expect(read.data[0].type).toBe('olive');
    raw.child.stdin.end();
    await pause(300);
    expect([isUp(raw), responsesOf(raw).some(({ id }) => id === write)]).toEqual([true, false]);
    other.exec('commit');
    other.close();
    expect(bodyOf((await raw.answer(write)).result).event.durationMin).toBe(2);
    expect(await raw.ended).toMatchObject({ code: 0, stderr: '' });
    expect(rows(db, 'select count(*) as n from waterings')).toEqual([{ n: 1 }]);
  });
});

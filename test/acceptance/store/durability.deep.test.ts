import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { importBaseFarm, newBaseFarm } from '../../base-farm.ts';
import { expectNoFaults, rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf } from '../mcp-session.ts';
import { type Json, waitUntil } from '../program.ts';
import { connectRaw, type RawServer } from '../raw-server.ts';

/** In full; the answer of a tool has no room for many more. */
const ROWS_OF_PAGE = 25;

/** 1 to 200 min of drip at 3.2 mm/h. */
const watering = (n: number, module = 'North 1') => ({
  module,
  startedAt: new Date(Date.UTC(2026, 3, 1) + n * 60_000).toISOString(),
  inputMode: 'duration',
  durationMin: 1 + (n % 200),
  detail: 'full',
  idempotencyKey: `watering ${n}`,
});

const isUp = (raw: RawServer): boolean =>
  raw.child.exitCode === null && raw.child.signalCode === null;

const responsesOf = (raw: RawServer): Json[] =>
  raw.lines.map((line) => JSON.parse(line)).filter(({ id }) => id > 1);

describe('a server that is killed in the middle of a thousand writes', () => {
  it.each([1, 137, 612])(
    'after %i answers has lost none of them, and every stored row is complete',
    async (count) => {
      const db = await newBaseFarm();
      const raw = await connectRaw(db);
      for (let n = 0; n < 1000; n++) raw.call('log_watering', watering(n));
      await waitUntil(() => responsesOf(raw).length >= count || !isUp(raw));
      raw.child.kill('SIGKILL');
      expect((await raw.ended).signal).toBe('SIGKILL');
      const events = responsesOf(raw).map(({ result }) => bodyOf(result).event);
      expect(events.length).toBeGreaterThanOrEqual(count);
      expect(events.length).toBeLessThan(1000);

      const next = await connectRaw(db);
      const listed = new Map<number, Json>();
      for (let cursor: string | undefined; ; ) {
        const { result } = await next.answer(
          next.call('list_waterings', { limit: ROWS_OF_PAGE, cursor, detail: 'full' }),
        );
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
      await expectNoFaults(db);

      const repeated = await Promise.all(
        Array.from(
          { length: 1000 },
          async (_, n) => (await next.answer(next.call('log_watering', watering(n)))).result,
        ),
      );
      expect(new Set(repeated.map((result) => bodyOf(result).event.id)).size).toBe(1000);
      const replayed = repeated.filter((result) => result._meta?.['acequia/replayed']);
      expect(replayed).toHaveLength(listed.size);
      expect(await rowsOf(db, 'select count(*) as n from waterings')).toEqual([{ n: 1000 }]);
    },
  );

  it('has stored a setup with all doses that it completes, or nothing', async () => {
    const before = await newBaseFarm();
    const raw = await connectRaw(before);
    const ids = Array.from({ length: 400 }, (_, n) =>
      raw.call('log_watering', watering(n, 'South 1')),
    );
    for (const id of ids) expect(bodyOf((await raw.answer(id)).result).event.waterMm).toBeNull();
    raw.child.stdin.end();
    await raw.ended;

    for (const delay of [0, 2, 4, 6, 9, 12, 16, 25]) {
      const db = join(await newFolder(), 'farm.db');
      await copyFile(before, db);
      const server = await connectRaw(db);
      await server.answer(server.call('get_company', {}));
      server.call('set_parcel_installation', {
        parcel: 'South block',
        system: 'pivot',
        flowMmPerH: 4,
      });
      await pause(delay);
      server.child.kill('SIGKILL');
      await server.ended;
      const wasAnswered = responsesOf(server).length === 2;

      const next = await connectRaw(db);
      const { result } = await next.answer(
        next.call('get_irrigation_setup', { module: 'South 1' }),
      );
      const { versions, missingDoses } = bodyOf(result);
      expect([versions.length, missingDoses.count]).toEqual(
        versions.length === 1 ? [1, 0] : [0, 400],
      );
      if (wasAnswered) expect(versions).toHaveLength(1);
      await expectNoFaults(db);
    }
  });
});

describe('two servers on one file', () => {
  it('write at the same time without errors, and each sees the rows of the other', async () => {
    const db = await newBaseFarm();
    const servers = await Promise.all([connectRaw(db), connectRaw(db)]);
    const ids = servers.map((server, s) =>
      Array.from({ length: 150 }, (_, n) => {
        if (n % 10 === 0) server.call('list_waterings', {});
        return server.call('log_watering', { ...watering(n * 2 + s), idempotencyKey: undefined });
      }),
    );
    const events = await Promise.all(
      servers.flatMap((server, s) =>
        ids[s]!.map(async (id) => bodyOf((await server.answer(id)).result).event.id),
      ),
    );
    expect(new Set(events).size).toBe(300);
    for (const server of servers) {
      const { result } = await server.answer(server.call('list_waterings', { limit: 200 }));
      expect(bodyOf(result).summary).toContain('300');
      expect(responsesOf(server).filter(({ result: each }) => each?.isError)).toEqual([]);
    }
    await expectNoFaults(db);
  });

  it('create a new store at the same time, during an import', async () => {
    const db = join(await newFolder(), 'deep', 'new.db');
    const servers = await Promise.all([connectRaw(db), connectRaw(db)]);
    const first = servers.map((server) => server.call('get_company', {}));
    await importBaseFarm(db);
    for (const [i, server] of servers.entries()) {
      const { result } = await server.answer(first[i]!);
      // Before or after the import.
      if (result.isError) expect(result._meta['acequia/error'].code).toBe('not_found');
      expect(bodyOf((await server.answer(server.call('get_company', {}))).result).name).toBe(
        'Mas Rouge',
      );
    }
    expect(await rowsOf(db, 'select count(*) as n from companies')).toEqual([{ n: 1 }]);
  });

  it('continue when one of them is killed within a write', async () => {
    const db = await newBaseFarm();
    const [killed, other] = (await Promise.all([connectRaw(db), connectRaw(db)])) as [
      RawServer,
      RawServer,
    ];
    for (let n = 0; n < 400; n++) killed.call('log_watering', watering(n));
    const ids = Array.from({ length: 100 }, (_, n) =>
      other.call('log_watering', watering(1000 + n)),
    );
    await waitUntil(() => responsesOf(killed).length >= 40 || !isUp(killed));
    killed.child.kill('SIGKILL');
    await killed.ended;
    const storedIds = responsesOf(killed).map(({ result }) => bodyOf(result).event.id);
    for (const id of ids) storedIds.push(bodyOf((await other.answer(id)).result).event.id);
    const stored = new Set(
      (await rowsOf<{ id: number }>(db, 'select id from waterings')).map(({ id }) => id),
    );
    for (const id of storedIds) expect(stored).toContain(id);
    expect(new Set(storedIds).size).toBe(storedIds.length);
    await expectNoFaults(db);
  });
});

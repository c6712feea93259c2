import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { expectNoFaults, rowsOf } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, refusalOf } from '../mcp-session.ts';
import { connectRaw, type RawServer } from '../raw-server.ts';

const WATERING = {
  module: 'North 1',
  startedAt: '2026-07-01 06:00',
  inputMode: 'duration',
  durationMin: 45,
};

const callTool = async (raw: RawServer, name: string, args: unknown = {}) =>
  (await raw.answer(raw.call(name, args))).result;

function runSql(db: string, sql: string): void {
  const database = new DatabaseSync(db);
  database.exec(sql);
  database.close();
}

/** Other causes: test/store/sqlite/failures. */
it('a text in place of a store is refused by every call and left unchanged, until a store replaces it', async () => {
  const db = join(await newFolder(), 'farm.db');
  const text = 'We watered the north block today.\n'.repeat(200);
  await writeFile(db, text);
  const raw = await connectRaw(db);
  const message = /is not an Acequia store/;
  for (const [name, args] of [
    ['get_company', {}],
    ['list_modules', {}],
    ['log_watering', WATERING],
  ] as const) {
    const result = await callTool(raw, name, args);
    const refusal = refusalOf(result);
    expect([refusal.code, refusal.status]).toEqual(['STORE_UNAVAILABLE', 503]);
    expect(refusal.message).toMatch(message);
    expect(refusal.hint).toMatch(/ACEQUIA_DB|backup/);
    expect(JSON.stringify(result)).not.toMatch(/SQLITE|\bat .*:\d+:\d+|Error:/);
  }
  const read = await raw.answer(raw.send('resources/read', { uri: 'acequia://company' }));
  expect(read.error).toMatchObject({
    data: { code: 'STORE_UNAVAILABLE' },
    message: expect.stringMatching(message),
  });
  const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' };
  const completed = await raw.answer(
    raw.send('completion/complete', { ref, argument: { name: 'module', value: 'n' } }),
  );
  expect(completed.result.completion.values).toEqual([]);
  expect((await raw.answer(raw.send('tools/list'))).result.tools.length).toBeGreaterThan(10);
  expect(await readFile(db, 'utf8')).toBe(text);
  expect(await readdir(dirname(db))).toEqual(['farm.db']);

  await rename(await newBaseFarm(), db);
  expect(bodyOf(await callTool(raw, 'get_company')).name).toBe('Mas Rouge');
  raw.child.stdin.end();
  expect(await raw.ended).toMatchObject({ code: 0, signal: null });
});

it('a store from before the first release is refused with the commit that converts it, and left unchanged', async () => {
  const db = join(await newFolder(), 'farm.db');
  runSql(
    db,
    `create table kysely_migration (name text primary key, timestamp text);
      create table waterings (id integer primary key, slot text);
      insert into kysely_migration values ('0001-first-tables', '2026-06-01T00:00:00.000Z')`,
  );
  const before = await readFile(db);
  const raw = await connectRaw(db);
  const refusal = refusalOf(await callTool(raw, 'log_watering', WATERING));
  expect(refusal).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    status: 503,
    message: expect.stringContaining('from before the first release'),
    hint: expect.stringMatching(/commit 218d5811 .*"acequia tick"/),
  });
  raw.child.stdin.end();
  await raw.ended;

  expect(await readFile(db)).toEqual(before);
});

describe.runIf(process.platform !== 'win32')('on a full disk', () => {
  it('a write is refused, answered rows are kept, and reads continue', async () => {
    const db = await newBaseFarm();
    const kilobytes = Math.ceil((await stat(db)).size / 1024) + 160;
    const raw = await connectRaw(db, { prefix: `ulimit -f ${kilobytes}` });
    const answered: number[] = [];
    const refused = [];
    for (let i = 0; i < 300 && refused.length < 8; i++) {
      const minute = new Date(Date.UTC(2026, 5, 1) + i * 60_000).toISOString();
      const result = await callTool(raw, 'log_watering', {
        ...WATERING,
        startedAt: minute,
        note: 'n'.repeat(2000),
      });
      if (result.isError) refused.push(refusalOf(result));
      else answered.push(bodyOf(result).event.id);
    }
    expect(refused).toHaveLength(8);
    for (const { code, hint, message } of refused) {
      expect(code).toBe('STORE_UNAVAILABLE');
      expect(message).toMatch(/no room|failed while reading or writing/);
      expect(hint).toMatch(/^Nothing of this call was written[.]/);
    }
    const listed = bodyOf(await callTool(raw, 'list_waterings', { limit: 1 }));
    expect(listed.summary).toContain(`${answered.length} `);
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0, signal: null });

    await expectNoFaults(db);
    expect((await rowsOf(db, 'select id from waterings order by id')).map(({ id }) => id)).toEqual(
      answered,
    );
  });
});

describe('an unexpected failure', () => {
  it('has the code INTERNAL and a reference to the log, without details', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    expect(bodyOf(await callTool(raw, 'list_waterings')).data).toEqual([]);
    runSql(db, 'alter table waterings rename to elsewhere');
    const result = await callTool(raw, 'log_watering', WATERING);
    const { code, status, message, hint } = refusalOf(result);
    expect([code, status]).toEqual(['INTERNAL', 500]);
    expect(JSON.stringify(result)).not.toMatch(/no such table|waterings|sqlite|\bat /i);
    expect(hint).toMatch(/again/);
    const reference = /reference (\w{6,})/.exec(message)?.[1];
    expect(reference).toBeDefined();
    // The other tools still work, and so does the call once its table is back.
    expect(bodyOf(await callTool(raw, 'get_company')).name).toBe('Mas Rouge');
    runSql(db, 'alter table elsewhere rename to waterings');
    expect(bodyOf(await callTool(raw, 'log_watering', WATERING)).event.waterMm).toBe(2.4);
    raw.child.stdin.end();
    const { stderr, lines } = await raw.ended;
    expect(stderr).toContain(reference);
    expect(stderr).toContain('no such table');
    for (const line of lines) expect(JSON.parse(line).jsonrpc).toBe('2.0');
  });
});

import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, refusalOf } from '../mcp-session.ts';
import { connectRaw, connectRawWithLimit, type RawServer } from '../raw-server.ts';

const WATERING = { module: 'North 1', startedAt: '2026-07-01 06:00', inputMode: 'duration', durationMin: 45 };

const callTool = async (raw: RawServer, name: string, args: unknown = {}) =>
  (await raw.answer(raw.call(name, args))).result;

function runSql(db: string, sql: string): void {
  const database = new DatabaseSync(db);
  database.exec(sql);
  database.close();
}

async function expectStoreRefused(db: string, message: RegExp): Promise<void> {
  const raw = await connectRaw(db);
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
  expect(read.error).toMatchObject({ data: { code: 'STORE_UNAVAILABLE' }, message: expect.stringMatching(message) });
  const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' };
  const completed = await raw.answer(
    raw.send('completion/complete', { ref, argument: { name: 'module', value: 'n' } }),
  );
  expect(completed.result.completion.values).toEqual([]);
  expect((await raw.answer(raw.send('tools/list'))).result.tools.length).toBeGreaterThan(10);
  raw.child.stdin.end();
  expect(await raw.ended).toMatchObject({ code: 0, signal: null });
}

describe('a store file that is none', () => {
  it.each([
    ['text', 'We watered the north block today.\n'.repeat(200)],
    ['random bytes', Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919 + 13) % 251))],
    ['a picture', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(5000, 7)])],
  ])('but %s is refused, and left as it is', async (_, content) => {
    const db = join(await newFolder(), 'farm.db');
    await writeFile(db, content);
    await expectStoreRefused(db, /is not an Acequia store/);
    expect(await readFile(db)).toEqual(Buffer.from(content));
  });

  it('but a database of another program is refused, and left as it is', async () => {
    const db = join(await newFolder(), 'other.db');
    runSql(db, 'create table songs (name text)');
    const before = await readFile(db);
    await expectStoreRefused(db, /database of another program/);
    expect(await readFile(db)).toEqual(before);
  });

  it('but a folder is refused', async () => {
    await expectStoreRefused(await newFolder(), /cannot be opened/);
  });

  it('because it is empty is made one', async () => {
    const db = join(await newFolder(), 'farm.db');
    await writeFile(db, '');
    const raw = await connectRaw(db);
    expect(refusalOf(await callTool(raw, 'get_company')).code).toBe('not_found');
  });
});

describe('a store that is damaged', () => {
  it('in its middle is refused, not repaired by guesswork', async () => {
    const db = await newBaseFarm();
    const { size } = await stat(db);
    const bytes = await readFile(db);
    bytes.fill(0xa5, 4096, size);
    await writeFile(db, bytes);
    await expectStoreRefused(db, /damaged/);
  });

  it('because its end is missing is refused', async () => {
    const db = await newBaseFarm();
    await truncate(db, 5000);
    await expectStoreRefused(db, /damaged|not an Acequia store/);
  });
});

describe('a store of a newer program', () => {
  it('is refused, and left as it is', async () => {
    const db = await newBaseFarm();
    runSql(db, "insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01')");
    const raw = await connectRaw(db);
    const refusal = refusalOf(await callTool(raw, 'log_watering', WATERING));
    expect(refusal).toMatchObject({ code: 'STORE_UNAVAILABLE', hint: expect.stringContaining('Update Acequia') });
    expect(refusal.message).toMatch(/newer Acequia/);
    await expectStoreRefused(db, /newer Acequia/);
    const database = new DatabaseSync(db);
    expect(database.prepare('select count(*) as n from waterings').get()).toMatchObject({ n: 0 });
    database.close();
  });
});

describe('a folder in which no file can be made', () => {
  it('because it lies below a file is refused', async () => {
    const file = join(await newFolder(), 'plain.txt');
    await writeFile(file, 'a');
    await expectStoreRefused(join(file, 'below', 'farm.db'), /cannot be created: a part of the path is not a folder/);
    await expectStoreRefused(join(file, 'farm.db'), /cannot be created|cannot be opened/);
    expect(await readFile(file, 'utf8')).toBe('a');
  });

  it.runIf(process.platform === 'linux')('because the system keeps it is refused', async () => {
    await expectStoreRefused('/proc/acequia/farm.db', /cannot be created/);
    await expectStoreRefused('/proc/farm.db', /cannot be opened|cannot be created/);
  });

  it('because its name is too long is refused', async () => {
    await expectStoreRefused(
      join(await newFolder(), 'x'.repeat(300), 'farm.db'),
      /cannot be created: the name is too long/,
    );
  });
});

it('that was mended is served at the next call, without a new start', async () => {
  const db = join(await newFolder(), 'farm.db');
  await mkdir(db);
  const raw = await connectRaw(db);
  expect(refusalOf(await callTool(raw, 'get_company')).code).toBe('STORE_UNAVAILABLE');
  const { rename, copyFile } = await import('node:fs/promises');
  const farm = await newBaseFarm();
  await rename(db, `${db}.away`);
  await copyFile(farm, db);
  expect(bodyOf(await callTool(raw, 'get_company')).name).toBe('Mas Rouge');
});

describe.runIf(process.platform !== 'win32')('a disk that is full', () => {
  it('refuses the write it has no room for, keeps what was answered, and goes on reading', async () => {
    const db = await newBaseFarm();
    const kilobytes = Math.ceil((await stat(db)).size / 1024) + 160;
    const raw = await connectRawWithLimit(`ulimit -f ${kilobytes}`, db);
    const answered: number[] = [];
    const refused = [];
    for (let i = 0; i < 300 && refused.length < 8; i++) {
      const minute = new Date(Date.UTC(2026, 5, 1) + i * 60_000).toISOString();
      const result = await callTool(raw, 'log_watering', { ...WATERING, startedAt: minute, note: 'n'.repeat(2000) });
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

    const database = new DatabaseSync(db);
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(
      database
        .prepare('select id from waterings order by id')
        .all()
        .map(({ id }) => id),
    ).toEqual(answered);
    database.close();
    const roomy = await connectRaw(db);
    expect(bodyOf(await callTool(roomy, 'log_watering', WATERING)).event.waterMm).toBe(2.4);
  });

  it('refuses to begin a store it has no room for, and leaves none behind that would not open', async () => {
    const db = join(await newFolder(), 'farm.db');
    const raw = await connectRawWithLimit('ulimit -f 8', db);
    expect(refusalOf(await callTool(raw, 'get_company')).code).toBe('STORE_UNAVAILABLE');
    raw.child.stdin.end();
    expect(await raw.ended).toMatchObject({ code: 0 });
    const roomy = await connectRaw(db);
    expect(refusalOf(await callTool(roomy, 'get_company')).code).toBe('not_found');
  });
});

describe('what goes wrong inside', () => {
  it('is told as INTERNAL with a reference that stands in the log, without inner words', async () => {
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
    expect(existsSync(db)).toBe(true);
  });
});

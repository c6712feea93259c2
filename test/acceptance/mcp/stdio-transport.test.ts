import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { importBaseFarm, newBaseFarm } from '../../base-farm.ts';
import { isOnPostgres, rowsOf } from '../../stores/stores.ts';
import { newFolder, newStorePlace } from '../../temporary-places.ts';
import { bodyOf, refusalOf } from '../mcp-session.ts';
import { CLOCK } from '../program.ts';
import { connectRaw, type RawServer, startRawServer } from '../raw-server.ts';

const WATERING = { module: 'North 1', startedAt: '2026-07-01 06:00', inputMode: 'duration', durationMin: 45 };

const storedWaterings = async (db: string): Promise<number> =>
  (await rowsOf<{ n: number }>(db, 'select count(*) as n from waterings'))[0]!.n;

async function exitOf(raw: RawServer) {
  raw.child.stdin.end();
  const ended = await raw.ended;
  for (const line of ended.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  return ended;
}

describe('the end of input', () => {
  it('ends an idle server by itself, quietly', async () => {
    const raw = await connectRaw(await newBaseFarm());
    expect(await exitOf(raw)).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it('ends a server that has worked, and leaves nothing in the log beside the file', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    await raw.answer(raw.call('log_watering', WATERING));
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(`${db}-wal`) ? statSync(`${db}-wal`).size : 0).toBe(0);
    expect(await storedWaterings(db)).toBe(1);
  });

  it('ends a server that was never spoken to', async () => {
    const raw = startRawServer(['--db', join(await newFolder(), 'new.db')]);
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '', lines: [] });
  });

  it('in the middle of a call lets it be written and answered first', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    const id = raw.call('log_watering', WATERING);
    await exitOf(raw);
    const { result } = await raw.answer(id);
    expect(bodyOf(result).event).toMatchObject({ waterMm: 2.4 });
    expect(await storedWaterings(db)).toBe(1);
  });

  it('in the middle of many calls loses none of them', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    const minutes = Array.from({ length: 60 }, (_, minute) => minute);
    const ids = minutes.map((minute) =>
      raw.call('log_watering', { ...WATERING, startedAt: `2026-06-01T06:${String(minute).padStart(2, '0')}` }),
    );
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '' });
    const events = await Promise.all(ids.map(async (id) => bodyOf((await raw.answer(id)).result).event.id));
    expect(new Set(events).size).toBe(60);
    expect(await storedWaterings(db)).toBe(60);
  });

  it('in the middle of a line drops that line alone', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    const id = raw.call('log_watering', WATERING);
    raw.write('{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"log_wat');
    const { code, lines } = await exitOf(raw);
    expect(bodyOf((await raw.answer(id)).result).event.durationMin).toBe(45);
    expect([code, lines.filter((line) => JSON.parse(line).id === 77)]).toEqual([0, []]);
    expect(await storedWaterings(db)).toBe(1);
  });

  it('does not wait for a call that was cancelled', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const id = raw.call('get_company', {});
    raw.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })}\n`);
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'is what %s means too: what was asked is answered first',
    async (signal) => {
      const db = await newBaseFarm();
      const raw = await connectRaw(db);
      await raw.answer(raw.call('get_company', {}));
      const id = raw.call('log_watering', WATERING);
      // A later request is answered before the signal, so the call has been read.
      await raw.answer(raw.send('ping'));
      raw.child.kill(signal);
      expect(bodyOf((await raw.answer(id)).result).event.waterMm).toBe(2.4);
      expect(await raw.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(await storedWaterings(db)).toBe(1);
    },
  );

  it('comes too when the client goes away and reads no more', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    await raw.answer(raw.call('get_company', {}));
    raw.child.stdout.destroy();
    raw.call('log_watering', WATERING);
    const { code, stderr } = await raw.ended;
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('a hostile message', () => {
  it('of 10 MiB is refused, and the next call is answered', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const large = raw.call('log_watering', { ...WATERING, note: 'x'.repeat(10 * 1024 * 1024) });
    expect((await raw.answer(large)).error).toMatchObject({ code: -32600, message: expect.stringContaining('bytes') });
    expect(bodyOf((await raw.answer(raw.call('log_watering', WATERING))).result).event.durationMin).toBe(45);
  });

  it.each([40, 3_000, 9_000])('that nests %i levels deep is refused, also as JSON text', async (levels) => {
    const raw = await connectRaw(await newBaseFarm());
    const deep = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const texts = [
      `{"note":${deep},"idempotencyKey":"once"}`,
      JSON.stringify(`{"note":${deep}}`),
      `{"startTimes":${JSON.stringify(deep)}}`,
    ];
    for (const [index, text] of texts.entries()) {
      const id = 1_000 + index;
      const params = `{"name":"create_schedule","arguments":${text}}`;
      raw.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`);
      expect(refusalOf((await raw.answer(id)).result)).toMatchObject({ code: 'invalid_body', status: 400 });
    }
  });

  it('with an argument named constructor is refused by name', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const { result } = await raw.answer(raw.call('get_company', JSON.parse('{"constructor":{"prototype":1}}')));
    expect(refusalOf(result)).toMatchObject({ code: 'invalid_parameter', field: 'constructor' });
  });
});

describe('standard output', () => {
  it('carries messages alone, whatever happens inside', async () => {
    const raw = startRawServer(['--db', await newFolder(), '--log-level', 'trace', '--clock', CLOCK]);
    await raw.answer(
      raw.send('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
    );
    // The store is a folder: every call fails and is logged.
    for (const name of ['get_company', 'log_watering', 'list_modules']) await raw.answer(raw.call(name, {}));
    raw.write('no message\n');
    const { lines, stderr } = await exitOf(raw);
    expect(lines).toHaveLength(4);
    expect(stderr).not.toBe('');
  });

  it('has one line a message, whatever stands in it', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const note = 'one\ntwo\r\nthree\u2028four\u2029five';
    const { result } = await raw.answer(raw.call('log_watering', { ...WATERING, note }));
    expect(bodyOf(result).event.note).toBe(note);
    expect(raw.lines).toHaveLength(2);
  });
});

describe('the input', () => {
  it.each([
    ['text', 'hello?\n'],
    ['an empty line', '\n'],
    ['half an object', '{"jsonrpc":"2.0","id":\n'],
    ['an object that is no message', '{"a":1}\n'],
    ['a message of another version', '{"jsonrpc":"1.0","id":5,"method":"ping"}\n'],
    ['null', 'null\n'],
    ['a number', '42\n'],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]).toString('latin1')],
    ['an answer to nothing', '{"jsonrpc":"2.0","id":99,"result":{}}\n'],
    ['a notification that is not known', '{"jsonrpc":"2.0","method":"notifications/moon"}\n'],
  ])('of %s is passed over: the calls before and after it are answered', async (_, text) => {
    const raw = await connectRaw(await newBaseFarm());
    const before = raw.call('get_company', {});
    raw.write(text);
    const after = raw.call('get_enums', {});
    expect(bodyOf((await raw.answer(before)).result).name).toBe('Mas Rouge');
    expect(bodyOf((await raw.answer(after)).result).irrigation_systems).toHaveLength(7);
    expect(await exitOf(raw)).toMatchObject({ code: 0 });
  });

  it('may come in pieces that cut characters, and several messages at once', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    const calls = ['💧 été', 'água'].map((note, i) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: `n${i}`,
        method: 'tools/call',
        params: { name: 'log_watering', arguments: { ...WATERING, note, durationMin: 10 + i } },
      }),
    );
    const bytes = Buffer.from(`${calls.join('\r\n')}\r\n`);
    for (let at = 0; at < bytes.length; at += 7) {
      raw.child.stdin.write(bytes.subarray(at, at + 7));
      if (at % 70 === 0) await pause(1);
    }
    const answered = await Promise.all(['n0', 'n1'].map((id) => raw.answer(id as unknown as number)));
    expect(answered.map(({ result }) => bodyOf(result).event.note)).toEqual(['💧 été', 'água']);
  });

  it('may be a line of eight megabytes: it is refused, and the server goes on', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const { result } = await raw.answer(raw.call('log_watering', { ...WATERING, note: 'x'.repeat(8_000_000) }));
    const { code, message, hint } = refusalOf(result);
    expect(code).toBe('invalid_body');
    expect(`${message}${hint}`.length).toBeLessThan(400);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
  });

  it('may nest ten thousand deep: it is refused, and the server goes on', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    raw.write(
      `{"jsonrpc":"2.0","id":500,"method":"tools/call","params":{"name":"log_watering","arguments":{"note":${deep}}}}\n`,
    );
    const { result, error } = await raw.answer(500);
    expect(result?.isError ?? error).toBeTruthy();
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
  });

  it('may come before the handshake', async () => {
    const raw = startRawServer(['--db', await newBaseFarm()]);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
  });

  it('may name things as the language does: nothing inside is reached by it', async () => {
    const raw = await connectRaw(await newBaseFarm());
    for (const name of ['constructor', 'toString', '__proto__'])
      expect((await raw.answer(raw.call(name, {}))).error.code).toBe(-32602);
    for (const name of ['prototype', 'toString', 'hasOwnProperty'])
      expect(refusalOf((await raw.answer(raw.call('get_module', { module: '1', [name]: 'a' }))).result)).toMatchObject({
        code: 'invalid_parameter',
        field: name,
      });
    const { error } = await raw.answer(raw.send('prompts/get', { name: 'constructor' }));
    expect(error.code).toBe(-32602);
  });
});

describe('a first start', () => {
  it('lists tools without making a store, and makes one with the first call', async () => {
    const folder = await newFolder();
    const db = join(folder, 'deep', 'new', 'acequia.db');
    const raw = await connectRaw(db);
    expect((await raw.answer(raw.send('tools/list'))).result.tools.length).toBeGreaterThan(10);
    expect(existsSync(join(folder, 'deep'))).toBe(false);
    const { result } = await raw.answer(raw.call('get_company', {}));
    expect(refusalOf(result)).toMatchObject({ code: 'not_found', hint: expect.stringContaining('acequia import') });
    expect(existsSync(db)).toBe(true);
  });

  it('finds the farm that was brought in while it ran', async () => {
    const db = await newStorePlace();
    const raw = await connectRaw(db);
    refusalOf((await raw.answer(raw.call('get_company', {}))).result);
    await importBaseFarm(db);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
  });

  it.skipIf(isOnPostgres)('loads the store with the first call, not before', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const loaded = () => readFile(`/proc/${raw.child.pid}/maps`, 'utf8');
    await raw.answer(raw.send('tools/list'));
    if (process.platform !== 'linux') return;
    expect(await loaded()).not.toContain('sqlite');
    await raw.answer(raw.call('get_company', {}));
    expect(await loaded()).toContain('sqlite');
  });
});

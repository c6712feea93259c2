import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { importBaseFarm, newBaseFarm, WATERING } from '../../base-farm.ts';
import { isOnPostgres } from '../../stores/stores.ts';
import { newFolder, newStorePlace } from '../../temporary-places.ts';
import { bodyOf, refusalOf } from '../mcp-session.ts';
import { CLOCK } from '../program.ts';
import { connectRaw, type RawServer, startRawServer } from '../raw-server.ts';
import { countWaterings } from '../rest/raw-requests.ts';

async function exitOf(raw: RawServer) {
  raw.child.stdin.end();
  const ended = await raw.ended;
  for (const line of ended.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  return ended;
}

describe('the end of input', () => {
  it('ends a server, and leaves nothing in the log of the store', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    await raw.answer(raw.call('log_watering', WATERING));
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(`${db}-wal`) ? statSync(`${db}-wal`).size : 0).toBe(0);
    expect(await countWaterings(db)).toBe(1);
  });

  it('waits until all calls are answered and written', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    const minutes = Array.from({ length: 60 }, (_, minute) => minute);
    const ids = minutes.map((minute) =>
      raw.call('log_watering', { ...WATERING, startedAt: `2026-06-01T06:${String(minute).padStart(2, '0')}` }),
    );
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '' });
    const events = await Promise.all(ids.map(async (id) => bodyOf((await raw.answer(id)).result).event.id));
    expect(new Set(events).size).toBe(60);
    expect(await countWaterings(db)).toBe(60);
  });

  it('within a line drops only that line', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    const id = raw.call('log_watering', WATERING);
    raw.write('{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"log_wat');
    const { code, lines } = await exitOf(raw);
    expect(bodyOf((await raw.answer(id)).result).event.durationMin).toBe(45);
    expect([code, lines.filter((line) => JSON.parse(line).id === 77)]).toEqual([0, []]);
    expect(await countWaterings(db)).toBe(1);
  });

  it('does not wait for a cancelled call', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const id = raw.call('get_company', {});
    raw.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })}\n`);
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'has the effect of %s: open calls are answered first',
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
      expect(await countWaterings(db)).toBe(1);
    },
  );

  it('is assumed when the client stops reading', async () => {
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
  it('carries only messages, also while every call fails', async () => {
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

  it('has one line for each message, also with line breaks in its text', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const note = 'one\ntwo\r\nthree\u2028four\u2029five';
    const { result } = await raw.answer(raw.call('log_watering', { ...WATERING, note }));
    expect(bodyOf(result).event.note).toBe('one two three four five');
    expect(raw.lines).toHaveLength(2);
  });
});

describe('the input', () => {
  it('may contain lines that are not requests, which do not affect the calls around them', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const lines = [
      ...['hello?', '', '{"jsonrpc":"2.0","id":', '{"a":1}', '{"jsonrpc":"1.0","id":5,"method":"ping"}', 'null', '42'],
      Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]).toString('latin1'),
      ...['{"jsonrpc":"2.0","id":99,"result":{}}', '{"jsonrpc":"2.0","method":"notifications/moon"}'],
    ];
    const ids = lines.map((line) => {
      const id = raw.call('get_company', {});
      raw.write(`${line}\n`);
      return id;
    });
    for (const id of [...ids, raw.call('get_company', {})])
      expect(bodyOf((await raw.answer(id)).result).name).toBe('Mas Rouge');
    expect(await exitOf(raw)).toMatchObject({ code: 0 });
  });

  it('may come in chunks that split characters and join messages', async () => {
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

  it('may have a line of eight megabytes, which is refused', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const { result } = await raw.answer(raw.call('log_watering', { ...WATERING, note: 'x'.repeat(8_000_000) }));
    const { code, message, hint } = refusalOf(result);
    expect(code).toBe('invalid_body');
    expect(`${message}${hint}`.length).toBeLessThan(400);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
  });

  it('may nest ten thousand levels, which is refused', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    raw.write(
      `{"jsonrpc":"2.0","id":500,"method":"tools/call","params":{"name":"log_watering","arguments":{"note":${deep}}}}\n`,
    );
    const { result, error } = await raw.answer(500);
    expect(result?.isError ?? error).toBeTruthy();
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
  });

  it('may have a request in a protocol that is not supported, which is refused and not carried out', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    const inVersion = (version: unknown) => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': version } });
    const logIn = (version: unknown) =>
      raw.send('tools/call', { name: 'log_watering', arguments: WATERING, ...inVersion(version) });
    for (const version of ['2099-01-01', '1999-01-01', '', 20251125, null, ['2025-11-25']]) {
      const { error } = await raw.answer(logIn(version));
      const data = { supported: ['2026-07-28'], requested: String(version) };
      expect([version, error]).toMatchObject([version, { code: -32022, data }]);
    }
    for (const method of ['tools/list', 'ping'])
      expect((await raw.answer(raw.send(method, inVersion('1999-01-01')))).error.code).toBe(-32022);
    // The connection has begun with initialize.
    expect((await raw.answer(raw.send('server/discover', inVersion('2026-07-28')))).error.code).toBe(-32601);
    expect(await countWaterings(db)).toBe(0);
    expect(bodyOf((await raw.answer(logIn('2025-11-25'))).result).event.durationMin).toBe(45);
    expect(await countWaterings(db)).toBe(1);
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '' });
  });

  it('may start before the handshake', async () => {
    const raw = startRawServer(['--db', await newBaseFarm()]);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
  });
});

describe('a first start', () => {
  it('lists tools without a store, and creates it with the first call', async () => {
    const folder = await newFolder();
    const db = join(folder, 'deep', 'new', 'acequia.db');
    const raw = await connectRaw(db);
    expect((await raw.answer(raw.send('tools/list'))).result.tools.length).toBeGreaterThan(10);
    expect(existsSync(join(folder, 'deep'))).toBe(false);
    const { result } = await raw.answer(raw.call('get_company', {}));
    expect(refusalOf(result)).toMatchObject({ code: 'not_found', hint: expect.stringContaining('set_company') });
    expect(existsSync(db)).toBe(true);
  });

  it('finds a farm that is imported while it runs', async () => {
    const db = await newStorePlace();
    const raw = await connectRaw(db);
    refusalOf((await raw.answer(raw.call('get_company', {}))).result);
    await importBaseFarm(db);
    expect(bodyOf((await raw.answer(raw.call('get_company', {}))).result).name).toBe('Mas Rouge');
  });

  it.skipIf(isOnPostgres)('loads SQLite with the first call, not before', async () => {
    const raw = await connectRaw(await newBaseFarm());
    const loaded = () => readFile(`/proc/${raw.child.pid}/maps`, 'utf8');
    await raw.answer(raw.send('tools/list'));
    if (process.platform !== 'linux') return;
    expect(await loaded()).not.toContain('sqlite');
    await raw.answer(raw.call('get_company', {}));
    expect(await loaded()).toContain('sqlite');
  });
});

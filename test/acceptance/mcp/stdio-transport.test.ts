import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SPOKEN_REVISIONS } from '../../../src/mcp/protocol.ts';
import { importBaseFarm, newBaseFarm, WATERING } from '../../base-farm.ts';
import { isOnPostgres } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, refusalOf } from '../mcp-session.ts';
import { CLOCK, REPOSITORY } from '../program.ts';
import {
  connectRaw,
  isAnswered,
  type RawServer,
  sharedRawServer,
  startRawServer,
} from '../raw-server.ts';
import { countWaterings } from '../rest/raw-requests.ts';
import { expectAnswerBeforeEnd } from './answer-before-end.ts';

async function exitOf(raw: RawServer) {
  raw.child.stdin.end();
  return raw.ended;
}

describe('the end of input', () => {
  it('waits until all calls are answered and written, and leaves nothing in the log of the store', async () => {
    const db = await newBaseFarm();
    const raw = await connectRaw(db);
    const minutes = Array.from({ length: 20 }, (_, minute) => minute + 10);
    const ids = minutes.map((minute) =>
      raw.call('log_watering', { ...WATERING, startedAt: `2026-06-01T06:${minute}` }),
    );
    // Of the calls, only this cut one is dropped.
    raw.write('{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"log_wat');
    expect(await exitOf(raw)).toMatchObject({ code: 0, stderr: '' });
    const events = await Promise.all(
      ids.map(async (id) => bodyOf((await raw.answer(id)).result).event.id),
    );
    expect(new Set(events).size).toBe(minutes.length);
    expect(isAnswered(raw, 77)).toBe(false);
    expect(await countWaterings(db)).toBe(minutes.length);
    expect(existsSync(`${db}-wal`) ? statSync(`${db}-wal`).size : 0).toBe(0);
  });

  it('has the effect of SIGTERM: open calls are answered first', () =>
    expectAnswerBeforeEnd('SIGTERM'));

  it('is assumed when the client stops reading', async () => {
    const raw = await connectRaw(await newBaseFarm());
    await raw.answer(raw.call('get_company', {}));
    raw.child.stdout.destroy();
    raw.call('log_watering', WATERING);
    const { code, stderr } = await raw.ended;
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('standard output', () => {
  it('carries only messages, also while every call fails', async () => {
    const raw = startRawServer([
      '--db',
      await newFolder(),
      '--log-level',
      'trace',
      '--clock',
      CLOCK,
    ]);
    await raw.answer(
      raw.send('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
    );
    // The store is a folder: every call fails and is logged.
    for (const name of ['get_company', 'log_watering', 'list_modules'])
      await raw.answer(raw.call(name, {}));
    raw.write('no message\n');
    const { lines, stderr } = await exitOf(raw);
    expect(lines).toHaveLength(4);
    expect(stderr).not.toBe('');
  });
});

describe('a session', () => {
  const raw = sharedRawServer();
  const resultOf = async (name: string, args: unknown) =>
    (await raw().answer(raw().call(name, args))).result;
  const expectAlive = async () =>
    expect(bodyOf(await resultOf('get_company', {})).name).toBe('Mas Rouge');

  it.each([40, 9_000])(
    'refuses a message that nests %i levels deep, also as JSON text',
    async (levels) => {
      const deep = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
      const texts = [
        `{"note":${deep},"idempotencyKey":"once"}`,
        JSON.stringify(`{"note":${deep}}`),
        `{"startTimes":${JSON.stringify(deep)}}`,
      ];
      for (const [index, text] of texts.entries()) {
        const id = levels * 1_000 + index;
        const params = `{"name":"create_schedule","arguments":${text}}`;
        raw().write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`);
        expect(refusalOf((await raw().answer(id)).result)).toMatchObject({
          code: 'invalid_body',
          status: 400,
        });
      }
      await expectAlive();
    },
  );

  it('has one line for each message, also with line breaks in its text', async () => {
    const before = raw().lines.length;
    const note = 'one\ntwo\r\nthree\u2028four\u2029five';
    expect(bodyOf(await resultOf('log_watering', { ...WATERING, note })).event.note).toBe(
      'one two three four five',
    );
    expect(raw().lines).toHaveLength(before + 1);
  });

  it('may get lines that are not requests, which do not affect the calls around them', async () => {
    const lines = [
      ...[
        'hello?',
        '',
        '{"jsonrpc":"2.0","id":',
        '{"a":1}',
        '{"jsonrpc":"1.0","id":5,"method":"ping"}',
        'null',
        '42',
      ],
      Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]).toString('latin1'),
      ...[
        '{"jsonrpc":"2.0","id":99,"result":{}}',
        '{"jsonrpc":"2.0","method":"notifications/moon"}',
      ],
    ];
    const ids = lines.map((line) => {
      const id = raw().call('get_company', {});
      raw().write(`${line}\n`);
      return id;
    });
    for (const id of ids) expect(bodyOf((await raw().answer(id)).result).name).toBe('Mas Rouge');
    await expectAlive();
  });

  it('refuses a line of eight megabytes', async () => {
    const { code, message, hint } = refusalOf(
      await resultOf('log_watering', { ...WATERING, note: 'x'.repeat(8_000_000) }),
    );
    expect(code).toBe('invalid_body');
    expect(`${message}${hint}`.length).toBeLessThan(400);
    await expectAlive();
  });

  it('refuses a request in a protocol that is not supported, and does not carry it out', async () => {
    const inVersion = (version: unknown) => ({
      _meta: { 'io.modelcontextprotocol/protocolVersion': version },
    });
    const answerIn = (version: unknown) =>
      raw().answer(
        raw().send('tools/call', {
          name: 'log_watering',
          arguments: WATERING,
          ...inVersion(version),
        }),
      );
    const count = async () =>
      bodyOf(await resultOf('list_waterings', { limit: 1 })).totals.done.waterings;
    bodyOf((await answerIn('2025-11-25')).result);
    const before = await count();
    for (const version of ['2099-01-01', '1999-01-01', '', 20251125, null, ['2025-11-25']]) {
      const { error } = await answerIn(version);
      const data = { supported: SPOKEN_REVISIONS, requested: String(version) };
      expect([version, error]).toMatchObject([version, { code: -32022, data }]);
    }
    for (const method of ['tools/list', 'ping'])
      expect((await raw().answer(raw().send(method, inVersion('1999-01-01')))).error.code).toBe(
        -32022,
      );
    // The connection has begun with initialize.
    expect(
      (await raw().answer(raw().send('server/discover', inVersion('2026-07-28')))).error.code,
    ).toBe(-32601);
    expect(await count()).toBe(before);
  });
});

describe('a first start', () => {
  it('lists tools without a store, and creates it with the first call, before any handshake', async () => {
    const folder = await newFolder();
    const db = join(folder, 'deep', 'new', 'acequia.db');
    const raw = startRawServer(['--db', db]);
    const { tools } = JSON.parse(await readFile(join(REPOSITORY, 'dist', 'catalog.json'), 'utf8'));
    // Byte for byte.
    const listed = await raw.answer(raw.send('tools/list'));
    expect(JSON.stringify(listed.result)).toBe(JSON.stringify({ tools }));
    expect(existsSync(join(folder, 'deep'))).toBe(false);
    const company = async () => (await raw.answer(raw.call('get_company', {}))).result;
    expect(refusalOf(await company())).toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('set_company'),
    });
    expect(existsSync(db)).toBe(true);
    // It finds a farm that is imported while it runs.
    await importBaseFarm(db);
    expect(bodyOf(await company()).name).toBe('Mas Rouge');
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

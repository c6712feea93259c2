import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/schema/scope.ts';
import { storedContents } from '../../stores/stores.ts';
import { CLOCK, type Json, newBaseFarm, newFolder, runProgram } from '../program.ts';
import { createTestKey, startRestService } from '../rest-service.ts';

const KEY = /^acequia_[A-Za-z0-9_-]{43}$/;

/** How a command that fails ended. */
const runFailing = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  runProgram(...args).then(
    ({ stdout }) => {
      throw new Error(`It did not fail: ${stdout}`);
    },
    (error) => error,
  );

/** A key that the command makes, and its id. */
const createKeyByCommand = async (db: string, ...options: string[]): Promise<{ id: number; key: string }> =>
  JSON.parse((await runProgram('keys', 'create', '--db', db, '--json', ...options)).stdout);

const listedKeys = async (db: string, ...options: string[]): Promise<Json[]> =>
  JSON.parse((await runProgram('keys', 'list', '--db', db, '--json', ...options)).stdout);

describe('acequia keys create', () => {
  it('prints the key alone, this once: the store does not hold it', async () => {
    const db = await newBaseFarm();
    const { stdout, stderr } = await runProgram('keys', 'create', '--db', db);
    const key = stdout.trim();
    expect(key).toMatch(KEY);
    expect(stdout).toBe(`${key}\n`);
    expect(stderr).not.toContain(key);
    const kept = await storedContents(db);
    expect(kept.includes(key.slice('acequia_'.length))).toBe(false);
    expect(kept.includes(createHash('sha256').update(key).digest('base64url'))).toBe(true);
  });

  it('stands for the first OWNER, with every scope and without an end, where nothing else is said', async () => {
    const db = await newBaseFarm();
    const { id, key } = await createKeyByCommand(db, '--company', 'Mas Rouge');
    expect(key).toMatch(KEY);
    expect(await listedKeys(db)).toEqual([
      expect.objectContaining({
        id,
        state: 'active',
        company: { id: 1, name: 'Mas Rouge' },
        user: { id: 1, email: 'ana@example.org' },
        scopes: [...SCOPES],
        surface: 'api',
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      }),
    ]);
  });

  it('takes user, scopes, surface and end', async () => {
    const db = await newBaseFarm();
    const options = ['--user', 'none', '--scopes', 'readings:read, irrigation:write', '--surface', 'mcp'];
    await createKeyByCommand(db, ...options, '--expires', '2100-01-01T00:00:00Z');
    const [key] = await listedKeys(db);
    expect(key).toMatchObject({
      user: null,
      scopes: ['irrigation:write', 'readings:read'],
      surface: 'mcp',
      expiresAt: '2100-01-01T00:00:00.000Z',
    });
  });

  it.each([
    ['a scope that is none', ['--scopes', 'readings:read,water'], 2, '"water" is no scope'],
    ['no scope at all', ['--scopes', ','], 2, 'No scope is named'],
    ['an end in the past', ['--expires', '2020-01-01T00:00:00Z'], 2, 'expired already'],
    ['another surface', ['--surface', 'web'], 2, 'Allowed choices are api, mcp'],
    ['a member that is none', ['--user', 'eve@example.org'], 1, 'no member "eve@example.org"'],
    ['a company that is none', ['--company', 'Mas Noir'], 1, 'No company is called "Mas Noir"'],
    ['users:admin for no user', ['--user', 'none', '--scopes', 'users:admin'], 1, 'cannot hold users:admin'],
    ['a service in place of a store', ['--remote', 'https://water.example.org/v1'], 2, '--remote'],
  ])('refuses %s', async (_, options, code, said) => {
    const db = options.includes('--remote') ? [] : ['--db', await newBaseFarm()];
    const ended = await runFailing('keys', 'create', ...db, ...options);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  });

  it('makes no store where none is', async () => {
    const db = join(await newFolder(), 'none.db');
    expect(await runFailing('keys', 'create', '--db', db)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no store ${db}`),
    });
    await expect(readFile(db)).rejects.toThrow('ENOENT');
  });
});

describe('acequia keys list', () => {
  it('shows a table without any part of a key', async () => {
    const db = await newBaseFarm();
    const { key } = await createKeyByCommand(db, '--scopes', 'readings:read');
    const { stdout } = await runProgram('keys', 'list', '--db', db);
    const [head, row] = stdout.split('\n');
    expect(head).toMatch(/^ID +STATE +COMPANY +USER +SURFACE +CREATED +EXPIRES +LAST USED +SCOPES$/);
    expect(row).toMatch(
      /^1 +active +Mas Rouge \(#1\) +ana@example.org \(#1\) +api +[\d-]+T[\d:]+Z +never +never +readings:read$/,
    );
    expect(stdout).not.toContain(key.slice(8, 16));
  });

  it('says when a key was last used', async () => {
    const served = await startRestService();
    const key = await served.newKey();
    expect((await served.request('GET', '/company', { key })).status).toBe(200);
    await expect
      .poll(async () => (await listedKeys(served.db))[0].lastUsedAt)
      .toMatch(new RegExp(`^${CLOCK.slice(0, 15)}`));
  });
});

describe('acequia keys rotate', () => {
  it('gives a key of the same rights, and lets the old one serve for the overlap', async () => {
    const served = await startRestService();
    const old = await createKeyByCommand(served.db, '--scopes', 'company:read', '--user', 'none', '--surface', 'mcp');
    const { stdout } = await runProgram(
      'keys',
      'rotate',
      String(old.id),
      '--db',
      served.db,
      '--json',
      '--clock',
      CLOCK,
    );
    const fresh = JSON.parse(stdout);
    expect(fresh.key).not.toBe(old.key);
    for (const { key } of [old, fresh]) expect((await served.request('GET', '/company', { key })).status).toBe(200);
    expect((await served.request('GET', '/modules', { key: fresh.key })).body.code).toBe('insufficient_scope');
    const [before, after] = await listedKeys(served.db, '--clock', CLOCK);
    expect(before.expiresAt).toMatch(/^2026-07-02T10:00/);
    expect(after).toMatchObject({ user: null, scopes: ['company:read'], surface: 'mcp', expiresAt: null });
  });

  it('ends the old key at once with an overlap of 0', async () => {
    const served = await startRestService();
    const old = await createTestKey(served.db);
    const { stdout } = await runProgram('keys', 'rotate', '1', '--overlap', '0', '--db', served.db, '--clock', CLOCK);
    expect((await served.request('GET', '/company', { key: old.key })).status).toBe(401);
    expect((await served.request('GET', '/company', { key: stdout.trim() })).status).toBe(200);
  });

  it('finds under the new key what was written under the old one', async () => {
    const served = await startRestService();
    const old = await createTestKey(served.db);
    const body = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };
    const headers = { 'idempotency-key': 'once' };
    const first = await served.request('POST', '/modules/1/irrigation/events', { key: old.key, body, headers });
    const fresh = (await runProgram('keys', 'rotate', '1', '--db', served.db)).stdout.trim();
    const again = await served.request('POST', '/modules/1/irrigation/events', { key: fresh, body, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('keeps the end that the old key has', async () => {
    const db = await newBaseFarm();
    await createKeyByCommand(db, '--expires', '2100-01-01T00:00:00Z');
    await runProgram('keys', 'rotate', '1', '--db', db);
    expect((await listedKeys(db))[1].expiresAt).toBe('2100-01-01T00:00:00.000Z');
  });

  it('refuses a key that has ended, or that there is not', async () => {
    const db = await newBaseFarm();
    await createTestKey(db);
    await runProgram('keys', 'revoke', '1', '--db', db);
    expect(await runFailing('keys', 'rotate', '1', '--db', db)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('revoked'),
    });
    expect(await runFailing('keys', 'rotate', '7', '--db', db)).toMatchObject({ code: 1 });
    expect(await runFailing('keys', 'rotate', 'seven', '--db', db)).toMatchObject({ code: 2 });
  });
});

describe('acequia keys revoke', () => {
  it('ends a key at once, while the service runs', async () => {
    const served = await startRestService();
    const { id, key } = await createTestKey(served.db);
    expect((await served.request('GET', '/company', { key })).status).toBe(200);
    await runProgram('keys', 'revoke', `#${id}`, '--db', served.db);
    expect((await served.request('GET', '/company', { key })).status).toBe(401);
    expect((await listedKeys(served.db))[0].state).toBe('revoked');
  });
});

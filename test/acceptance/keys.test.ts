import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/operation/scope.ts';
import { contentsOf } from '../stores.ts';
import { acequia, CLOCK, newFarm, newFolder, type Wired } from './program.ts';
import { madeKey, service } from './served.ts';

const KEY = /^acequia_[A-Za-z0-9_-]{43}$/;

/** How a command that fails ended. */
const failed = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  acequia(...args).then(
    ({ stdout }) => {
      throw new Error(`It did not fail: ${stdout}`);
    },
    (error) => error,
  );

/** A key that the command makes, and its id. */
const created = async (db: string, ...options: string[]): Promise<{ id: number; key: string }> =>
  JSON.parse((await acequia('keys', 'create', '--db', db, '--json', ...options)).stdout);

const listed = async (db: string, ...options: string[]): Promise<Wired[]> =>
  JSON.parse((await acequia('keys', 'list', '--db', db, '--json', ...options)).stdout);

describe('acequia keys create', () => {
  it('prints the key alone, this once: the store does not hold it', async () => {
    const db = await newFarm();
    const { stdout, stderr } = await acequia('keys', 'create', '--db', db);
    const key = stdout.trim();
    expect(key).toMatch(KEY);
    expect(stdout).toBe(`${key}\n`);
    expect(stderr).not.toContain(key);
    const kept = await contentsOf(db);
    expect(kept.includes(key.slice('acequia_'.length))).toBe(false);
    expect(kept.includes(createHash('sha256').update(key).digest('base64url'))).toBe(true);
  });

  it('stands for the first OWNER, with every scope and without an end, where nothing else is said', async () => {
    const db = await newFarm();
    const { id, key } = await created(db, '--company', 'Mas Rouge');
    expect(key).toMatch(KEY);
    expect(await listed(db)).toEqual([
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
    const db = await newFarm();
    const options = ['--user', 'none', '--scopes', 'readings:read, irrigation:write', '--surface', 'mcp'];
    await created(db, ...options, '--expires', '2100-01-01T00:00:00Z');
    const [key] = await listed(db);
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
    const db = options.includes('--remote') ? [] : ['--db', await newFarm()];
    const ended = await failed('keys', 'create', ...db, ...options);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  });

  it('makes no store where none is', async () => {
    const db = join(await newFolder(), 'none.db');
    expect(await failed('keys', 'create', '--db', db)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no store ${db}`),
    });
    await expect(readFile(db)).rejects.toThrow('ENOENT');
  });
});

describe('acequia keys list', () => {
  it('shows a table without any part of a key', async () => {
    const db = await newFarm();
    const { key } = await created(db, '--scopes', 'readings:read');
    const { stdout } = await acequia('keys', 'list', '--db', db);
    const [head, row] = stdout.split('\n');
    expect(head).toMatch(/^ID +STATE +COMPANY +USER +SURFACE +CREATED +EXPIRES +LAST USED +SCOPES$/);
    expect(row).toMatch(
      /^1 +active +Mas Rouge \(#1\) +ana@example.org \(#1\) +api +[\d-]+T[\d:]+Z +never +never +readings:read$/,
    );
    expect(stdout).not.toContain(key.slice(8, 16));
  });

  it('says when a key was last used', async () => {
    const served = await service();
    const key = await served.newKey();
    expect((await served.ask('GET', '/company', { key })).status).toBe(200);
    await expect
      .poll(async () => (await listed(served.db))[0].lastUsedAt)
      .toMatch(new RegExp(`^${CLOCK.slice(0, 15)}`));
  });
});

describe('acequia keys rotate', () => {
  it('gives a key of the same rights, and lets the old one serve for the overlap', async () => {
    const served = await service();
    const old = await created(served.db, '--scopes', 'company:read', '--user', 'none', '--surface', 'mcp');
    const { stdout } = await acequia('keys', 'rotate', String(old.id), '--db', served.db, '--json', '--clock', CLOCK);
    const fresh = JSON.parse(stdout);
    expect(fresh.key).not.toBe(old.key);
    for (const { key } of [old, fresh]) expect((await served.ask('GET', '/company', { key })).status).toBe(200);
    expect((await served.ask('GET', '/modules', { key: fresh.key })).body.code).toBe('insufficient_scope');
    const [before, after] = await listed(served.db, '--clock', CLOCK);
    expect(before.expiresAt).toMatch(/^2026-07-02T10:00/);
    expect(after).toMatchObject({ user: null, scopes: ['company:read'], surface: 'mcp', expiresAt: null });
  });

  it('ends the old key at once with an overlap of 0', async () => {
    const served = await service();
    const old = await madeKey(served.db);
    const { stdout } = await acequia('keys', 'rotate', '1', '--overlap', '0', '--db', served.db, '--clock', CLOCK);
    expect((await served.ask('GET', '/company', { key: old.key })).status).toBe(401);
    expect((await served.ask('GET', '/company', { key: stdout.trim() })).status).toBe(200);
  });

  it('finds under the new key what was written under the old one', async () => {
    const served = await service();
    const old = await madeKey(served.db);
    const body = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };
    const headers = { 'idempotency-key': 'once' };
    const first = await served.ask('POST', '/modules/1/irrigation/events', { key: old.key, body, headers });
    const fresh = (await acequia('keys', 'rotate', '1', '--db', served.db)).stdout.trim();
    const again = await served.ask('POST', '/modules/1/irrigation/events', { key: fresh, body, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('keeps the end that the old key has', async () => {
    const db = await newFarm();
    await created(db, '--expires', '2100-01-01T00:00:00Z');
    await acequia('keys', 'rotate', '1', '--db', db);
    expect((await listed(db))[1].expiresAt).toBe('2100-01-01T00:00:00.000Z');
  });

  it('refuses a key that has ended, or that there is not', async () => {
    const db = await newFarm();
    await madeKey(db);
    await acequia('keys', 'revoke', '1', '--db', db);
    expect(await failed('keys', 'rotate', '1', '--db', db)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('revoked'),
    });
    expect(await failed('keys', 'rotate', '7', '--db', db)).toMatchObject({ code: 1 });
    expect(await failed('keys', 'rotate', 'seven', '--db', db)).toMatchObject({ code: 2 });
  });
});

describe('acequia keys revoke', () => {
  it('ends a key at once, while the service runs', async () => {
    const served = await service();
    const { id, key } = await madeKey(served.db);
    expect((await served.ask('GET', '/company', { key })).status).toBe(200);
    await acequia('keys', 'revoke', `#${id}`, '--db', served.db);
    expect((await served.ask('GET', '/company', { key })).status).toBe(401);
    expect((await listed(served.db))[0].state).toBe('revoked');
  });
});

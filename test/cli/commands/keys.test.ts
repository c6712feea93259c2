import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/schema/scope.ts';
import type { Json } from '../../acceptance/program.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { storedContents } from '../../stores/stores.ts';

const READ_SCOPES: readonly string[] = SCOPES.filter((scope) => scope.endsWith(':read'));
const KEY = /^acequia_[A-Za-z0-9_-]{43}$/;

const create = (db: string, ...options: string[]) =>
  runInProcess(['keys', 'create', '--db', db, ...options]);
const list = (db: string, ...options: string[]) =>
  runInProcess(['keys', 'list', '--db', db, ...options]);

const listedKeys = async (db: string): Promise<Json[]> =>
  JSON.parse((await list(db, '--json')).stdout);

describe('acequia keys create', () => {
  it('prints the key, and stores only its hash', async () => {
    const db = await newBaseFarm();
    const { stdout, stderr } = await create(db);
    const key = stdout.trim();
    expect([key, stdout, stderr.includes(key)]).toEqual([
      expect.stringMatching(KEY),
      `${key}\n`,
      false,
    ]);
    const stored = await storedContents(db);
    expect(stored.includes(key.slice('acequia_'.length))).toBe(false);
    expect(stored.includes(createHash('sha256').update(key).digest('base64url'))).toBe(true);
  });

  it('defaults to the first OWNER, reading and no end, and has options for others', async () => {
    const db = await newBaseFarm();
    const { id } = JSON.parse((await create(db, '--company', 'Mas Rouge', '--json')).stdout);
    const options = [
      '--user',
      'none',
      '--scopes',
      'readings:read, irrigation:write',
      '--surface',
      'mcp',
    ];
    await create(db, ...options, '--expires', '2100-01-01T00:00:00Z');
    expect(await listedKeys(db)).toMatchObject([
      {
        id,
        state: 'active',
        company: { id: 1, name: 'Mas Rouge' },
        user: { id: 1, email: 'ana@example.org' },
        scopes: READ_SCOPES,
        surface: 'api',
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      },
      {
        user: null,
        scopes: ['irrigation:write', 'readings:read'],
        surface: 'mcp',
        expiresAt: '2100-01-01T00:00:00.000Z',
      },
    ]);
  });

  it('refuses a webhook that is no preset and cannot be a map, and says so of one that may be a map', async () => {
    const db = await newBaseFarm();
    const refused = await create(db, '--webhook', 'ecowit/wh51');
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(
      /no preset "ecowit\/wh51".*Did you mean ecowitt\/wh51\?.*"acequia ingest presets"/s,
    );
    expect(await listedKeys(db)).toEqual([]);
    const map = await create(db, '--webhook', 'my-probe');
    expect([map.stdout.trim(), map.stderr]).toEqual([
      expect.stringMatching(KEY),
      expect.stringMatching(/"my-probe" is not a preset: .*--maps FOLDER.*my-probe\.json/),
    ]);
    const withPreset = await create(db, '--webhook', 'ecowitt/wh51');
    expect(withPreset.stderr).not.toContain('no preset');
  });

  it('has presets for what people need, within the role of the member', async () => {
    const db = await newBaseFarm();
    for (const preset of ['assistant', 'viewer', 'ingest', 'everything'])
      await create(db, '--preset', preset);
    await create(db, '--preset', 'everything', '--user', 'none');
    const writes = ['irrigation:write', 'alerts:write', 'annotations:write', 'soil:write'];
    expect((await listedKeys(db)).map(({ surface, scopes }) => [surface, scopes])).toEqual([
      ['mcp', SCOPES.filter((scope) => writes.includes(scope) || READ_SCOPES.includes(scope))],
      ['api', READ_SCOPES],
      ['api', ['ingest:write']],
      ['api', [...SCOPES]],
      ['api', SCOPES.filter((scope) => scope !== 'users:admin')],
    ]);
  });

  it('says that a key made without a preset only reads, and how to make another', async () => {
    const { stderr } = await create(await newBaseFarm());
    expect(stderr).toMatch(/It can only read.*--preset assistant/);
  });

  it.each([
    [
      'scopes beside a preset',
      ['--scopes', 'readings:read', '--preset', 'viewer'],
      2,
      'cannot be used with',
    ],
    [
      'an unknown preset',
      ['--preset', 'admin'],
      2,
      'Allowed choices are viewer, assistant, ingest, everything',
    ],
    ['an unknown scope', ['--scopes', 'readings:read,water'], 2, '"water" is not a scope'],
    ['an empty list of scopes', ['--scopes', ','], 2, 'No scope is named'],
    ['an end in the past', ['--expires', '2020-01-01T00:00:00Z'], 2, 'already be expired'],
    ['an unknown surface', ['--surface', 'web'], 2, 'Allowed choices are api, mcp'],
    ['an unknown member', ['--user', 'eve@example.org'], 1, 'no member "eve@example.org"'],
    ['an unknown company', ['--company', 'Mas Noir'], 1, 'No company is called "Mas Noir"'],
    [
      'users:admin without a user',
      ['--user', 'none', '--scopes', 'users:admin'],
      1,
      'cannot have users:admin',
    ],
    ['a remote service', ['--remote', 'https://water.example.org/v1'], 2, '--remote'],
  ])('refuses %s', async (_, options, code, message) => {
    const db = options.includes('--remote') ? [] : ['--db', await newBaseFarm()];
    const result = await runInProcess(['keys', 'create', ...db, ...options]);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });
});

it('acequia keys list shows a table without any part of a key', async () => {
  const db = await newBaseFarm();
  const { stdout: key } = await create(db, '--scopes', 'readings:read');
  const { stdout } = await list(db);
  const [head, row] = stdout.split('\n');
  expect(head).toMatch(/^ID +STATE +COMPANY +USER +SURFACE +CREATED +EXPIRES +LAST USED +SCOPES$/);
  expect(row).toMatch(
    /^1 +active +Mas Rouge \(#1\) +ana@example.org \(#1\) +api +[\d-]+T[\d:]+Z +never +never +readings:read$/,
  );
  expect(stdout).not.toContain(key.slice(8, 16));
});

it('acequia keys rotate refuses a revoked key, one that does not exist, and what is no id', async () => {
  const db = await newBaseFarm();
  await create(db);
  await runInProcess(['keys', 'revoke', '#1', '--db', db]);
  const rotate = (id: string) => runInProcess(['keys', 'rotate', id, '--db', db]);
  expect(await rotate('1')).toMatchObject({ code: 1, stderr: expect.stringContaining('revoked') });
  expect((await listedKeys(db))[0]).toMatchObject({ state: 'revoked' });
  expect([(await rotate('7')).code, (await rotate('seven')).code]).toEqual([1, 2]);
});

import { expect, it } from 'vitest';
import { runInProcess } from '../../in-process-command.ts';
import { rowsOf } from '../../stores/stores.ts';
import { CLOCK } from '../program.ts';
import { createTestKey, sharedRestService } from '../rest-service.ts';

const farm = sharedRestService();

const statusWith = async (key: string): Promise<number> =>
  (await farm().request('GET', '/company', { key })).status;

const keys = (...words: string[]) =>
  runInProcess(['keys', ...words, '--db', farm().db, '--clock', CLOCK]);
const keysJson = async (...words: string[]) => JSON.parse((await keys(...words, '--json')).stdout);

const log = (key: string) =>
  farm().request('POST', '/modules/1/irrigation/events', {
    key,
    body: { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 },
    headers: { 'idempotency-key': 'once' },
  });

it('two keys of a company have idempotency keys of their own', async () => {
  const [one, other] = [await farm().newKey(), await farm().newKey()];
  const answers = [await log(one), await log(other), await log(one)];
  expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
    null,
    null,
    'true',
  ]);
  expect(answers[2]!.body).toEqual(answers[0]!.body);
});

it('acequia keys rotate creates a key of the same rights and family, and the old one stays valid for the overlap', async () => {
  const old = await keysJson(
    'create',
    '--scopes',
    'company:read,irrigation:write',
    '--user',
    'none',
    '--surface',
    'mcp',
  );
  const first = await log(old.key);
  const fresh = await keysJson('rotate', String(old.id));
  expect(fresh.key).not.toBe(old.key);
  expect([await statusWith(old.key), await statusWith(fresh.key)]).toEqual([200, 200]);
  const repeated = await log(fresh.key);
  expect([repeated.headers.get('idempotent-replayed'), repeated.body]).toEqual([
    'true',
    first.body,
  ]);
  const last = await keysJson('rotate', String(fresh.id), '--overlap', '0');
  expect([await statusWith(fresh.key), await statusWith(last.key)]).toEqual([401, 200]);
  const rights = { user: null, scopes: ['irrigation:write', 'company:read'], surface: 'mcp' };
  const listed = await keysJson('list');
  expect(
    [old, fresh, last].map(({ id }) => listed.find((each: { id: number }) => each.id === id)),
  ).toMatchObject([
    { ...rights, expiresAt: expect.stringMatching(/^2026-07-02T10:00/) },
    { ...rights, expiresAt: expect.stringMatching(/^2026-07-01T10:00/) },
    { ...rights, expiresAt: null },
  ]);
});

it('acequia keys revoke ends a key immediately, after which it cannot be rotated; its last use is stored', async () => {
  const { id, key } = await createTestKey(farm().db);
  expect(await statusWith(key)).toBe(200);
  const lastUse = `select last_used_at >= ${Date.parse(CLOCK)} as used from api_keys where id = ${id}`;
  await expect.poll(() => rowsOf(farm().db, lastUse)).toEqual([{ used: 1 }]);
  expect(await keys('revoke', `#${id}`)).toMatchObject({
    code: 0,
    stdout: `Key #${id} is revoked.\n`,
  });
  expect(await statusWith(key)).toBe(401);
  const stderr = expect.stringContaining('revoked');
  expect(await keys('rotate', String(id))).toMatchObject({ code: 1, stdout: '', stderr });
});

it('neither a key nor a link is made for what only looks like the company or the member', async () => {
  for (const command of ['create', 'link'])
    for (const [option, name, similar] of [
      ['--company', 'Mas Rouge', 'mas rouge'],
      ['--user', 'ana@example.org', 'aná@example.org'],
    ] as const) {
      expect((await keys(command, option, name)).code).toBe(0);
      expect(await keys(command, option, similar)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(name),
      });
    }
});

import { expect, it } from 'vitest';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { newEmptyStore } from '../../stores/template-stores.ts';
import { connectServer, serverArguments } from '../mcp-session.ts';
import { type Json, runCommand, runProgram } from '../program.ts';
import { createTestKey, serveStoreForTest, startRestService } from '../rest-service.ts';

async function session(args: readonly string[], env: Record<string, string> = {}) {
  const { client, call } = await connectServer(args, { env });
  afterTest(() => client.close());
  await client.listTools();
  return async (name: string, input: Record<string, unknown> = {}) => {
    const { structuredContent, content, _meta } = await call(name, input);
    return {
      body: structuredContent as Json,
      text: JSON.stringify(content),
      refusal: _meta?.['acequia/error'] as Json,
    };
  };
}

const count = async (call: Awaited<ReturnType<typeof session>>) => (await call('list_waterings')).body.data.length;

it('a conversation takes back its last write in one call', async () => {
  const call = await session(serverArguments(await newBaseFarm(), {}));
  const logged = await call('log_watering', { ...WATERING, idempotencyKey: 'one' });
  const { changeId } = logged.body;
  expect(logged.text).toContain(`\\"changeId\\":${changeId}`);
  expect((await call('log_watering', { ...WATERING, idempotencyKey: 'one' })).body.changeId).toBe(changeId);

  const undone = await call('undo', { idempotencyKey: 'two' });
  expect(undone.body.summary).toMatch(
    /^Undone: 1 watering removed \(North 1, today 06:00\)[.] It was entered today 12:00/,
  );
  expect(await count(call)).toBe(0);
  const repeated = await call('log_watering', { ...WATERING, idempotencyKey: 'one' });
  expect(repeated.body.summary).toMatch(/undone since, by change \d+: nothing of it is stored.*new idempotencyKey/);
  // Not the change before it.
  expect((await call('undo', { idempotencyKey: 'two' })).body).toEqual(undone.body);

  expect((await call('undo', { changeId })).refusal).toMatchObject({ code: 'CHANGE_NOT_UNDOABLE', status: 409 });
  await call('undo', { changeId: undone.body.changeId });
  expect(await count(call)).toBe(1);
  expect((await call('list_changes')).body.summary).toMatch(
    /^The newest changes: today 12:00 by .*: 1 watering added \(North 1, today 06:00\), by an undo;/,
  );
});

it('a service names the change in a header, and takes it back by its id or as the latest one', async () => {
  const { request, db } = await startRestService();
  const { key } = await createTestKey(db);
  const [module] = (await request('GET', '/modules?category=SOIL_PROBE', { key })).body.data;
  const body = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 45 };
  const log = () => request('POST', `/modules/${module.id}/irrigation/events`, { key, body });
  const first = await log();
  const second = await log();
  const id = first.headers.get('acequia-change-id');
  expect(Number(second.headers.get('acequia-change-id'))).toBeGreaterThan(Number(id));
  expect(first.body).not.toHaveProperty('changeId');

  expect(await request('POST', '/changes/latest/undo', { key })).toMatchObject({
    ...{ status: 200, body: { undone: { operation: 'log_watering', surface: 'api' } } },
  });
  const { key: reader } = await createTestKey(db, '--scopes', 'readings:read,company:read');
  expect((await request('POST', `/changes/${id}/undo`, { key: reader })).status).toBe(403);
  expect((await request('POST', `/changes/${id}/undo`, { key })).status).toBe(200);
  const { data } = (await request('GET', '/changes', { key: reader })).body;
  expect(data.map((each: Json) => each.operation)).toEqual(['undo', 'undo', 'log_watering', 'log_watering']);
  expect((await request('GET', '/irrigation/events', { key })).body.data).toEqual([]);
});

it('a session with a remote service takes back its last write', async () => {
  const db = await newBaseFarm();
  const { base } = await serveStoreForTest(db, '--clock', '2026-07-01T10:00:00Z');
  const { key } = await createTestKey(db, '--surface', 'mcp');
  const call = await session(['--remote', base, '--clock', '2026-07-01T10:00:00Z'], {
    ACEQUIA_API_KEY: key,
  });
  const { changeId } = (await call('log_watering', WATERING)).body;
  expect(changeId).toBeGreaterThan(0);
  expect((await call('undo')).body.undone.id).toBe(changeId);
  expect(await count(call)).toBe(0);
});

it('a company that was set up by mistake is removed again, until something rests on it', async () => {
  const { db, remove } = await newEmptyStore();
  afterTest(remove);
  const call = await session(serverArguments(db, {}));
  const company = { name: 'Mas Rouge', timezone: 'Europe/Paris', ownerEmail: 'ana@example.org' };
  await call('set_company', company);
  expect((await call('undo')).body.summary).toMatch(/^Undone: 1 company removed, 1 member removed/);
  expect((await call('get_company')).refusal).toMatchObject({ code: 'not_found' });

  const { changeId } = (await call('set_company', { ...company, name: 'Mas Bleu' })).body;
  await call('set_parcel', { name: 'North block' });
  expect((await call('undo', { changeId })).refusal.message).toMatch(
    /parcel \d+ North block depends on it, in change \d+ \(set_parcel\)/,
  );
  expect((await call('get_company')).body.name).toBe('Mas Bleu');
});

it('of two processes that take back the same change, one does', async () => {
  const db = await newBaseFarm();
  const { changeId } = (await (await session(serverArguments(db, {})))('log_watering', WATERING)).body;
  const undo = () => runCommand(['call', 'undo', `changeId=${changeId}`, '--db', db]);
  const results = await Promise.all([undo(), undo()]);
  expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
  const { stdout } = await runProgram('changes', '--db', db);
  expect(stdout.match(/ undo of /g)).toHaveLength(1);
  expect(stdout).toContain('log_watering, undone by #');
});

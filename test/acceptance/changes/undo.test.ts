import { beforeAll, expect, it } from 'vitest';
import { baseFarmForFile, newBaseFarm, WATERING } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import {
  bodyOf,
  connectStdio,
  firstText,
  refusalOf,
  remoteToolsForTest,
  toolsForTest,
} from '../mcp-session.ts';
import { CLOCK, type Json } from '../program.ts';
import { createTestKey, type RestService, serveStoreForFile } from '../rest-service.ts';
import { storeForFile } from '../test-surfaces.ts';

let service: RestService;
beforeAll(async () => {
  service = await serveStoreForFile(await baseFarmForFile(), '--clock', CLOCK);
});

it('a conversation undoes its last write in one call', async () => {
  const call = await toolsForTest(await newBaseFarm());
  const count = async () => bodyOf(await call('list_waterings')).data.length;
  const log = () => call('log_watering', { ...WATERING, idempotencyKey: 'one' });
  const logged = await log();
  const { changeId } = bodyOf(logged);
  expect(JSON.stringify(logged.content)).toContain(`\\"changeId\\":${changeId}`);
  expect(bodyOf(await log()).changeId).toBe(changeId);

  const undone = bodyOf(await call('undo', { idempotencyKey: 'two' }));
  expect(undone.summary).toMatch(
    /^Undone: 1 watering removed \(North 1, today 06:00\)[.] It was entered today 12:00/,
  );
  expect(await count()).toBe(0);
  expect(firstText(await log())).toContain('This was undone since: nothing of it is stored.');
  // Not the change before it.
  const { summary: _, next: __, ...again } = bodyOf(await call('undo', { idempotencyKey: 'two' }));
  const { summary: ___, next: ____, ...firstAnswer } = undone;
  expect(again).toEqual({ ...firstAnswer, replayed: true });

  expect(refusalOf(await call('undo', { changeId }))).toMatchObject({
    code: 'CHANGE_NOT_UNDOABLE',
    status: 409,
  });
  await call('undo', { changeId: undone.changeId });
  expect(await count()).toBe(1);
  expect(bodyOf(await call('list_changes')).summary).toMatch(
    /^The newest changes: today 12:00 by .*: 1 watering added \(North 1, today 06:00\), by an undo;/,
  );
});

it('a service names the change in a header, and undoes it by its id or as the latest one', async () => {
  const { request, newKey } = service;
  const key = await newKey();
  const body = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 45 };
  const log = () => request('POST', '/modules/2/irrigation/events', { key, body });
  const first = await log();
  const second = await log();
  const id = first.headers.get('acequia-change-id');
  expect(Number(second.headers.get('acequia-change-id'))).toBeGreaterThan(Number(id));
  expect(first.body).not.toHaveProperty('changeId');

  expect(await request('POST', '/changes/latest/undo', { key })).toMatchObject({
    status: 200,
    body: { undone: { operation: 'log_watering', surface: 'api' } },
  });
  const reader = await newKey('--scopes', 'readings:read,company:read');
  expect((await request('POST', `/changes/${id}/undo`, { key: reader })).status).toBe(403);
  expect((await request('POST', `/changes/${id}/undo`, { key })).status).toBe(200);
  const { data } = (await request('GET', '/changes?moduleId=2', { key: reader })).body;
  expect(data.map((each: Json) => each.operation)).toEqual([
    'undo',
    'undo',
    'log_watering',
    'log_watering',
  ]);
  expect((await request('GET', '/irrigation/events?moduleId=2', { key })).body.data).toEqual([]);
});

it('a session with a remote service undoes its last write', async () => {
  const { key } = await createTestKey(service.db, '--surface', 'mcp');
  const call = await remoteToolsForTest(service.base, { key });
  const onSouth = { ...WATERING, module: 'South 1' };
  const { changeId } = bodyOf(await call('log_watering', onSouth));
  expect(changeId).toBeGreaterThan(0);
  expect(bodyOf(await call('undo')).undone.id).toBe(changeId);
  expect(bodyOf(await call('list_waterings', { module: 'South 1' })).data).toEqual([]);
});

it('a company that was set up by mistake is removed again, until something rests on it', async () => {
  const db = await storeForFile();
  const call = (name: string, ...words: string[]) =>
    runInProcess(['call', name, ...words, '--json', '--db', db]);
  const setUp = (name: string) =>
    call('set_company', `name=${name}`, 'timezone=Europe/Paris', 'ownerEmail=ana@example.org');
  await setUp('Mas Rouge');
  expect(JSON.parse((await call('undo')).stdout).summary).toMatch(
    /^Undone: 1 company removed, 1 member removed/,
  );
  expect(await call('get_company')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no farm'),
  });

  const { changeId } = JSON.parse((await setUp('Mas Bleu')).stdout);
  await call('set_parcel', 'name=North block');
  expect((await call('undo', `changeId=${changeId}`)).stderr).toMatch(
    /parcel \(#\d+\) North block depends on it, in a later change \(#\d+, set_parcel\)/,
  );
  expect(JSON.parse((await call('get_company')).stdout).name).toBe('Mas Bleu');
});

itInDeepRuns('of two processes that undo the same change, one does', async () => {
  const { db, request, newKey } = service;
  const key = await newKey();
  const { call } = await connectStdio(db);
  const { changeId } = bodyOf(await call('log_watering', WATERING));
  const [tool, { status }] = await Promise.all([
    call('undo', { changeId }),
    request('POST', `/changes/${changeId}/undo`, { key }),
  ]);
  expect([tool.isError === true, status]).toEqual(status === 200 ? [true, 200] : [false, 409]);
  const { stdout } = await runInProcess(['changes', '--db', db]);
  expect(stdout.match(new RegExp(` undo of #${changeId}\\b`, 'g'))).toHaveLength(1);
  expect(stdout).toMatch(new RegExp(`#${changeId}\\b.*log_watering, undone by #`));
});

import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { isOnPostgres, rowsOf } from '../../../stores/stores.ts';
import { CLOCK } from '../../program.ts';
import { createTestKey, type RestService, serveStoreForTest } from '../../rest-service.ts';
import { LONG_SCHEDULE, sharedLongFarm } from '../long-calls.ts';
import { mcpUrl, postMcp, sseMessages, toolCallRequest } from './mcp-http-client.ts';

const LONG_TIMEOUT_MS = 120_000;
const farm = sharedLongFarm();

async function longService(): Promise<{ served: RestService; url: URL; headers: Record<string, string> }> {
  const served = await serveStoreForTest(farm.db, '--clock', CLOCK, '--log-level', 'info');
  const { key } = await createTestKey(farm.db);
  return { served, url: mcpUrl(served.base), headers: { 'x-api-key': key, 'content-type': 'application/json' } };
}

const PROGRESS_META = { _meta: { progressToken: 'mine' } };

/** How many rows the tables hold that the calls write to. */
const writtenRows = (db: string): Promise<unknown[]> =>
  rowsOf(
    db,
    `select (select count(*) from waterings) as waterings, (select count(*) from schedules) as schedules,
       (select count(*) from idempotency) as calls`,
  );

/** Whether a process holds the lock under which a store is written. */
async function isWriting(db: string): Promise<boolean> {
  if (isOnPostgres) {
    const query = `select 1 from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and granted`;
    return (await rowsOf(db, query)).length > 0;
  }
  const file = new DatabaseSync(db);
  try {
    file.exec('pragma busy_timeout = 0; begin immediate; rollback');
    return false;
  } catch {
    return true;
  } finally {
    file.close();
  }
}

describe('a call that lasts', () => {
  it('tells by events how far it has come, and at last its answer', { timeout: LONG_TIMEOUT_MS }, async () => {
    const { url, headers } = await longService();
    const schedule = { ...LONG_SCHEDULE, startTimes: LONG_SCHEDULE.startTimes.slice(0, 5) };
    const answer = await postMcp(url, { headers, body: toolCallRequest('create_schedule', schedule, PROGRESS_META) });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
    expect(answer.headers['cache-control']).toBe('no-store');
    const messages = sseMessages(answer.text);
    const last = messages.pop();
    expect(last).toMatchObject({ id: 1, result: { structuredContent: { freq: 'daily' } } });
    expect(messages.length).toBeGreaterThan(0);
    const progress = messages.map(({ method, params }) => {
      expect([method, params.progressToken]).toEqual(['notifications/progress', 'mine']);
      return params.progress;
    });
    expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
    const { id: scheduleId } = last.result.structuredContent;
    await postMcp(url, { headers, body: toolCallRequest('update_schedule', { scheduleId, isActive: false }) });
  });

  it('is answered with JSON alone where nothing is to be told, or no events are read', {
    timeout: LONG_TIMEOUT_MS,
  }, async () => {
    const { url, headers } = await longService();
    const brief = toolCallRequest('morning_brief', {});
    const json = { 'content-type': 'application/json' };
    expect((await postMcp(url, { headers, body: brief })).headers).toMatchObject(json);
    const deaf = {
      headers: { ...headers, accept: 'application/json' },
      body: toolCallRequest('morning_brief', {}, PROGRESS_META),
    };
    expect((await postMcp(url, deaf)).headers).toMatchObject(json);
    const quick = { headers, body: toolCallRequest('get_company', {}, PROGRESS_META) };
    expect((await postMcp(url, quick)).headers).toMatchObject(json);
  });

  it.each([
    ['before a word was told', 'application/json'],
    ['while it tells of its progress', 'application/json, text/event-stream'],
  ])(
    'ends %s when its client goes away, with nothing written, and the next write goes ahead',
    {
      timeout: LONG_TIMEOUT_MS,
    },
    async (_, accept) => {
      const { served, url, headers } = await longService();
      const before = await writtenRows(farm.db);
      const sent = httpRequest(url, { method: 'POST', headers: { ...headers, accept }, agent: false });
      const heard = new Promise<string>((resolve) => {
        sent.on('error', () => undefined);
        sent.on('response', (incoming) => {
          incoming.on('error', () => undefined).once('data', (part: Buffer) => resolve(String(part)));
        });
      });
      sent.end(
        JSON.stringify(toolCallRequest('create_schedule', { ...LONG_SCHEDULE, idempotencyKey: 'left' }, PROGRESS_META)),
      );
      if (accept.includes('event-stream')) expect(await heard).toContain('notifications/progress');
      else await pause(500);
      sent.destroy();
      // What is written takes turns: it could not be answered while the other went on.
      const placement = toolCallRequest('set_module_placement', { module: 'Probe 1', emitterDistanceCm: 10 });
      expect((await postMcp(url, { headers, body: placement })).body.result.isError).toBeUndefined();
      expect(await writtenRows(farm.db)).toEqual(before);
      await expect.poll(served.log).toContain(accept.includes('event-stream') ? '"path":"/mcp"' : '"status":499');
      expect(served.log()).not.toContain('unexpected failure');
    },
  );
});

describe('SIGTERM', () => {
  it('lets a call over MCP that lasts have its answer, and ends', { timeout: LONG_TIMEOUT_MS }, async () => {
    const { served, url, headers } = await longService();
    // Shorter than the ten seconds after which what is left is cut.
    const schedule = { ...LONG_SCHEDULE, startTimes: ['05:00'] };
    const answer = postMcp(url, { headers, body: toolCallRequest('create_schedule', schedule) });
    await expect.poll(() => isWriting(farm.db)).toBe(true);
    served.child.kill('SIGTERM');
    expect((await answer).body.result.structuredContent).toMatchObject({ freq: 'daily', startTimes: ['05:00'] });
    expect(await served.ended).toEqual({ code: 0, signal: null });
  });
});

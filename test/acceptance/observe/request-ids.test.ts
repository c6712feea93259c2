import { beforeAll, describe, expect, it } from 'vitest';
import { baseFarmForFile, newBaseFarm } from '../../base-farm.ts';
import { afterFile } from '../../cleanup.ts';
import { startMailServer } from '../../mail-server.ts';
import { executeStatements } from '../../stores/stores.ts';
import { storeWithWaitingMail } from '../mail/outbox-store.ts';
import {
  bodyOf,
  connectServer,
  type McpSession,
  refusalOf,
  startStdioServer,
} from '../mcp-session.ts';
import { type Json, runCommand } from '../program.ts';
import { startServing } from '../rest-service.ts';
import { logEntries, type ObservedService, observedServiceForFile } from './observed-service.ts';

const EVENTS = '/modules/1/irrigation/events';
const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30 };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const linesFor = (stderr: string, requestId: string): Json[] =>
  logEntries(stderr).filter((line) => line.requestId === requestId);

let service: ObservedService;
beforeAll(async () => {
  service = await observedServiceForFile({}, '--log-level', 'trace');
});

describe('a request over HTTP', () => {
  it('keeps its id in the answer and in every log entry, queries included', async () => {
    const { post, stderr } = service;
    const answer = await post(EVENTS, WATERING, { 'x-request-id': 'field-7:42' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-request-id')).toBe('field-7:42');
    await expect
      .poll(() => linesFor(stderr(), 'field-7:42').map(({ msg }) => msg))
      .toContain('answered');
    const lines = linesFor(stderr(), 'field-7:42');
    expect(lines.at(-1)).toMatchObject({
      msg: 'answered',
      surface: 'rest',
      operation: 'log_watering',
      method: 'POST',
      path: `/v1${EVENTS}`,
      status: 201,
      ms: expect.any(Number),
      waitedMs: expect.any(Number),
    });
    // The key is read, then the watering is written.
    expect(lines.filter(({ msg }) => msg === 'transaction').map(({ side }) => side)).toEqual([
      'read',
      'write',
    ]);
    const queries = lines.filter(({ msg }) => msg === 'query').map(({ sql }) => sql);
    expect(queries.some((sql) => /^insert into "waterings"/.test(sql))).toBe(true);
    expect(queries.join()).not.toContain('2026-07-01');
  });

  it('without an id has that of its trace, also when it is refused', async () => {
    const { get, stderr } = service;
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
    const answer = await get('/modules/99', { traceparent });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('x-request-id')).toBe(TRACE);
    await expect
      .poll(() => linesFor(stderr(), TRACE).at(-1))
      .toMatchObject({ msg: 'answered', status: 404, code: 'not_found' });
  });

  it('is logged with its id and the reference of the answer when it fails', async () => {
    const { get, db, stderr } = service;
    await executeStatements(db, 'alter table annotations rename to gone');
    const answer = await get('/modules/1/annotations', { 'x-request-id': 'broken-1' });
    const { code, detail } = answer.body;
    expect([answer.status, code]).toEqual([500, 'INTERNAL']);
    const reference = /reference (\w+)/.exec(detail)![1];
    await expect
      .poll(() => linesFor(stderr(), 'broken-1'))
      .toContainEqual(expect.objectContaining({ reference, msg: 'unexpected failure' }));
  });
});

describe('a call on standard input', () => {
  let server: McpSession;
  beforeAll(async () => {
    server = await connectServer(['--db', await baseFarmForFile(), '--log-level', 'info']);
    afterFile(() => server.client.close());
  });

  it('has one log entry with its id, operation and error code', async () => {
    await server.call('list_parcels');
    expect(refusalOf(await server.call('get_module', { module: 'Nowhere' })).code).toBe(
      'not_found',
    );
    await server.client.readResource({ uri: 'acequia://company' });
    const answered = () =>
      logEntries(server.stderr()).filter(
        ({ msg, operation }) => msg === 'answered' && operation !== 'get_company',
      );
    await expect.poll(answered).toHaveLength(3);
    expect(answered()).toMatchObject([
      { surface: 'stdio', operation: 'list_parcels' },
      { surface: 'stdio', operation: 'get_module', code: 'not_found' },
      { surface: 'stdio', operation: 'resources/read' },
    ]);
    const ids = answered().map(({ requestId }) => requestId);
    expect(ids.every((id) => UUID.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(3);
  });

  it('has the id of the trace that the client sends', async () => {
    const _meta = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    await server.client.callTool({ name: 'get_company', arguments: {}, _meta });
    await expect
      .poll(() => linesFor(server.stderr(), TRACE))
      .toMatchObject([{ operation: 'get_company' }]);
  });

  it('keeps its id at a remote service', async () => {
    const remote = await startStdioServer(['--remote', service.base, '--log-level', 'debug'], {
      ACEQUIA_API_KEY: service.key,
    });
    bodyOf(await remote.call('log_watering', { module: 'North 1', ...WATERING }));
    const localEntry = () => logEntries(remote.stderr()).find(({ msg }) => msg === 'answered');
    await expect.poll(localEntry).toMatchObject({ surface: 'stdio', operation: 'log_watering' });
    const { requestId } = localEntry();
    const requests = linesFor(remote.stderr(), requestId).filter(
      ({ msg }) => msg === 'service request',
    );
    expect(requests.at(-1)).toMatchObject({ method: 'POST', status: 201, surface: 'stdio' });
    const answers = () =>
      linesFor(service.stderr(), requestId).filter(({ msg }) => msg === 'answered');
    await expect.poll(() => answers().map(({ operation }) => operation)).toContain('log_watering');
    const remoteLines = answers();
    expect(remoteLines.at(-1)).toMatchObject({
      surface: 'rest',
      operation: 'log_watering',
      status: 201,
    });
    expect(remoteLines).toHaveLength(requests.length);
  });
});

describe('a background job', () => {
  it('has an id: housekeeping, push messages and mail', async () => {
    const db = await storeWithWaitingMail(2);
    const server = await startMailServer();
    const env = { ACEQUIA_SMTP_URL: server.url };
    const { code, stderr } = await runCommand(['tick', '--db', db, '--log-level', 'debug'], {
      env,
    });
    expect(code).toBe(0);
    const lines = logEntries(stderr);
    expect(lines.filter(({ msg }) => msg === 'done')).toMatchObject([
      { surface: 'tick', operation: 'housekeeping' },
      { surface: 'mail', operation: 'send_push', sent: 0, refused: 0 },
      { surface: 'mail', operation: 'send_mail', sent: 2, refused: 0 },
      { surface: 'tick', operation: 'back_up', copied: 1, deleted: 0, drilled: 0 },
    ]);
    const { requestId } = lines.find(({ operation }) => operation === 'send_mail');
    expect(
      linesFor(stderr, requestId).filter(({ msg }) => msg === 'delivery attempt'),
    ).toMatchObject([{ outcome: 'sent' }, { outcome: 'sent' }]);
  });

  it('is not logged at level info if it did nothing', async () => {
    const options = ['--metrics-port', '0', '--log-level', 'info'];
    const { metrics, stderr } = await startServing(await newBaseFarm(), options);
    const rounds = async () =>
      (await (await fetch(metrics!)).text()).includes('calls_total{surface="tick"');
    await expect.poll(rounds).toBe(true);
    expect(logEntries(stderr()).map(({ msg }) => msg)).toEqual(['serving REST and MCP']);
  });
});

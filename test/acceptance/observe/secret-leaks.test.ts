import { expect, it } from 'vitest';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import { startMailServer } from '../../mail-server.ts';
import { executeStatements } from '../../stores/stores.ts';
import { copyOfStore, newStorePlace } from '../../temporary-places.ts';
import { bodyOf, startStdioServer } from '../mcp-session.ts';
import { CLOCK, runCommand, runProgram, startCommand } from '../program.ts';
import { openRawConnection } from '../rest/raw-requests.ts';
import { createTestKey, startServing } from '../rest-service.ts';
import { logEntries, startTraceCollector } from './observed-service.ts';

/** In every field that a person fills in and in every secret, and nowhere else. */
const CANARY = /canary/i;

const FARM = {
  company: { name: 'Canary Estates', countryCode: 'FR', timezone: 'Europe/Paris' },
  users: [{ email: 'canary@example.org', name: 'Ana Canary', role: 'OWNER' }],
  parcels: [{ name: 'Canary block', type: 'canary', installation: { system: 'sprinkler', flowMmPerH: 6 } }],
  modules: [
    {
      uid: 'CANARY1',
      name: 'Canary 1',
      category: 'SOIL_PROBE',
      parcel: 'Canary block',
      commissionedAt: '2025-01-11T09:00:00Z',
      sensors: [{ type: 'humidity', depth: 10, label: 'Canary depth' }],
    },
  ],
};

const WATERING = { startedAt: '2026-07-01T06:00', inputMode: 'duration', durationMin: 30, note: 'the canary sang' };
const NOTE = {
  chartType: 'humidity',
  type: 'text',
  p1: [Date.UTC(2026, 5, 30), 20],
  text: 'a canary here',
};

async function canaryFarm(): Promise<string> {
  const db = await newStorePlace();
  await importFarmFile(db, FARM);
  const readings = (at: string, value: number) =>
    importReadingsCsv(db, `module,type,depth,time,value\nCanary 1,humidity,10,${at},${value}\n`, { clock: CLOCK });
  await readings('2026-07-01T08:00:00Z', 30);
  await runProgram('call', 'create_alert', 'module=Canary 1', 'threshold=20', '--db', db, '--clock', CLOCK);
  await readings('2026-07-01T09:30:00Z', 12);
  // A test may change the tables of a copy.
  return copyOfStore(db);
}

it('no secret and nothing that a person wrote is in a log, metric or trace, at any log level', {
  timeout: 180_000,
}, async () => {
  const db = await canaryFarm();
  const { key } = await createTestKey(db);
  const { url, receivedText, spans } = await startTraceCollector();
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '50' };
  const log: string[] = [];

  const login = { user: 'canary', password: 'canary-password' };
  let isRefusing = true;
  const mail = await startMailServer({
    login,
    reaction: () => (isRefusing ? { at: 'RCPT', code: 450, text: 'the canary is out' } : 'accept'),
  });
  const smtp = mail.url.replace('//', `//${login.user}:${login.password}@`);
  const mailed = {
    ...traced,
    ACEQUIA_SMTP_URL: `${smtp}?startTls=never`,
    ACEQUIA_MAIL_FROM: 'Canary <canary@example.org>',
  };
  const tick = ['tick', '--db', db, '--clock', CLOCK, '--log-level', 'trace'];
  log.push((await runCommand(tick, { env: mailed })).stderr);
  // Searching an empty log would find nothing.
  expect(log[0]).toContain('tried a message');
  isRefusing = false;
  await executeStatements(db, 'update outbox set next_try_at = 0');

  const options = ['--metrics-port', '0', '--clock', CLOCK, '--log-level', 'trace'];
  const service = await startServing(db, options, { env: mailed });
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.request(method, path, { key, body, headers });
  const events = '/modules/1/irrigation/events';
  const keyed = { 'idempotency-key': 'canary key', 'x-request-id': 'the canary sings', 'user-agent': 'canary/1' };
  expect((await ask('POST', events, WATERING, keyed)).status).toBe(201);
  expect((await ask('POST', events, { ...WATERING, note: 'another canary' }, keyed)).status).toBe(422);
  expect((await ask('POST', '/modules/1/annotations', NOTE)).status).toBe(201);
  expect(JSON.stringify((await ask('GET', '/modules?search=canary')).body)).toMatch(CANARY);
  expect((await ask('GET', '/modules/canary')).status).toBe(400);
  expect((await ask('GET', '/modules/%63anary%20one')).status).toBe(400);
  expect((await ask('GET', '/canary/path?canary=1')).status).toBe(404);
  expect((await ask('DELETE', '/company?canary')).status).toBe(405);
  expect((await ask('POST', events, '{"note": "canary" "canary"')).status).toBe(400);
  expect((await ask('POST', events, { ...WATERING, canary: 'canary' })).status).toBe(400);
  expect((await ask('POST', events, { ...WATERING, startedAt: 'canary' })).status).toBe(400);
  expect((await ask('GET', '/company', undefined, { 'x-api-key': 'acequia_canary' })).status).toBe(401);
  expect((await ask('GET', '/company', undefined, { traceparent: 'canary', tracestate: 'canary=1' })).status).toBe(200);
  const secret = key.slice('acequia_'.length);
  const links = [await ask('POST', '/company/sign-in-links', { email: 'canary@example.org' }, keyed)].map(
    ({ body }) => body.url as string,
  );
  const misplaced = [
    `/company?api_key=${key}`,
    `/company?${key}`,
    `/modules/${key}`,
    `/modules?limit=${key}`,
    `/${key}`,
  ];
  const refused = await Promise.all(misplaced.map((path) => ask('GET', path)));
  refused.push(await ask('POST', events, { ...WATERING, [key]: 1 }), await ask('POST', events, { startedAt: key }));
  expect(refused.every(({ status }) => status >= 400)).toBe(true);
  expect(JSON.stringify(refused)).not.toContain(secret);
  const raw = await openRawConnection(service.port);
  raw.socket.write('CANARY /canary HTTP/9\r\ncanary: canary\r\n\r\n');
  await raw.closed;
  await expect.poll(() => mail.received.filter(({ isAccepted }) => isAccepted).length).toBe(1);
  expect(JSON.stringify(mail.received)).toMatch(CANARY);

  for (const args of [
    ['--db', db],
    ['--remote', service.base],
  ]) {
    const server = await startStdioServer([...args, '--log-level', 'trace'], { ...traced, ACEQUIA_API_KEY: key });
    const module = 'Canary 1';
    await server.call('log_watering', { module, ...WATERING, idempotencyKey: `canary ${args[0]}` });
    links.push(bodyOf(await server.call('create_sign_in_link', { idempotencyKey: 'canary link' })).url);
    await server.call('create_sign_in_link', { email: 'canary@nowhere.example' });
    await server.call('get_module', { module: 'canary nowhere' });
    await server.call('get_module', { canary: 'canary' });
    await server.call('list_waterings', { cursor: 'canary' });
    await server.call('create_annotation', { module, chartType: 'canary' });
    await server.client.callTool({ name: 'canary_tool', arguments: {} }).catch(() => undefined);
    const calls = [
      server.call('get_module', { module: key }),
      server.call(key),
      server.call('get_module', { [key]: 1 }),
    ];
    expect(JSON.stringify(await Promise.all(calls.map((call) => call.catch(String))))).not.toContain(secret);
    await server.client.readResource({ uri: 'acequia://modules/Canary%201' }).catch(() => undefined);
    await server.client.readResource({ uri: 'acequia://canary' }).catch(() => undefined);
    const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' } as const;
    const { completion } = await server.client.complete({ ref, argument: { name: 'module', value: 'can' } });
    expect(completion.values).toEqual([module]);
    await server.client.close();
    log.push(server.stderr());
  }
  const mcp = startCommand(['mcp', '--db', db, '--log-level', 'trace'], { env: traced });
  mcp.child.stdin.write('{"jsonrpc": "2.0", "canary": "a "canary" sings"}\n');
  mcp.child.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": 7, "canary": "canary"}\n');
  await expect.poll(mcp.stderr).toContain('a message could not be parsed');
  mcp.child.stdin.end();
  const { stderr } = await mcp.ended;
  log.push(stderr);

  await executeStatements(db, 'alter table waterings rename to gone');
  expect((await ask('POST', events, { ...WATERING, note: 'the last canary' })).body.code).toBe('INTERNAL');

  const page = await (await fetch(service.metrics!)).text();
  expect((await service.stop()).code).toBe(0);
  log.push(service.stderr());

  const logText = log.join('');
  // The searched output contains what it should, so that the search is meaningful.
  for (const text of ['log_watering', 'send_mail', 'housekeeping', 'unexpected failure', 'asked the service'])
    expect(logText).toContain(text);
  expect(logText.match(/"msg":"query"/g)!.length).toBeGreaterThan(100);
  expect(page).toContain('operation="log_watering"');
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['log_watering', 'send_mail', 'store write']));
  expect(logEntries(logText).length).toBeGreaterThan(100);
  for (const out of [logText, page, receivedText()]) {
    expect(excerptAround(out, CANARY)).toBe('');
    for (const each of [secret, ...links.map(secretOfLink)]) expect(out).not.toContain(each);
  }
});

const secretOfLink = (url: string): string => /#acequia_link_([\w-]{43})$/.exec(url)![1]!;

function excerptAround(text: string, pattern: RegExp): string {
  const index = text.search(pattern);
  return index < 0 ? '' : text.slice(Math.max(0, index - 300), index + 100);
}

import { expect, it } from 'vitest';
import { importFarmFile, importReadingsCsv } from '../../imported-data.ts';
import { startMailServer } from '../../mail-server.ts';
import { executeStatements } from '../../stores/stores.ts';
import { copyOfStore, newStorePlace } from '../../temporary-places.ts';
import { bodyOf, startStdioServer } from '../mcp-session.ts';
import { CLOCK, runCommand, runProgram, startCommand } from '../program.ts';
import { openRawConnection } from '../rest/raw-requests.ts';
import { createTestKey, type RestService, startServing } from '../rest-service.ts';
import {
  exporterEnv,
  logEntries,
  startTraceCollector,
  type TraceCollector,
} from './observed-service.ts';

/** Stands in every field that a person fills in and in every secret, and nowhere else. */
const CANARY = /canary/i;

const FARM = {
  company: { name: 'Canary Estates', countryCode: 'FR', timezone: 'Europe/Paris' },
  users: [{ email: 'canary@example.org', name: 'Ana Canary', role: 'OWNER' }],
  parcels: [
    { name: 'Canary block', type: 'canary', installation: { system: 'sprinkler', flowMmPerH: 6 } },
  ],
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

const EVENTS = '/modules/1/irrigation/events';
const WATERING = {
  startedAt: '2026-07-01T06:00',
  inputMode: 'duration',
  durationMin: 30,
  note: 'the canary sang',
};
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
    importReadingsCsv(db, `module,type,depth,time,value\nCanary 1,humidity,10,${at},${value}\n`, {
      clock: CLOCK,
    });
  await readings('2026-07-01T08:00:00Z', 30);
  await runProgram(
    'call',
    'create_alert',
    'module=Canary 1',
    'threshold=20',
    '--db',
    db,
    '--clock',
    CLOCK,
  );
  await readings('2026-07-01T09:30:00Z', 12);
  // A test may change the tables of a copy.
  return copyOfStore(db);
}

it('no secret and no text of a person is in a log, metric or trace, at any log level', async () => {
  const db = await canaryFarm();
  const { key } = await createTestKey(db);
  const traces = await startTraceCollector();
  const tracingEnv = exporterEnv(traces);
  const { mail, mailEnv, acceptMail } = await startCanaryMail();
  const tick = await runCommand(['tick', '--db', db, '--clock', CLOCK, '--log-level', 'trace'], {
    env: { ...tracingEnv, ...mailEnv },
  });
  // Searching an empty log would find nothing.
  expect(tick.stderr).toContain('delivery attempt');
  acceptMail();
  await executeStatements(db, 'update outbox set next_attempt_at = 0');

  const options = ['--metrics-port', '0', '--clock', CLOCK, '--log-level', 'trace'];
  const service = await startServing(db, options, { env: { ...tracingEnv, ...mailEnv } });
  const links = [await exerciseRest(service, key)];
  await expect.poll(() => mail.received.filter(({ isAccepted }) => isAccepted).length).toBe(1);
  expect(JSON.stringify(mail.received)).toMatch(CANARY);

  const logs = [tick.stderr];
  for (const target of [
    ['--db', db],
    ['--remote', service.base],
  ]) {
    const { link, log } = await exerciseMcp(target, key, tracingEnv);
    links.push(link);
    logs.push(log);
  }
  logs.push(await sendUnparsableMessages(db, tracingEnv));

  await executeStatements(db, 'alter table waterings rename to gone');
  const failed = await service.request('POST', EVENTS, {
    key,
    body: { ...WATERING, note: 'the last canary' },
  });
  expect(failed.body.code).toBe('INTERNAL');
  const metrics = await (await fetch(service.metrics!)).text();
  expect((await service.stop()).code).toBe(0);
  logs.push(service.stderr());

  expectSearchable(logs.join(''), metrics, traces.spans);
  const secrets = [secretOfKey(key), ...links.map(secretOfLink)];
  for (const output of [logs.join(''), metrics, traces.receivedText()])
    expectNoLeak(output, secrets);
});

/** Refuses mail until `acceptMail` is called. */
async function startCanaryMail() {
  const login = { user: 'canary', password: 'canary-password' };
  let isRefusing = true;
  const mail = await startMailServer({
    login,
    reaction: () => (isRefusing ? { at: 'RCPT', code: 450, text: 'the canary is out' } : 'accept'),
  });
  const url = mail.url.replace('//', `//${login.user}:${login.password}@`);
  const mailEnv = {
    ACEQUIA_SMTP_URL: `${url}?startTls=never`,
    ACEQUIA_MAIL_FROM: 'Canary <canary@example.org>',
  };
  const acceptMail = (): void => {
    isRefusing = false;
  };
  return { mail, mailEnv, acceptMail };
}

/** Sends canaries and the key in every part of a request. Returns a sign-in link. */
async function exerciseRest(service: RestService, key: string): Promise<string> {
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => service.request(method, path, { key, body, headers });
  const headers = {
    'idempotency-key': 'canary key',
    'x-request-id': 'the canary sings',
    'user-agent': 'canary/1',
  };
  expect((await send('POST', EVENTS, WATERING, headers)).status).toBe(201);
  expect(
    (await send('POST', EVENTS, { ...WATERING, note: 'another canary' }, headers)).status,
  ).toBe(422);
  expect((await send('POST', '/modules/1/annotations', NOTE)).status).toBe(201);
  expect(JSON.stringify((await send('GET', '/modules?search=canary')).body)).toMatch(CANARY);
  expect((await send('GET', '/modules/canary')).status).toBe(400);
  expect((await send('GET', '/modules/%63anary%20one')).status).toBe(400);
  expect((await send('GET', '/canary/path?canary=1')).status).toBe(404);
  expect((await send('DELETE', '/company?canary')).status).toBe(405);
  expect((await send('POST', EVENTS, '{"note": "canary" "canary"')).status).toBe(400);
  expect((await send('POST', EVENTS, { ...WATERING, canary: 'canary' })).status).toBe(400);
  expect((await send('POST', EVENTS, { ...WATERING, startedAt: 'canary' })).status).toBe(400);
  expect((await send('GET', '/company', undefined, { 'x-api-key': 'acequia_canary' })).status).toBe(
    401,
  );
  const traceHeaders = { traceparent: 'canary', tracestate: 'canary=1' };
  expect((await send('GET', '/company', undefined, traceHeaders)).status).toBe(200);
  const link = await send(
    'POST',
    '/company/sign-in-links',
    { email: 'canary@example.org' },
    headers,
  );
  const pathsWithKey = [
    `/company?api_key=${key}`,
    `/company?${key}`,
    `/modules/${key}`,
    `/modules?limit=${key}`,
    `/${key}`,
  ];
  const refused = await Promise.all(pathsWithKey.map((path) => send('GET', path)));
  refused.push(
    await send('POST', EVENTS, { ...WATERING, [key]: 1 }),
    await send('POST', EVENTS, { startedAt: key }),
  );
  expect(refused.every(({ status }) => status >= 400)).toBe(true);
  expect(JSON.stringify(refused)).not.toContain(secretOfKey(key));
  const raw = await openRawConnection(service.port);
  raw.socket.write('CANARY /canary HTTP/9\r\ncanary: canary\r\n\r\n');
  await raw.closed;
  return link.body.url;
}

/** Sends canaries and the key in every part of a call. Returns a sign-in link and the log. */
async function exerciseMcp(target: readonly string[], key: string, env: Record<string, string>) {
  const server = await startStdioServer([...target, '--log-level', 'trace'], {
    ...env,
    ACEQUIA_API_KEY: key,
  });
  const module = 'Canary 1';
  await server.call('log_watering', { module, ...WATERING, idempotencyKey: `canary ${target[0]}` });
  const link = bodyOf(await server.call('create_sign_in_link', { idempotencyKey: 'canary link' }))
    .url as string;
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
  const answers = await Promise.all(calls.map((call) => call.catch(String)));
  expect(JSON.stringify(answers)).not.toContain(secretOfKey(key));
  await server.client.readResource({ uri: 'acequia://modules/Canary%201' }).catch(() => undefined);
  await server.client.readResource({ uri: 'acequia://canary' }).catch(() => undefined);
  const ref = { type: 'ref/resource', uri: 'acequia://modules/{module}' } as const;
  const { completion } = await server.client.complete({
    ref,
    argument: { name: 'module', value: 'can' },
  });
  expect(completion.values).toEqual([module]);
  await server.client.close();
  return { link, log: server.stderr() };
}

async function sendUnparsableMessages(db: string, env: Record<string, string>): Promise<string> {
  const server = startCommand(['mcp', '--db', db, '--log-level', 'trace'], { env });
  server.child.stdin.write('{"jsonrpc": "2.0", "canary": "a "canary" sings"}\n');
  server.child.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": 7, "canary": "canary"}\n');
  await expect.poll(server.stderr).toContain('a message could not be parsed');
  server.child.stdin.end();
  return (await server.ended).stderr;
}

/** The outputs contain what they should, so that a search of them is meaningful. */
function expectSearchable(log: string, metrics: string, spans: TraceCollector['spans']): void {
  for (const text of [
    'log_watering',
    'send_mail',
    'housekeeping',
    'unexpected failure',
    'service request',
  ])
    expect(log).toContain(text);
  expect(log.match(/"msg":"query"/g)!.length).toBeGreaterThan(100);
  expect(logEntries(log).length).toBeGreaterThan(100);
  expect(metrics).toContain('operation="log_watering"');
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['log_watering', 'send_mail', 'store write']),
  );
}

function expectNoLeak(output: string, secrets: readonly string[]): void {
  expect(excerptAround(output, CANARY)).toBe('');
  for (const secret of secrets) expect(output).not.toContain(secret);
}

const secretOfKey = (key: string): string => key.slice('acequia_'.length);
const secretOfLink = (url: string): string => /#acequia_link_([\w-]{43})$/.exec(url)![1]!;

function excerptAround(text: string, pattern: RegExp): string {
  const index = text.search(pattern);
  return index < 0 ? '' : text.slice(Math.max(0, index - 300), index + 100);
}

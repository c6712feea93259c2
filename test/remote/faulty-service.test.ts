import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { toolError } from '../../src/mcp/tool-result.ts';
import { REMOTE_LIMITS } from '../../src/remote/service/remote-limits.ts';
import { EVENTS, KEY, POST_EVENT, RemoteTools, refusalOf, watering } from './remote-tools.ts';
import {
  endlessBody,
  jsonReaction,
  neverAnswers,
  resetConnection,
  STUB_COMPANY,
  STUB_LOGGED,
  startStubService,
  textReaction,
} from './stub-service.ts';

const GET_COMPANY = 'GET /v1/company';

/** Short, in the proportions of the real ones. */
const limits = {
  ...REMOTE_LIMITS,
  connectMs: 1_000,
  headersMs: 1_000,
  bodyMs: 700,
  callMs: 6_000,
  responseBytes: 100_000,
};

const remote = new RemoteTools({ limits });
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of cleanups.splice(0)) await each();
});

const log = (idempotencyKey?: string) =>
  remote.call('log_watering', watering({ module: '1' }), idempotencyKey);

const requestedTexts = () =>
  remote.stub.requestsTo(EVENTS).map(({ headers }) => headers['acequia-error-texts']);

const US_READER = { now: 0, zone: 'Europe/Paris', units: 'us' } as const;

const keysSent = () =>
  remote.stub.requestsTo(EVENTS).map(({ headers }) => headers['idempotency-key']);

describe('a hostile service', () => {
  it.each([
    [
      'answers HTML',
      'REMOTE_INVALID',
      textReaction('<html><body>Welcome to the hotel</body></html>'),
    ],
    ['sends too long a body', 'REMOTE_INVALID', endlessBody('x'.repeat(20_000))],
    ['takes too long for a body', 'REMOTE_TIMEOUT', endlessBody(' ')],
  ])('that %s gives an error', async (_, code, reaction) => {
    remote.stub.on(GET_COMPANY, reaction);
    expect(await refusalOf(remote.call('get_company'))).toMatchObject({ code });
  });

  it('that cuts its JSON short gives an error, which says how to repeat a write', async () => {
    remote.stub.on(POST_EVENT, textReaction('{"event": {"id": 1, ', 201, 'application/json'));
    const error = await refusalOf(log('entry-1'));
    expect(error).toMatchObject({ code: 'REMOTE_INVALID' });
    expect(error.hint).toContain('may have been written');
    expect(error.hint).toContain('"entry-1"');
    expect(keysSent()).toEqual(['entry-1']);
  });

  it('that answers another shape gives an error with the field', async () => {
    remote.stub.on(
      POST_EVENT,
      jsonReaction({ event: { ...STUB_LOGGED.event, startedAt: 5 }, warnings: [] }, 201),
    );
    const error = await refusalOf(log());
    expect(error.code).toBe('REMOTE_INVALID');
    expect(error.message).toContain('event.startedAt');
  });

  it('that redirects elsewhere is not followed, and the key stays with its origin', async () => {
    const otherService = await startStubService();
    cleanups.push(otherService.close);
    remote.stub.on(POST_EVENT, (response) =>
      response.writeHead(307, { location: `${otherService.url}/modules?x=1` }).end(),
    );
    const error = await refusalOf(log());
    expect(error.code).toBe('REMOTE_INVALID');
    expect(error.message).toContain(new URL(otherService.url).origin);
    expect(otherService.requests).toEqual([]);
    expect(keysSent()).toHaveLength(1);
  });

  it('that does not answer gives a timeout, and gets no second request', async () => {
    remote.stub.on(POST_EVENT, neverAnswers);
    const error = await refusalOf(log());
    expect(error).toMatchObject({ code: 'REMOTE_TIMEOUT', status: 504 });
    expect(error.hint).toContain('may have been written');
    expect(keysSent()).toHaveLength(1);
  });

  it('that resets the connection gets the same request with the same Idempotency-Key', async () => {
    remote.stub.on(POST_EVENT, resetConnection, resetConnection, jsonReaction(STUB_LOGGED, 201));
    const { body } = await log();
    expect(body).toEqual(STUB_LOGGED);
    const keys = keysSent();
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(remote.stub.requestsTo(EVENTS).map(({ body: sent }) => sent)).size).toBe(1);
  });

  it('that always resets leaves a write uncertain, and the error names the key to repeat it with', async () => {
    remote.stub.on(POST_EVENT, resetConnection);
    const error = await refusalOf(log());
    expect(error).toMatchObject({ code: 'REMOTE_UNREACHABLE', status: 503 });
    const [key] = keysSent();
    expect(keysSent()).toHaveLength(REMOTE_LIMITS.maxAttempts);
    expect(error.hint).toContain(`idempotencyKey "${key}"`);
  });

  it('that does not speak HTTP gives an error', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('220 mail.example.org ESMTP\r\n'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    remote.connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
    expect(await refusalOf(remote.call('get_company'))).toMatchObject({
      code: 'REMOTE_INVALID',
      status: 502,
    });
  });

  it('that is down gives an error, which says that nothing was written', async () => {
    await remote.call('get_company');
    await remote.stub.close();
    const error = await refusalOf(log());
    expect(error).toMatchObject({ code: 'REMOTE_UNREACHABLE', status: 503 });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.hint).toContain('Nothing was written');
  });
});

it('answers calls without times while the company cannot be read', async () => {
  remote.stub.on(GET_COMPANY, textReaction('', 500));
  remote.stub.on('GET /v1/modules/1/health', jsonReaction(null));
  expect((await remote.call('get_module_health', { module: '1' })).body).toBeNull();
});

describe('a service that asks to wait', () => {
  const wait = (seconds: string) =>
    jsonReaction({ code: 'rate_limited', detail: 'Too many.' }, 429, { 'retry-after': seconds });

  it('gets the request again after that time', async () => {
    remote.stub.on(POST_EVENT, wait('1'), jsonReaction(STUB_LOGGED, 201));
    const startedAt = performance.now();
    expect((await log()).body).toEqual(STUB_LOGGED);
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    expect(new Set(keysSent()).size).toBe(1);
  });

  it('for longer than a call may last gets no second request, and the hint says when to repeat it', async () => {
    remote.stub.on(POST_EVENT, wait('120'));
    const error = await refusalOf(log());
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, message: 'Too many.' });
    expect([error.retryAfterS, error.hint]).toEqual([120, expect.stringContaining('120 s')]);
    expect(keysSent()).toHaveLength(1);
  });

  it('and says so in its hint has the hint say it once', async () => {
    const hint = 'Try again in 120 s.';
    remote.stub.on(
      GET_COMPANY,
      jsonReaction({ code: 'BUSY', detail: 'Too much.', hint }, 503, { 'retry-after': '120' }),
    );
    const error = await refusalOf(remote.call('get_company'));
    expect(error).toMatchObject({ code: 'BUSY', hint, retryAfterS: 120 });
  });

  it('after a reset leaves a write uncertain', async () => {
    remote.stub.on(POST_EVENT, resetConnection, wait('120'));
    expect((await refusalOf(log('k'))).hint).toContain('may have been written');
  });

  it('at every attempt gives its error', async () => {
    remote.stub.on(GET_COMPANY, textReaction('', 503));
    expect(await refusalOf(remote.call('get_company'))).toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      status: 503,
    });
    expect(remote.stub.requestsTo('/v1/company')).toHaveLength(REMOTE_LIMITS.maxAttempts);
  });
});

describe('a write whose first attempt may have been carried out', () => {
  const problem = (
    status: number,
    code: string,
    hint: string,
    headers: Record<string, string> = {},
  ) =>
    jsonReaction(
      { type: 'about:blank', title: 'x', status, code, detail: 'No.', hint },
      status,
      headers,
    );

  it.each([
    ['503 with a hint', problem(503, 'STORE_UNAVAILABLE', 'Nothing was written by this call.')],
    ['500 with a hint', problem(500, 'INTERNAL', 'Nothing was written by this call.')],
    ['429 with a hint', problem(429, 'rate_limited', 'Wait a while.', { 'retry-after': '120' })],
    ['401 with a hint', problem(401, 'unauthenticated', 'Give a key.')],
    ['a refusal of the entry', problem(400, 'INVALID_DURATION', 'Give 41.')],
  ])('is reported as such before the hint of a later attempt: %s', async (_, later) => {
    remote.stub.on(POST_EVENT, resetConnection, later);
    const { hint } = await refusalOf(log());
    const [key] = keysSent();
    expect(hint).toMatch(
      new RegExp(
        `^It may have been written[.] .*idempotencyKey "${key}".*The last answer said: .+`,
      ),
    );
  });

  it('by a service that fails with a hint is still uncertain', async () => {
    remote.stub.on(POST_EVENT, problem(500, 'INTERNAL', 'Call the office.'));
    const { hint } = await refusalOf(log('entry-1'));
    expect(hint).toContain('may have been written');
    expect(hint).toContain('"entry-1"');
    expect(hint).toContain('Call the office.');
  });
});

describe('a service that refuses a request', () => {
  it('gets no second request', async () => {
    const common = {
      status: 400,
      code: 'INVALID_DURATION',
      hint: 'Give 41.',
      field: 'durationMin',
    };
    const problem = {
      type: 'about:blank',
      title: 'Bad Request',
      detail: 'durationMin 40 is odd.',
      ...common,
    };
    remote.stub.on(POST_EVENT, jsonReaction(problem, 400));
    const error = await refusalOf(log());
    expect(error.toJSON()).toEqual({ ...common, message: 'durationMin 40 is odd.' });
    expect(keysSent()).toHaveLength(1);
  });

  it('names its field as the tool does', async () => {
    remote.stub.on(
      POST_EVENT,
      jsonReaction({ code: 'MODULE_NOT_OWNED', detail: 'No.', field: 'moduleId' }, 400),
    );
    expect((await refusalOf(log())).field).toBe('module');
  });

  it('in its own words has them passed on as they are, to programs and people', async () => {
    const strings = {
      detail: 'startedAt of "12 mm" is 254 mm/h: see GET /modules, log_watering (#12).',
      hint: 'Send Idempotency-Key, 12 mm and 2026-07-14 with PATCH /irrigation/events/{eventId}.',
    };
    remote.stub.on('GET /v1/company', jsonReaction({ ...STUB_COMPANY, units: 'us' }));
    remote.stub.on(POST_EVENT, jsonReaction({ code: 'INVALID_FLOW_RATE', ...strings }, 400));
    const error = await refusalOf(log());
    expect(error).toMatchObject({ message: strings.detail, hint: strings.hint });
    expect(toolError(error, US_READER).content.map(({ type: _, ...text }) => text)).toEqual([
      { text: strings.detail },
      { text: `INVALID_FLOW_RATE: ${strings.hint}` },
    ]);
  });

  it('for its Idempotency-Key names the argument of the tool', async () => {
    const key = { kind: 'argument', path: 'Idempotency-Key', isBare: true };
    const problem = {
      code: 'REUSED',
      detail: 'This Idempotency-Key was used.',
      field: 'Idempotency-Key',
    };
    const texts = { message: { parts: ['This ', key, ' was used.'] } };
    remote.stub.on(POST_EVENT, jsonReaction({ ...problem, texts }, 422));
    const expected = { message: 'This idempotencyKey was used.', field: 'idempotencyKey' };
    expect(await refusalOf(log('k'))).toMatchObject(expected);
    expect(requestedTexts()).toEqual(['1']);
  });

  it.each([
    ['other fields', { error: { code: 'E1', message: 'no' } }],
    ['fields of other types', { code: 5, detail: {}, hint: [], field: null }],
    ['an invalid code', { code: '<script>' }],
    ['text', 'plainly no'],
    ['a list', [1, 2]],
    ['null', null],
  ])('without problem details is reported by its status: %s', async (_, body) => {
    remote.stub.on(POST_EVENT, jsonReaction(body, 400));
    expect(await refusalOf(log())).toMatchObject({
      status: 400,
      code: 'REMOTE_REFUSED',
      message: `${new URL(remote.stub.url).origin} answered with status 400.`,
    });
  });

  it('because it has no such endpoint gives an error that says so', async () => {
    const error = await refusalOf(remote.call('get_enums'));
    expect(error).toMatchObject({ code: 'not_found', status: 404 });
    expect(error.hint).toContain('may not have this endpoint');
  });

  it('and quotes the key does not show it', async () => {
    const problem = { code: 'unauthenticated', detail: `No such key: ${KEY}`, hint: KEY };
    remote.stub.on(POST_EVENT, jsonReaction(problem, 401));
    expect(await refusalOf(log())).toMatchObject({ code: 'unauthenticated', status: 401 });
  });

  it('with 500 gets a read again, never a write', async () => {
    remote.stub.on('GET /v1/reference/enums', textReaction('oops', 500, 'text/plain'));
    await refusalOf(remote.call('get_enums'));
    expect(remote.stub.requestsTo('/v1/reference/enums')).toHaveLength(2);
    remote.stub.on(POST_EVENT, textReaction('oops', 500, 'text/plain'));
    expect((await refusalOf(log())).code).toBe('REMOTE_FAILED');
    expect(keysSent()).toHaveLength(1);
  });
});

it('sends the key in its header alone', async () => {
  await log();
  for (const { path, body, headers } of remote.stub.requests) {
    expect(headers['x-api-key']).toBe(KEY);
    expect(path + body + JSON.stringify({ ...headers, 'x-api-key': '' })).not.toContain(KEY);
  }
});

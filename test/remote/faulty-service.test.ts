import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Performer } from '../../src/operation/performer.ts';
import { readToolArguments } from '../../src/operation/tool-arguments.ts';
import { REMOTE_LIMITS } from '../../src/remote/limits.ts';
import { remotePerformer } from '../../src/remote/remote-performer.ts';
import { AcequiaError } from '../../src/schema/error.ts';
import { operationsByName } from '../../tools/index.ts';
import {
  endlessBody,
  jsonReaction,
  neverAnswers,
  resetConnection,
  STUB_LOGGED,
  type StubService,
  startStubService,
  textReaction,
} from './stub-service.ts';

const KEY = 'acequia_secret-key-of-the-test';
const NOW = Date.parse('2026-07-01T10:00:00Z');
const EVENTS = '/v1/modules/1/irrigation/events';
const POST_EVENT = `POST ${EVENTS}`;
const GET_COMPANY = 'GET /v1/company';

let stub: StubService;
let performer: Performer;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  stub = await startStubService();
  performer = against(stub.url);
});
afterEach(async () => {
  await performer.close();
  for (const close of closing.splice(0)) await close();
  await stub.close().catch(() => undefined);
});

/** Times short enough for a test, in the proportions of the real ones. */
function against(url: string): Performer {
  const bounds = {
    ...REMOTE_LIMITS,
    connectMs: 1_000,
    headersMs: 1_000,
    bodyMs: 700,
    callMs: 6_000,
    answerBytes: 100_000,
  };
  return remotePerformer({ url, key: KEY, clock: () => NOW, lang: 'en', bounds });
}

function call(name: string, rawArguments: Record<string, unknown> = {}, idempotencyKey?: string) {
  const operation = operationsByName.get(name)!;
  const readArguments = (context: Parameters<typeof readToolArguments>[2]) =>
    readToolArguments(operation, rawArguments, context);
  return performer.perform(operation, { rawArguments, idempotencyKey, readArguments });
}

const log = (idempotencyKey?: string) =>
  call(
    'log_watering',
    { module: '1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 40 },
    idempotencyKey,
  );

async function refusal(asked: Promise<unknown>): Promise<AcequiaError> {
  const error = await asked.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AcequiaError)) throw error;
  expect(JSON.stringify(error)).not.toContain(KEY);
  return error;
}

const keysSent = () => stub.requestsTo(EVENTS).map(({ headers }) => headers['idempotency-key']);

describe('a hostile service', () => {
  it('that answers HTML is told apart from one that answers', async () => {
    stub.on(GET_COMPANY, textReaction('<html><body>Welcome to the hotel</body></html>'));
    expect(await refusal(call('get_company'))).toMatchObject({ code: 'REMOTE_INVALID', status: 502 });
  });

  it('that cuts its JSON short gives an error, and a write says how to repeat it', async () => {
    stub.on(POST_EVENT, textReaction('{"event": {"id": 1, ', 201, 'application/json'));
    const error = await refusal(log('entry-1'));
    expect(error).toMatchObject({ code: 'REMOTE_INVALID' });
    expect(error.hint).toContain('may have been written');
    expect(error.hint).toContain('"entry-1"');
    expect(keysSent()).toEqual(['entry-1']);
  });

  it('that answers another shape gives an error that says where', async () => {
    stub.on(POST_EVENT, jsonReaction({ event: { ...STUB_LOGGED.event, startedAt: 5 }, warnings: [] }, 201));
    const error = await refusal(log());
    expect(error.code).toBe('REMOTE_INVALID');
    expect(error.message).toContain('event.startedAt');
  });

  it('that redirects elsewhere is not followed, and the key stays with its origin', async () => {
    const elsewhere = await startStubService();
    closing.push(elsewhere.close);
    stub.on(POST_EVENT, (response) => response.writeHead(307, { location: `${elsewhere.url}/modules?x=1` }).end());
    const error = await refusal(log());
    expect(error.code).toBe('REMOTE_INVALID');
    expect(error.message).toContain(new URL(elsewhere.url).origin);
    expect(elsewhere.requests).toEqual([]);
    expect(keysSent()).toHaveLength(1);
  });

  it('that keeps silent is given up in time, and asked once', async () => {
    stub.on(POST_EVENT, neverAnswers);
    const error = await refusal(log());
    expect(error).toMatchObject({ code: 'REMOTE_TIMEOUT', status: 504 });
    expect(error.hint).toContain('may have been written');
    expect(keysSent()).toHaveLength(1);
  });

  it('that resets after the request is asked again under the same Idempotency-Key', async () => {
    stub.on(POST_EVENT, resetConnection, resetConnection, jsonReaction(STUB_LOGGED, 201));
    const { body } = await log();
    expect(body).toEqual(STUB_LOGGED);
    const keys = keysSent();
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(stub.requestsTo(EVENTS).map(({ body: sent }) => sent)).size).toBe(1);
  });

  it('that always resets leaves a write uncertain, with the key to repeat it under', async () => {
    stub.on(POST_EVENT, resetConnection);
    const error = await refusal(log());
    expect(error).toMatchObject({ code: 'REMOTE_UNREACHABLE', status: 503 });
    const [key] = keysSent();
    expect(keysSent()).toHaveLength(REMOTE_LIMITS.maxAttempts);
    expect(error.hint).toContain(`idempotencyKey "${key}"`);
  });

  it('that has a body without an end is given up by its size', async () => {
    stub.on(GET_COMPANY, endlessBody('x'.repeat(20_000)));
    expect(await refusal(call('get_company'))).toMatchObject({ code: 'REMOTE_INVALID' });
  });

  it('that has a body without an end is given up by its time', async () => {
    stub.on(GET_COMPANY, endlessBody(' '));
    expect(await refusal(call('get_company'))).toMatchObject({ code: 'REMOTE_TIMEOUT' });
  });

  it('that speaks no HTTP gives an error', async () => {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('220 mail.example.org ESMTP\r\n'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    await performer.close();
    performer = against(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    expect(await refusal(call('get_company'))).toMatchObject({ code: 'REMOTE_INVALID', status: 502 });
  });

  it('that is not there gives an error, and nothing was written', async () => {
    await call('get_company');
    await stub.close();
    const error = await refusal(log());
    expect(error).toMatchObject({ code: 'REMOTE_UNREACHABLE', status: 503 });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.hint).toContain('Nothing was written');
  });
});

it('answers what takes no times while the company cannot be had', async () => {
  stub.on(GET_COMPANY, textReaction('', 500));
  stub.on('GET /v1/modules/1/health', jsonReaction(null));
  expect((await call('get_module_health', { module: '1' })).body).toBeNull();
});

describe('a service that asks for patience', () => {
  it('is asked again after the time it names', async () => {
    stub.on(
      POST_EVENT,
      jsonReaction({ code: 'rate_limited' }, 429, { 'retry-after': '1' }),
      jsonReaction(STUB_LOGGED, 201),
    );
    const begun = performance.now();
    expect((await log()).body).toEqual(STUB_LOGGED);
    expect(performance.now() - begun).toBeGreaterThan(990);
    expect(new Set(keysSent()).size).toBe(1);
  });

  it('for longer than the call may last is not asked again, and the person hears when to', async () => {
    stub.on(POST_EVENT, jsonReaction({ code: 'rate_limited', detail: 'Too many.' }, 429, { 'retry-after': '120' }));
    const error = await refusal(log());
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, message: 'Too many.' });
    expect(error.hint).toContain('120 s');
    expect(keysSent()).toHaveLength(1);
  });

  it('after a reset leaves a write uncertain', async () => {
    stub.on(POST_EVENT, resetConnection, jsonReaction({ code: 'rate_limited' }, 429, { 'retry-after': '120' }));
    expect((await refusal(log('k'))).hint).toContain('may have been written');
  });

  it('as long as all tries last gives its error', async () => {
    stub.on(GET_COMPANY, textReaction('', 503));
    expect(await refusal(call('get_company'))).toMatchObject({ code: 'REMOTE_UNREACHABLE', status: 503 });
    expect(stub.requestsTo('/v1/company')).toHaveLength(REMOTE_LIMITS.maxAttempts);
  });
});

describe('a write whose first try may have been done', () => {
  const problem = (status: number, code: string, hint: string, headers: Record<string, string> = {}) =>
    jsonReaction({ type: 'about:blank', title: 'x', status, code, detail: 'No.', hint }, status, headers);

  it.each([
    ['503 with a hint', problem(503, 'STORE_UNAVAILABLE', 'Nothing was written by this call.')],
    ['500 with a hint', problem(500, 'INTERNAL', 'Nothing was written by this call.')],
    ['429 with a hint', problem(429, 'rate_limited', 'Wait a while.', { 'retry-after': '120' })],
    ['401 with a hint', problem(401, 'unauthenticated', 'Give a key.')],
    ['a refusal of the entry', problem(400, 'INVALID_DURATION', 'Give 41.')],
  ])('is told as such before what the service says to a later one: %s', async (_, later) => {
    stub.on(POST_EVENT, resetConnection, later);
    const { hint } = await refusal(log());
    const [key] = keysSent();
    expect(hint).toMatch(
      new RegExp(`^It may have been written all the same: .*idempotencyKey "${key}".*The last answer said: .+`),
    );
  });

  it('by a service that fails with a hint is not told as not done', async () => {
    stub.on(POST_EVENT, problem(500, 'INTERNAL', 'Call the office.'));
    const { hint } = await refusal(log('entry-1'));
    expect(hint).toContain('may have been written');
    expect(hint).toContain('"entry-1"');
    expect(hint).toContain('Call the office.');
  });
});

describe('a service that refuses', () => {
  it('is not asked a second time', async () => {
    const problem = {
      code: 'INVALID_DURATION',
      detail: 'durationMin 40 is odd.',
      hint: 'Give 41.',
      field: 'durationMin',
    };
    stub.on(POST_EVENT, jsonReaction({ type: 'about:blank', title: 'Bad Request', status: 400, ...problem }, 400));
    const error = await refusal(log());
    expect(error.toJSON()).toEqual({
      code: 'INVALID_DURATION',
      status: 400,
      message: 'durationMin 40 is odd.',
      hint: 'Give 41.',
      field: 'durationMin',
    });
    expect(keysSent()).toHaveLength(1);
  });

  it('has its field called as the tool calls it', async () => {
    stub.on(POST_EVENT, jsonReaction({ code: 'MODULE_NOT_OWNED', detail: 'No.', field: 'moduleId' }, 400));
    expect((await refusal(log())).field).toBe('module');
  });

  it('an Idempotency-Key speaks of the argument that it is here', async () => {
    const problem = {
      code: 'IDEMPOTENCY_KEY_REUSED',
      detail: 'This Idempotency-Key was used.',
      field: 'Idempotency-Key',
    };
    stub.on(POST_EVENT, jsonReaction(problem, 422));
    expect(await refusal(log('k'))).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      message: 'This idempotencyKey was used.',
      field: 'idempotencyKey',
    });
  });

  it('with an error of its own kind is understood as far as it goes', async () => {
    const told: [unknown, object][] = [
      [{ error: 'ENDED_BEFORE_STARTED' }, { code: 'ENDED_BEFORE_STARTED', message: 'ENDED_BEFORE_STARTED' }],
      [{ error: 'the end is wrong' }, { code: 'REMOTE_REFUSED', message: 'the end is wrong' }],
      [
        { code: 'INVALID_ENDED_AT', message: 'the end is wrong' },
        { code: 'INVALID_ENDED_AT', message: 'the end is wrong' },
      ],
      [{ error: { code: 'E1', message: 'no' } }, { code: 'E1', message: 'no' }],
      [
        { statusCode: 400, error: 'Bad', message: 'no' },
        { code: 'REMOTE_REFUSED', message: 'no' },
      ],
      ['plainly no', { code: 'REMOTE_REFUSED', message: 'plainly no' }],
      [[1, 2], { code: 'REMOTE_REFUSED' }],
      [null, { code: 'REMOTE_REFUSED' }],
    ];
    for (const [body, expected] of told) {
      stub.on(POST_EVENT, jsonReaction(body, 400));
      expect(await refusal(log())).toMatchObject({ status: 400, ...expected });
    }
  });

  it('and quotes the key does not get it into the error', async () => {
    stub.on(POST_EVENT, jsonReaction({ code: 'unauthenticated', detail: `No such key: ${KEY}`, hint: KEY }, 401));
    expect(await refusal(log())).toMatchObject({ code: 'unauthenticated', status: 401 });
  });

  it('with 500 is asked once more for a read, and never for a write', async () => {
    stub.on('GET /v1/reference/enums', textReaction('oops', 500, 'text/plain'));
    await refusal(call('get_enums'));
    expect(stub.requestsTo('/v1/reference/enums')).toHaveLength(2);
    stub.on(POST_EVENT, textReaction('oops', 500, 'text/plain'));
    expect((await refusal(log())).code).toBe('REMOTE_FAILED');
    expect(keysSent()).toHaveLength(1);
  });
});

it('sends the key in its header alone', async () => {
  stub.on(POST_EVENT, jsonReaction(STUB_LOGGED, 201));
  await log();
  for (const { path, body, headers } of stub.requests) {
    expect(headers['x-api-key']).toBe(KEY);
    expect(path + body + JSON.stringify({ ...headers, 'x-api-key': '' })).not.toContain(KEY);
  }
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkRemote } from '../../../src/cli/doctor/remote-check.ts';
import { tools as operations } from '../../../tools/index.ts';
import { closedPort } from '../../mail-server.ts';
import {
  endlessBody,
  jsonReaction,
  neverAnswers,
  type StubService,
  startStubService,
  textReaction,
} from '../../remote/stub-service.ts';
import { findingWith, type Report, reportOf } from './examined-store.ts';

const KEY = 'acequia_key-of-the-doctor-test';
const GET_COMPANY = 'GET /v1/company';
const GET_DOCUMENT = 'GET /v1/openapi.json';
const DOCUMENT = {
  paths: { '/company': { get: {} }, '/modules/{id}/irrigation/events': { post: {} } },
};

/** Limits for a service that never answers. */
const SHORT = { limits: { companyMs: 300, documentMs: 300 } };

/** Checks that the findings never show the key. */
async function doctor(
  url: string,
  key: string | null = KEY,
  more: Partial<Parameters<typeof checkRemote>[0]> = {},
): Promise<Report> {
  const report = reportOf(await checkRemote({ url, key, operations, ...more }));
  if (key !== null) expect(report.text).not.toContain(key);
  return report;
}

let stub: StubService;
beforeEach(async () => {
  stub = await startStubService();
  stub.on(GET_DOCUMENT, jsonReaction(DOCUMENT));
});
afterEach(() => stub.close());

describe('the check of a remote service', () => {
  it('counts the tools that openapi.json names, and requests nothing but that and the company', async () => {
    expect((await doctor(stub.url)).on('tools').what).toContain(
      `2 of ${operations.length} are offered`,
    );
    expect(stub.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      GET_COMPANY,
      GET_DOCUMENT,
    ]);
  });

  it('that is down is bad, without further findings', async () => {
    const { code, findings } = await doctor(`http://127.0.0.1:${await closedPort()}/v1`);
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { subject: 'service', ...findingWith('bad', 'ECONNREFUSED', '--remote') },
    ]);
  });

  it.each([
    ['does not answer', neverAnswers, 'did not answer', SHORT],
    ['never ends its answers', endlessBody('x'), 'did not answer', SHORT],
    ['answers with pages', textReaction('<html><body>Sign in</body></html>'), 'is not JSON', {}],
    ['is out of order', jsonReaction({ detail: 'Out of order.' }, 503), 'Out of order.', {}],
  ])('that %s is bad', async (_, reaction, output, more) => {
    stub.on(GET_COMPANY, reaction);
    stub.on(GET_DOCUMENT, reaction);
    const { code, on, findings } = await doctor(stub.url, KEY, more);
    expect([code, on('service')]).toMatchObject([1, findingWith('bad', output)]);
    expect(findings.map(({ subject }) => subject)).not.toContain('key');
  });

  it('that refuses the key is bad, and the key is not shown', async () => {
    stub.on(
      GET_COMPANY,
      jsonReaction({ code: 'unauthenticated', detail: `${KEY} is no key.` }, 401),
    );
    const { code, on } = await doctor(stub.url);
    expect([code, on('service').level]).toEqual([1, 'good']);
    expect(on('key')).toMatchObject({ level: 'bad', what: 'not accepted: (the key) is no key.' });
  });

  it('that wants a key is bad without one', async () => {
    stub.on(GET_COMPANY, jsonReaction({}, 401));
    const { code, on } = await doctor(stub.url, null);
    expect([code, on('key').what]).toEqual([1, 'none is set, and the service needs one']);
    expect(on('key').advice).toContain('ACEQUIA_API_KEY');
  });

  it('gets no request with a key that no header can carry', async () => {
    const { code, on } = await doctor(stub.url, 'acequia_ké');
    expect([code, on('key').level]).toEqual([1, 'bad']);
    expect(stub.requests).toEqual([]);
  });

  it.each([
    [403, 'company:read'],
    [404, 'ends in /v1'],
  ])(
    'that refuses the company with %i is doubtful, and the advice says why',
    async (status, advice) => {
      stub.on(GET_COMPANY, jsonReaction({}, status));
      const { code, on } = await doctor(stub.url);
      expect([code, on('service').level]).toEqual([0, 'good']);
      expect(on('key')).toMatchObject(findingWith('doubtful', '', advice));
    },
  );

  it('without openapi.json offers every tool', async () => {
    stub.on(GET_DOCUMENT, jsonReaction({}, 404));
    expect((await doctor(stub.url)).on('tools')).toMatchObject(
      findingWith('good', `all ${operations.length} are offered: the service has no openapi.json`),
    );
  });

  it.each([
    [
      'does not come in time',
      neverAnswers,
      0,
      'doubtful',
      `all ${operations.length} are offered`,
      { limits: { companyMs: 10_000, documentMs: 300 } },
    ],
    [
      'names no endpoint of ours',
      jsonReaction({ paths: { '/songs': { get: {} } } }),
      1,
      'bad',
      '',
      {},
    ],
  ] as const)(
    'whose openapi.json %s is reported',
    async (_, reaction, exitCode, level, what, more) => {
      stub.on(GET_DOCUMENT, reaction);
      const { code, on } = await doctor(stub.url, KEY, more);
      expect(code).toBe(exitCode);
      expect(on('tools')).toMatchObject(findingWith(level, what));
    },
  );
});

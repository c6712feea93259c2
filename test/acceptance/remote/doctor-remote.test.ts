import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DoctorFinding } from '../../../src/cli/doctor/findings.ts';
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
import { newFolder } from '../../temporary-places.ts';
import { BINARY } from '../program.ts';
import { startRestService } from '../rest-service.ts';

const KEY = 'acequia_key-of-the-doctor-test';
const GET_COMPANY = 'GET /v1/company';
const GET_DOCUMENT = 'GET /v1/openapi.json';
const DOCUMENT = { paths: { '/company': { get: {} }, '/modules/{id}/irrigation/events': { post: {} } } };

/** Nothing of the environment of the tests has a say. */
const cleanEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ACEQUIA_')));

/** The doctor's findings with a service, and its exit code. It never shows the key, and makes nothing where a store would be. */
async function doctor(url: string, key: string | null = KEY, args: readonly string[] = ['--remote', url]) {
  const data = await newFolder();
  const homes = { HOME: data, XDG_DATA_HOME: data };
  const env = { ...cleanEnv, ...homes, ACEQUIA_REMOTE_URL: url, ...(key !== null && { ACEQUIA_API_KEY: key }) };
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [BINARY, 'doctor', '--json', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
  const { findings } = JSON.parse(output) as { findings: DoctorFinding[] };
  if (key !== null) expect(output).not.toContain(key);
  expect(await readdir(data)).toEqual([]);
  return { code, findings, on: (subject: string) => findings.find((each) => each.subject === subject) };
}

let stub: StubService;
beforeEach(async () => {
  stub = await startStubService();
  stub.on(GET_DOCUMENT, jsonReaction(DOCUMENT));
});
afterEach(() => stub.close());

describe('the doctor with a remote service', () => {
  it('finds that acequia serve answers, accepts the key and has every tool', async () => {
    const served = await startRestService();
    const { code, findings } = await doctor(served.base, await served.newKey(), [
      '--remote',
      served.base,
      '--lang',
      'fr',
    ]);
    const all = operations.length;
    expect(findings.map(({ level, subject, what }) => [level, subject, what])).toEqual([
      [
        ...['good', 'configuration'],
        `service ${served.base} (from the command line) instead of a store, a key (from ACEQUIA_API_KEY), language fr (from the command line), log level warn (the default)`,
      ],
      ['good', 'service', `${served.base} answers`],
      ['good', 'key', 'accepted for the company "Mas Rouge"'],
      ['good', 'tools', `${all} of ${all} are offered, those whose endpoints its openapi.json names`],
      ['good', 'zone data', expect.any(String)],
    ]);
    expect(code).toBe(0);
  });

  it('counts the tools that openapi.json names, and requests nothing but that and the company', async () => {
    expect((await doctor(stub.url)).on('tools')?.what).toContain(`2 of ${operations.length} are offered`);
    expect(stub.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([GET_COMPANY, GET_DOCUMENT]);
  });

  it('is checked if the environment names it, but not with a store on the command line', async () => {
    const named = await doctor(stub.url, KEY, []);
    expect(named.on('configuration')?.what).toContain(`service ${stub.url} (from ACEQUIA_REMOTE_URL)`);
    const asked = stub.requests.length;
    const aside = await doctor(stub.url, KEY, ['--db', join(await newFolder(), 'farm.db')]);
    expect(aside.on('configuration')?.what).toMatch(/^store \S+farm\.db \(from the command line\)/);
    expect(aside.on('service')).toBeUndefined();
    expect(stub.requests).toHaveLength(asked);
  });

  it('that is down is bad, without further findings', async () => {
    const { code, findings } = await doctor(`http://127.0.0.1:${await closedPort()}/v1`);
    expect(code).toBe(1);
    expect(findings.map(({ level, subject }) => `${level} ${subject}`)).toEqual([
      'good configuration',
      'bad service',
      'good zone data',
    ]);
    expect(findings[1]).toMatchObject({
      what: expect.stringContaining('ECONNREFUSED'),
      advice: expect.stringContaining('--remote'),
    });
  });

  it.each([
    ['does not answer', neverAnswers, 'did not answer'],
    ['never ends its answers', endlessBody('x'), 'did not answer'],
    ['answers with pages', textReaction('<html><body>Sign in</body></html>'), 'is not JSON'],
    ['is out of order', jsonReaction({ detail: 'Out of order.' }, 503), 'Out of order.'],
  ])('that %s is bad, within bounds', async (_, reaction, output) => {
    stub.on(GET_COMPANY, reaction);
    stub.on(GET_DOCUMENT, reaction);
    const started = performance.now();
    const { code, on } = await doctor(stub.url);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect([code, on('service')?.level, on('key')]).toEqual([1, 'bad', undefined]);
    expect(on('service')?.what).toContain(output);
  });

  it('that refuses the key is bad, and the key is not shown', async () => {
    stub.on(GET_COMPANY, jsonReaction({ code: 'unauthenticated', detail: `${KEY} is no key.` }, 401));
    const { code, on } = await doctor(stub.url);
    expect([code, on('service')?.level]).toEqual([1, 'good']);
    expect(on('key')).toMatchObject({ level: 'bad', what: 'not accepted: (the key) is no key.' });
  });

  it('that wants a key is bad without one', async () => {
    stub.on(GET_COMPANY, jsonReaction({}, 401));
    const { code, on } = await doctor(stub.url, null);
    expect([code, on('key')?.what]).toEqual([1, 'none is set, and the service needs one']);
    expect(on('key')?.advice).toContain('ACEQUIA_API_KEY');
  });

  it('gets no request with a key that no header can carry', async () => {
    const { code, on } = await doctor(stub.url, 'acequia_ké');
    expect([code, on('key')?.level]).toEqual([1, 'bad']);
    expect(stub.requests).toEqual([]);
  });

  it.each([
    [403, 'company:read'],
    [404, 'ends in /v1'],
  ])('that refuses the company with %i is doubtful, and the advice says why', async (status, advice) => {
    stub.on(GET_COMPANY, jsonReaction({}, status));
    const { code, on } = await doctor(stub.url);
    expect([code, on('service')?.level]).toEqual([0, 'good']);
    expect(on('key')).toMatchObject({ level: 'doubtful', advice: expect.stringContaining(advice) });
  });

  it('without openapi.json offers every tool', async () => {
    stub.on(GET_DOCUMENT, jsonReaction({}, 404));
    expect((await doctor(stub.url)).on('tools')).toMatchObject({
      level: 'good',
      what: expect.stringContaining(`all ${operations.length} are offered: the service has no openapi.json`),
    });
  });

  it('whose openapi.json does not come in time is doubtful', async () => {
    stub.on(GET_DOCUMENT, neverAnswers);
    const { code, on } = await doctor(stub.url);
    expect([code, on('tools')?.level]).toEqual([0, 'doubtful']);
    expect(on('tools')?.what).toContain(`all ${operations.length} are offered`);
  });

  it('whose openapi.json names no endpoint of ours is bad', async () => {
    stub.on(GET_DOCUMENT, jsonReaction({ paths: { '/songs': { get: {} } } }));
    const { code, on } = await doctor(stub.url);
    expect([code, on('tools')?.level]).toEqual([1, 'bad']);
  });
});

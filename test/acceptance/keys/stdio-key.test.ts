import { describe, expect, it } from 'vitest';
import { tools as operations } from '../../../tools/index.ts';
import { bodyOf, firstText, newBaseFarm, refusalOf, runProgram } from '../program.ts';
import { newCompanyKey, type StdioServer, startStdioServer } from '../stdio-server.ts';

const toolNames = async ({ client }: StdioServer): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

const uris = async ({ client }: StdioServer): Promise<string[]> => [
  ...(await client.listResources()).resources.map(({ uri }) => uri),
  ...(await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
];

const WATERING = { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 40 };

describe('a key in the environment of the stdio server', () => {
  it('lists what its scopes allow, resources as well', async () => {
    const db = await newBaseFarm();
    const { key } = await newCompanyKey(db, '--scopes', 'readings:read,parcels:read');
    const server = await startStdioServer(['--db', db], { ACEQUIA_API_KEY: key });
    const allowed = operations.filter(({ scope }) => scope === 'readings:read' || scope === 'parcels:read');
    expect(await toolNames(server)).toEqual(allowed.map(({ name }) => name).sort());
    expect((await uris(server)).sort()).toEqual([
      'acequia://alerts/firing',
      'acequia://modules/{module}',
      'acequia://modules/{module}/irrigation',
      'acequia://modules/{module}/moisture',
      'acequia://schedules',
    ]);
  });

  it('that may everything lists everything', async () => {
    const db = await newBaseFarm();
    const { key } = await newCompanyKey(db);
    const server = await startStdioServer(['--db', db], { ACEQUIA_API_KEY: key });
    expect(await toolNames(server)).toEqual(operations.map(({ name }) => name).sort());
  });

  it('answers a call that is not listed with the scope it lacks', async () => {
    const db = await newBaseFarm();
    const { key } = await newCompanyKey(db, '--scopes', 'readings:read');
    const server = await startStdioServer(['--db', db], { ACEQUIA_API_KEY: key });
    expect(refusalOf(await server.call('log_watering', WATERING))).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    });
    expect(bodyOf(await server.call('list_waterings')).data).toEqual([]);
  });

  it('that is none lists as without one, and each call says why it is refused', async () => {
    const server = await startStdioServer(['--db', await newBaseFarm()], { ACEQUIA_API_KEY: 'acequia_no-such-key' });
    expect(await toolNames(server)).toHaveLength(operations.length);
    const answer = await server.call('get_company');
    expect(refusalOf(answer)).toMatchObject({ code: 'unauthenticated', status: 401 });
    expect(firstText(answer)).not.toContain('no-such-key');
  });

  it('ends with its revocation, in a server that runs', async () => {
    const db = await newBaseFarm();
    const { id, key } = await newCompanyKey(db);
    const server = await startStdioServer(['--db', db], { ACEQUIA_API_KEY: key });
    expect(bodyOf(await server.call('get_company')).name).toBe('Mas Rouge');
    await runProgram('keys', 'revoke', String(id), '--db', db);
    expect(refusalOf(await server.call('get_company')).code).toBe('unauthenticated');
  });

  it('writes with the source of the tools, and is never logged', async () => {
    const db = await newBaseFarm();
    const { key } = await newCompanyKey(db);
    const server = await startStdioServer(['--db', db, '--log-level', 'trace'], { ACEQUIA_API_KEY: key });
    expect(bodyOf(await server.call('log_watering', WATERING)).event.source).toBe('mcp');
    expect(server.stderr()).not.toContain(key);
  });
});

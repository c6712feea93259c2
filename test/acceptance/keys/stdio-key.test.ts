import { expect, it } from 'vitest';
import { revokeKey } from '../../../src/service/keys/key-administration.ts';
import { tools } from '../../../tools/index.ts';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { bodyOf, firstText, type McpSession, refusalOf, startStdioServer } from '../mcp-session.ts';
import { createTestKey } from '../rest-service.ts';

const toolNames = async ({ client }: McpSession): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

const uris = async ({ client }: McpSession): Promise<string[]> => [
  ...(await client.listResources()).resources.map(({ uri }) => uri),
  ...(await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
];

it('lists the tools and resources that the scopes of the key allow, and refuses the others', async () => {
  const db = await newBaseFarm();
  const { key } = await createTestKey(db, '--scopes', 'readings:read,parcels:read');
  const session = await startStdioServer(['--db', db], { ACEQUIA_API_KEY: key });
  const allowed = tools.filter(
    ({ scope }) => scope === 'readings:read' || scope === 'parcels:read',
  );
  expect(await toolNames(session)).toEqual(allowed.map(({ name }) => name).sort());
  expect((await uris(session)).sort()).toEqual([
    'acequia://alerts/firing',
    'acequia://farm-file',
    'acequia://modules/{module}',
    'acequia://modules/{module}/irrigation',
    'acequia://modules/{module}/moisture',
    'acequia://schedules',
    'skill://acequia/{skill}/SKILL.md',
  ]);
  expect(refusalOf(await session.call('log_watering', WATERING))).toMatchObject({
    code: 'insufficient_scope',
    status: 403,
  });
  expect(bodyOf(await session.call('list_waterings')).data).toEqual([]);
});

it('lists everything with an unknown key, and refuses each call without repeating the key', async () => {
  const session = await startStdioServer(['--db', await newBaseFarm()], {
    ACEQUIA_API_KEY: 'acequia_no-such-key',
  });
  expect(await toolNames(session)).toHaveLength(tools.length);
  const result = await session.call('get_company');
  expect(refusalOf(result)).toMatchObject({ code: 'unauthenticated', status: 401 });
  expect(firstText(result)).not.toContain('no-such-key');
});

it('serves a key with every scope until it is revoked, and never logs it', async () => {
  const db = await newBaseFarm();
  const { id, key } = await createTestKey(db);
  const session = await startStdioServer(['--db', db, '--log-level', 'trace'], {
    ACEQUIA_API_KEY: key,
  });
  expect(await toolNames(session)).toEqual(tools.map(({ name }) => name).sort());
  expect(bodyOf(await session.call('log_watering', WATERING)).event.source).toBe('mcp');
  await withSecondStore(db, (store) => revokeKey(store, id, Date.now()));
  expect(refusalOf(await session.call('get_company')).code).toBe('unauthenticated');
  expect(session.stderr()).not.toContain(key);
});

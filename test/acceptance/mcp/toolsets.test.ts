import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isWrite } from '../../../src/operation/operation-kind.ts';
import { tools } from '../../../tools/index.ts';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { runInProcess } from '../../in-process-command.ts';
import { itInDeepRuns } from '../../property-runs.ts';
import { storedContents } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, type McpSession, refusalOf, startStdioServer } from '../mcp-session.ts';
import { createTestKey } from '../rest-service.ts';

const listedTools = async ({ client }: McpSession): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();
const listedPrompts = async ({ client }: McpSession): Promise<string[]> =>
  (await client.listPrompts()).prompts.map(({ name }) => name);
const namesOf = (filter: (operation: (typeof tools)[number]) => boolean): string[] =>
  tools
    .filter(filter)
    .map(({ name }) => name)
    .sort();
const noStore = async (): Promise<string> => join(await newFolder(), 'none.db');

it('--toolsets lists only the tools, resources and prompts of these sets, without a store', async () => {
  const db = await noStore();
  const session = await startStdioServer(['--db', db, '--toolsets', ' Irrigation,company,farm']);
  expect(await listedTools(session)).toEqual(
    namesOf(({ toolset }) => ['irrigation', 'company', 'farm'].includes(toolset)),
  );
  const { resources } = await session.client.listResources();
  const { resourceTemplates } = await session.client.listResourceTemplates();
  expect([
    ...resources.map(({ uri }) => uri),
    ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  ]).toEqual([
    ...[
      'acequia://schedules',
      'acequia://company',
      'acequia://catalog/enums',
      'acequia://farm-file',
    ],
    'acequia://modules/{module}/irrigation',
    'skill://acequia/{skill}/SKILL.md',
  ]);
  // The other prompts need moisture, alerts or advice.
  expect(await listedPrompts(session)).toEqual(['log_watering', 'set_up_farm']);
  await expect(session.client.getPrompt({ name: 'tune_threshold' })).rejects.toThrow(/no prompt/);
  await expect(
    session.client.subscribeResource({ uri: 'acequia://alerts/firing' }),
  ).rejects.toThrow();
  expect(session.client.getInstructions()).toMatch(/\n\nOnly these toolsets are available: /);
  const { contents } = await session.client.readResource({ uri: 'acequia://farm-file' });
  expect(contents).toMatchObject([{ mimeType: 'application/schema+json' }]);
  expect(existsSync(db)).toBe(false);
});

itInDeepRuns(
  'a hidden tool or resource is refused with the option that hides it, and still serves composed tools',
  async () => {
    const session = await startStdioServer(['--db', await newBaseFarm()], {
      ACEQUIA_TOOLSETS: 'advice,soil',
    });
    const { code, status, hint } = refusalOf(await session.call('get_company'));
    expect([code, status]).toEqual(['insufficient_scope', 403]);
    expect(hint).toContain('--toolsets soil,advice');
    expect(hint).toContain('company');
    await expect(session.client.readResource({ uri: 'acequia://company' })).rejects.toThrow(
      /--toolsets/,
    );
    expect(bodyOf(await session.call('morning_brief')).modules).toBe(4);
  },
);

itInDeepRuns('--toolsets applies beside the scopes of a key', async () => {
  const db = await newBaseFarm();
  const { key } = await createTestKey(db, '--scopes', 'irrigation:write,readings:read');
  const session = await startStdioServer(['--db', db, '--toolsets', 'soil,irrigation'], {
    ACEQUIA_API_KEY: key,
  });
  const isAllowed = ({ toolset, scope }: (typeof tools)[number]) =>
    ['soil', 'irrigation'].includes(toolset) &&
    ['irrigation:write', 'readings:read'].includes(scope);
  expect(await listedTools(session)).toEqual(namesOf(isAllowed));
  expect(refusalOf(await session.call('get_soil_profile', {})).message).toContain(
    'the scope agronomy:read',
  );
  expect(refusalOf(await session.call('list_modules')).hint).toContain('--toolsets');
});

it('--toolsets daily lists the tools of daily work, and says how to get the others', async () => {
  const session = await startStdioServer(['--db', await newBaseFarm(), '--toolsets', 'daily']);
  expect(await listedTools(session)).toEqual(namesOf(({ tool }) => tool?.inDailyToolset === true));
  expect(session.client.getInstructions()).toContain('--toolsets all');
  const { hint } = refusalOf(await session.call('set_parcel_installation', { parcel: 'North' }));
  expect(hint).toContain('--toolsets daily,irrigation, or with --toolsets all');
  expect(bodyOf(await session.call('log_watering', WATERING))).toHaveProperty('event');
});

it('ACEQUIA_READ_ONLY lists tools that do not write and prompts of use without, and refuses every write', async () => {
  const db = await newBaseFarm();
  const { client, call } = await startStdioServer(['--db', db], { ACEQUIA_READ_ONLY: 'yes' });
  const listed = (await client.listTools()).tools;
  expect(listed.map(({ name }) => name)).toEqual(
    tools.filter((each) => !isWrite(each)).map(({ name }) => name),
  );
  expect(listed.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  expect(client.getInstructions()).toMatch(/\n\nThis server is read-only/);
  const writes = tools.filter(isWrite);
  expect(writes.length).toBeGreaterThan(10);
  for (const { name } of writes)
    expect(refusalOf(await call(name, name === 'log_watering' ? WATERING : {}))).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
      hint: expect.stringContaining('--read-only'),
    });
  expect(bodyOf(await call('list_waterings')).data).toEqual([]);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
    'irrigation_review',
  ]);
  for (const name of ['log_watering', 'set_up_probe'])
    await expect(client.getPrompt({ name })).rejects.toThrow(/no prompt/);
});

it('--read-only applies to acequia call, and is wrong usage for an import', async () => {
  const db = await newBaseFarm();
  const before = await storedContents(db);
  const args = Object.entries(WATERING).map(([name, value]) => `${name}=${value}`);
  expect(
    (await runInProcess(['call', 'log_watering', ...args, '--db', db, '--read-only'])).code,
  ).toBe(1);
  expect((await runInProcess(['import', '--read-only', '--db', db])).code).toBe(2);
  expect(await storedContents(db)).toBe(before);
});

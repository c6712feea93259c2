import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLSETS } from '../../../src/operation/operation.ts';
import { tools as operations } from '../../../tools/index.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, type McpSession, refusalOf, startStdioServer } from '../mcp-session.ts';
import { runProgram } from '../program.ts';
import { createTestKey } from '../rest-service.ts';

const toolNames = async ({ client }: McpSession): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).sort();

const namesOf = (isMeant: (described: (typeof operations)[number]) => boolean): string[] =>
  operations
    .filter(isMeant)
    .map(({ name }) => name)
    .sort();

const promptNames = async ({ client }: McpSession): Promise<string[]> =>
  (await client.listPrompts()).prompts.map(({ name }) => name);

describe('--toolsets', () => {
  it('offers the tools of these sets alone, without making a store to list them', async () => {
    const server = await startStdioServer([
      '--db',
      join(await newFolder(), 'deep', 'none.db'),
      '--toolsets',
      ' Soil,company',
    ]);
    expect(await toolNames(server)).toEqual(namesOf(({ toolset }) => toolset === 'soil' || toolset === 'company'));
  });

  it.each(TOOLSETS)('knows %s', async (toolset) => {
    const server = await startStdioServer(['--db', join(await newFolder(), 'none.db')], { ACEQUIA_TOOLSETS: toolset });
    expect(await toolNames(server)).toEqual(namesOf((each) => each.toolset === toolset));
  });

  it('offers the resources and prompts of these sets alone, and says so on connecting', async () => {
    const db = await newBaseFarm();
    const server = await startStdioServer(['--db', db, '--toolsets', 'irrigation']);
    const { resources } = await server.client.listResources();
    const { resourceTemplates } = await server.client.listResourceTemplates();
    expect([...resources.map(({ uri }) => uri), ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)]).toEqual([
      'acequia://schedules',
      'acequia://modules/{module}/irrigation',
    ]);
    // The others speak of moisture, alerts or advice.
    expect(await promptNames(server)).toEqual(['log_watering']);
    await expect(server.client.getPrompt({ name: 'tune_threshold' })).rejects.toThrow(/no prompt/);
    await expect(server.client.subscribeResource({ uri: 'acequia://alerts/firing' })).rejects.toThrow();
    expect(server.client.getInstructions()).toMatch(/^Only these toolsets are available: irrigation\./);
  });

  it('answers the call of another tool, and the read of another resource, with the option that hides it', async () => {
    const server = await startStdioServer(['--db', await newBaseFarm(), '--toolsets', 'irrigation,soil']);
    const { code, status, message, hint } = refusalOf(await server.call('get_company'));
    expect([code, status]).toEqual(['insufficient_scope', 403]);
    expect(message).toContain('--toolsets irrigation,soil');
    expect(hint).toContain('company');
    await expect(server.client.readResource({ uri: 'acequia://company' })).rejects.toThrow(/--toolsets/);
    expect(bodyOf(await server.call('list_parcels')).data).toHaveLength(2);
  });

  it('leaves an offered tool what it is composed of', async () => {
    const server = await startStdioServer(['--db', await newBaseFarm(), '--toolsets', 'advice']);
    expect(bodyOf(await server.call('morning_brief')).modules).toBe(4);
  });

  it('narrows what a key may do further, and is narrowed by it', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--scopes', 'readings:read,parcels:read');
    const server = await startStdioServer(['--db', db, '--toolsets', 'soil,irrigation'], { ACEQUIA_API_KEY: key });
    const may = ['readings:read', 'parcels:read'];
    expect(await toolNames(server)).toEqual(
      namesOf(({ toolset, scope }) => ['soil', 'irrigation'].includes(toolset) && may.includes(scope)),
    );
    expect(await promptNames(server)).toEqual([]);
    expect(refusalOf(await server.call('log_watering', {})).message).toContain('the scope irrigation:write');
    expect(refusalOf(await server.call('list_modules')).message).toContain('--toolsets');
  });

  it('means all where it is empty in the environment', async () => {
    const server = await startStdioServer(['--db', await newBaseFarm()], { ACEQUIA_TOOLSETS: ' ' });
    expect(await toolNames(server)).toHaveLength(operations.length);
    expect(server.client.getInstructions()).toMatch(/^Acequia keeps/);
  });

  it('refuses a set that there is not, with those that there are', async () => {
    const db = join(await newFolder(), 'none.db');
    await expect(runProgram('mcp', '--db', db, '--toolsets', 'soil,water')).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(TOOLSETS.join(', ')),
    });
  });

  it('is not for a command that works on the whole store', async () => {
    await expect(runProgram('tick', '--toolsets', 'soil')).rejects.toMatchObject({ code: 2 });
  });
});

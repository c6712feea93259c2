import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWrite } from '../../../src/operation/operation.ts';
import { tools as operations } from '../../../tools/index.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { storedContents } from '../../stores/stores.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, refusalOf, startStdioServer } from '../mcp-session.ts';
import { runProgram } from '../program.ts';
import { createTestKey } from '../rest-service.ts';

const READ_OPERATIONS = operations.filter((each) => !isWrite(each)).map(({ name }) => name);
const WATERING = { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration', durationMin: 40 };

describe('--read-only', () => {
  it('lists what reads alone, and says on connecting that writing is off', async () => {
    const { client } = await startStdioServer(['--db', join(await newFolder(), 'none.db'), '--read-only']);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(READ_OPERATIONS);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(client.getInstructions()).toMatch(/^This server is read-only/);
  });

  it('answers a write with the option that forbids it, whatever its arguments, and writes nothing', async () => {
    const db = await newBaseFarm();
    const server = await startStdioServer(['--db', db, '--read-only']);
    const writes = operations.filter(isWrite);
    expect(writes.length).toBeGreaterThan(10);
    for (const { name } of writes)
      expect(refusalOf(await server.call(name, name === 'log_watering' ? WATERING : {}))).toMatchObject({
        code: 'insufficient_scope',
        status: 403,
        message: expect.stringContaining('--read-only'),
      });
    expect(bodyOf(await server.call('list_waterings')).data).toEqual([]);
  });

  it('lists no prompt that leads to a write', async () => {
    const { client } = await startStdioServer(['--db', await newBaseFarm(), '--read-only']);
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name });
      for (const write of operations.filter(isWrite))
        expect(JSON.stringify(messages)).not.toContain(`\`${write.name}\``);
    }
    for (const name of ['log_watering', 'set_up_probe'])
      await expect(client.getPrompt({ name })).rejects.toThrow(/no prompt/);
  });

  it.each(['true', '1', 'YES'])('is what ACEQUIA_READ_ONLY=%s means', async (said) => {
    const { client } = await startStdioServer(['--db', await newBaseFarm()], { ACEQUIA_READ_ONLY: said });
    expect((await client.listTools()).tools).toHaveLength(READ_OPERATIONS.length);
  });

  it.each(['false', '0', ''])('is not what ACEQUIA_READ_ONLY=%s means', async (said) => {
    const { client } = await startStdioServer(['--db', await newBaseFarm()], { ACEQUIA_READ_ONLY: said });
    expect((await client.listTools()).tools).toHaveLength(operations.length);
  });

  it('narrows a set of tools and a key further', async () => {
    const db = await newBaseFarm();
    const { key } = await createTestKey(db, '--scopes', 'irrigation:write,readings:read');
    const server = await startStdioServer(['--db', db, '--read-only', '--toolsets', 'irrigation'], {
      ACEQUIA_API_KEY: key,
    });
    expect((await server.client.listTools()).tools.map(({ name }) => name).sort()).toEqual([
      'get_irrigation_setup',
      'list_schedules',
      'list_waterings',
    ]);
    expect(refusalOf(await server.call('log_watering', WATERING)).message).toContain('--read-only');
  });

  it('holds for call, and refuses what is neither true nor false', async () => {
    const db = await newBaseFarm();
    const args = Object.entries(WATERING).map(([name, value]) => `${name}=${value}`);
    await expect(runProgram('call', 'log_watering', ...args, '--db', db, '--read-only')).rejects.toMatchObject({
      code: 1,
    });
    const before = await storedContents(db);
    await expect(runProgram('import', '--read-only', '--db', db)).rejects.toMatchObject({ code: 2 });
    expect(await storedContents(db)).toBe(before);
  });
});

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { localHandlers } from '../../../src/mcp/store-handlers.ts';
import { NO_TOOL_FILTER } from '../../../src/operation/tool-filter.ts';
import { openStore } from '../../../src/store/store.ts';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { afterTest } from '../../cleanup.ts';
import { bodyOf, type Json } from '../../tool-results.ts';
import { NOW } from '../local-tools.ts';

it('a call that is cancelled after its follow-up has written takes back both, the last first', async () => {
  const store = await openStore({ db: await newBaseFarm() });
  afterTest(() => store.close());
  const handlers = localHandlers({
    store,
    clock: () => NOW,
    apiKey: null,
    onReadings: undefined,
    toolFilter: NO_TOOL_FILTER,
    report: async (error) => {
      throw error;
    },
    close: async () => undefined,
  });
  const call = async (name: string, args: object): Promise<Json> =>
    bodyOf((await handlers.callTool(name, args)) as CallToolResult);

  const setup = { module: 'North 2', system: 'drip', effectiveFrom: '2026-06-01 00:00' };
  await call('set_module_installation', setup);
  const cancellation = new AbortController();
  const cancelled = handlers.callTool(
    'log_watering',
    { ...WATERING, module: 'North 2' },
    {
      signal: cancellation.signal,
      askPerson: async () => {
        cancellation.abort();
        return 4;
      },
    },
  );

  await expect(cancelled).rejects.toThrow('The call was cancelled');
  const { data } = await call('list_changes', { limit: 4 });
  const operations = data.map(({ operation }: Json) => operation);
  expect(operations).toEqual(['undo', 'undo', 'correct_installation', 'log_watering']);
  expect((await call('list_waterings', { module: 'North 2' })).data).toEqual([]);
  const { installation } = await call('get_irrigation_setup', { module: 'North 2' });
  expect(installation.flowMmPerH).toBeNull();
});

import { expect, it } from 'vitest';
import {
  NO_TOOL_FILTER,
  passesToolFilter,
  type ToolFilter,
} from '../../src/operation/tool-filter.ts';
import { tools } from '../../tools/index.ts';
import { newBaseFarm } from '../base-farm.ts';
import { withSecondStore } from '../stores/stores.ts';
import { bodyOf } from '../tool-results.ts';
import { toolsOf } from './local-tools.ts';

it('the page in a chat is told which of its writes are not offered', async () => {
  await withSecondStore(await newBaseFarm(), async (store) => {
    const withheld = async (toolFilter: ToolFilter) =>
      bodyOf(await toolsOf(store, { toolFilter })('get_farm_page')).withheld;
    expect(await withheld({ toolsets: null, isReadOnly: true })).toEqual([
      ...['irrigation:write', 'alerts:write', 'annotations:write'],
    ]);
    expect(await withheld({ toolsets: ['advice', 'alerts'], isReadOnly: false })).toEqual([
      'irrigation:write',
    ]);
    expect(await withheld({ toolsets: ['daily'], isReadOnly: false })).toEqual([
      'annotations:write',
    ]);
    expect(await withheld(NO_TOOL_FILTER)).toEqual([]);
  });
});

it('toolsets and read-only apply together, and daily beside other sets', () => {
  const offered = (toolFilter: ToolFilter): string[] =>
    tools.flatMap((each) => (passesToolFilter(toolFilter, each) ? [each.name] : [])).sort();
  expect(offered({ toolsets: ['irrigation'], isReadOnly: true })).toEqual([
    ...['get_irrigation_setup', 'list_schedules', 'list_waterings'],
  ]);
  const soilOrDaily = tools.filter(
    ({ tool, toolset }) => tool?.inDailyToolset === true || toolset === 'soil',
  );
  expect(offered({ toolsets: ['soil', 'daily'], isReadOnly: false })).toEqual(
    soilOrDaily.map(({ name }) => name).sort(),
  );
});

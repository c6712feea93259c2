import { expect, it } from 'vitest';
import { rendersApps } from '../../src/mcp/apps.ts';
import { listResults, restrictCatalog } from '../../src/mcp/catalog.ts';
import { renderTool } from '../../src/mcp/render-catalog.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import { passesToolFilter } from '../../src/operation/tool-filter.ts';
import getCompany from '../../tools/company/get-company.ts';
import logWatering from '../../tools/irrigation/log-watering.ts';

const extension = (settings: unknown) => ({
  extensions: { 'io.modelcontextprotocol/ui': settings },
});

it.each([
  [extension({ mimeTypes: ['text/html;profile=mcp-app'] }), true],
  [extension({ mimeTypes: ['text/uri-list', 'text/html;profile=mcp-app'] }), true],
  [extension({ mimeTypes: ['text/html'] }), false],
  [extension({ mimeTypes: 'text/html;profile=mcp-app' }), false],
  [extension({}), false],
  [extension(null), false],
  [{ extensions: [] }, false],
  [{}, false],
  [undefined, false],
])('a client with the capabilities %j renders apps: %s', (capabilities, expected) => {
  expect(rendersApps(capabilities)).toBe(expected);
});

const forView: AnyOperation = { ...getCompany, name: 'get_view', page: { audience: 'app-only' } };
const empty = {
  version: '0',
  pageHash: '0',
  icons: [],
  instructions: '',
  prompts: [],
  skills: [],
  resources: [],
  resourceTemplates: [],
};
const catalog = {
  ...empty,
  tools: [renderTool(logWatering)],
  appTools: [renderTool(forView)],
  operations: {},
};
const listed = (...args: Parameters<typeof listResults>) =>
  listResults(...args).tools.tools.map(({ name }) => name);

it('lists a tool of the page to clients that render it, hidden from their models, and to no other', () => {
  expect(listed(catalog, { rendersApps: false })).toEqual(['log_watering']);
  expect(listed(catalog, { rendersApps: true })).toEqual(['log_watering', 'get_view']);
  expect(renderTool(forView)._meta).toMatchObject({ ui: { visibility: ['app'] } });
  expect(renderTool(logWatering)._meta).not.toHaveProperty('ui');
});

it('lists a tool of the page only to a caller who may use it', () => {
  expect(
    listed(restrictCatalog(catalog, new Set(['log_watering'])), { rendersApps: true }),
  ).toEqual(['log_watering']);
});

it('offers a tool of the page with any toolset, but no write on a read-only server', () => {
  const onlySoil = { toolsets: ['soil' as const], isReadOnly: false };
  expect(passesToolFilter(onlySoil, getCompany)).toBe(false);
  expect(passesToolFilter(onlySoil, forView)).toBe(true);
  expect(
    passesToolFilter({ toolsets: null, isReadOnly: true }, { ...forView, effect: 'update' }),
  ).toBe(false);
});

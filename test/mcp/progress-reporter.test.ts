import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Catalog } from '../../src/mcp/catalog.ts';
import { exchangeOverHttp } from '../../src/mcp/http/http-exchange.ts';
import { ProgressReporter, type ProgressUpdate } from '../../src/mcp/progress-reporter.ts';
import { handlersWithoutStore } from '../../src/mcp/request-handlers.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import type { ToolCallContext } from '../../src/mcp/tool-runner.ts';
import { NO_TOOL_FILTER } from '../../src/operation/tool-filter.ts';

let updates: ProgressUpdate[];
let reporter: ProgressReporter;

beforeEach(() => {
  vi.useFakeTimers();
  updates = [];
  reporter = new ProgressReporter((each) => updates.push(each));
});
afterEach(() => {
  reporter.end();
  vi.useRealTimers();
});

const passOneSecond = () => vi.advanceTimersByTime(1_000);

it('reports nothing for a call of less than a second', () => {
  reporter.onProgress(3, 4);
  vi.advanceTimersByTime(999);
  reporter.end();
  vi.advanceTimersByTime(10_000);
  expect(updates).toEqual([]);
});

it('counts seconds if there are no steps', () => {
  for (let n = 0; n < 3; n++) passOneSecond();
  expect(updates.map(({ progress, total }) => [progress, total])).toEqual(
    [1, 2, 3].map((n) => [n, undefined]),
  );
});

it('reports steps once a second', () => {
  for (let n = 1; n <= 120; n++) reporter.onProgress(n, 300);
  passOneSecond();
  reporter.onProgress(250, 300);
  passOneSecond();
  expect(updates).toMatchObject([120, 250].map((progress) => ({ progress, total: 300 })));
});

it('never decreases: steps that start late, take long or end early are offset', () => {
  passOneSecond();
  passOneSecond();
  reporter.onProgress(1, 3);
  passOneSecond();
  passOneSecond();
  reporter.onProgress(2, 3);
  passOneSecond();
  reporter.onProgress(3, 3);
  passOneSecond();
  passOneSecond();
  const progresses = updates.map(({ progress }) => progress);
  expect(progresses).toHaveLength(7);
  for (const [index, each] of progresses.entries())
    expect(each).toBeGreaterThan(progresses[index - 1] ?? 0);
  for (const { progress, total } of updates)
    expect(progress).toBeLessThanOrEqual(total ?? progress);
});

const CATALOG: Catalog = {
  version: '1',
  icons: [],
  instructions: '',
  tools: [],
  appTools: [],
  pageHash: '',
  operations: { morning_brief: { toolset: 'advice', effect: 'read' } },
  prompts: [],
  skills: [],
  resources: [],
  resourceTemplates: [],
};

it('sends the steps of a call to a client that gave a token', async () => {
  const never = new AbortController().signal;
  const handlers = {
    ...handlersWithoutStore(new Error('No store'), { report: async () => '' }),
    callTool: async (_: string, __: unknown, context: ToolCallContext = {}) => {
      context.onProgress?.(3, 4);
      await vi.advanceTimersByTimeAsync(1_000);
      return { content: [] };
    },
  };
  const server = createMcpServer(CATALOG, async () => handlers, {
    era: 'legacy',
    isRemote: false,
    isRestricted: false,
    toolFilter: NO_TOOL_FILTER,
    isLongLived: false,
    inputEnded: never,
    subscriptions: null,
  });

  const { content } = await exchangeOverHttp(
    server,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'morning_brief', _meta: { progressToken: 'mine' } },
    },
    {
      accepts: { json: true, events: true },
      finishesWithoutClient: false,
      signal: never,
      cancelled: never,
    },
  );

  expect(await new Response(content).text()).toContain(
    '"params":{"progressToken":"mine","progress":3,"total":4}',
  );
});

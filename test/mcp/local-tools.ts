import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Ajv, type ValidateFunction } from 'ajv';
import { beforeAll, expect } from 'vitest';
import type { Lang } from '../../src/domain/lang.ts';
import { renderTool } from '../../src/mcp/render-catalog.ts';
import { handlersFor, type RequestHandlers } from '../../src/mcp/request-handlers.ts';
import { localHandlers } from '../../src/mcp/store-handlers.ts';
import { NO_TOOL_FILTER, type ToolFilter } from '../../src/operation/tool-filter.ts';
import { RemoteRunner } from '../../src/remote/remote-runner.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { toolsByName } from '../../tools/index.ts';
import { baseFarmForFile } from '../base-farm.ts';
import { afterFile } from '../cleanup.ts';
import { bodyOf } from '../tool-results.ts';

/** 12:00 in Europe/Paris. */
export const NOW = Date.UTC(2026, 6, 1, 10);

export type CallTool = (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;

const ajv = new Ajv({ strict: true, allowUnionTypes: true });

const schemaChecks = (schemaName: 'inputSchema' | 'outputSchema') => {
  const checks = new Map<string, ValidateFunction>();
  return (name: string): ValidateFunction => {
    // Tools of the page alone have no output schema.
    const check =
      checks.get(name) ?? ajv.compile(renderTool(toolsByName.get(name)!)[schemaName] ?? {});
    checks.set(name, check);
    return check;
  };
};

export const inputCheckOf = schemaChecks('inputSchema');
const outputCheckOf = schemaChecks('outputSchema');

function expectCompleteAnswer(name: string, result: CallToolResult): void {
  if (toolsByName.get(name)!.render !== undefined) {
    expect([result.content[0]?.type, result.content.at(-1)?.type]).toEqual(['text', 'image']);
    return;
  }
  const body = bodyOf(result);
  const next = body.next === undefined ? [] : [`Next: ${body.next}`];
  expect(result.content.map((each) => (each as { text: string }).text)).toEqual([
    body.summary,
    ...next,
    JSON.stringify(body),
  ]);
  expect(Object.keys(body)[0]).toBe('summary');
  expect(body.summary.trim().length).toBeGreaterThan(10);
  const check = outputCheckOf(name);
  expect([name, check(body), check.errors ?? []]).toEqual([name, true, []]);
}

/**
 * The tools as a client of MCP has them, in this process. Each answer is compared with the output
 * schema of its tool.
 */
export function toolsOf(
  store: Store,
  {
    lang,
    clock = () => NOW,
    toolFilter = NO_TOOL_FILTER,
  }: {
    readonly lang?: Lang;
    readonly clock?: () => number;
    readonly toolFilter?: ToolFilter;
  } = {},
): CallTool {
  const handlers = localHandlers({
    store,
    lang,
    clock,
    apiKey: null,
    onReadings: undefined,
    toolFilter,
    report: throwError,
    close: async () => undefined,
  });
  return toolCallerOf(handlers);
}

interface RemoteService {
  /** Ends in /v1. */
  readonly url: string;
  readonly key: string;
  readonly lang?: Lang;
  readonly clock: () => number;
}

/** Returns the tools as with `--remote`; the caller closes them. */
export function remoteToolsOf(service: RemoteService): {
  readonly call: CallTool;
  close(): Promise<void>;
} {
  const runner = new RemoteRunner(service);
  const handlers = handlersFor(runner, { toolFilter: NO_TOOL_FILTER, report: throwError });
  return { call: toolCallerOf(handlers), close: () => handlers.close() };
}

const throwError = async (error: unknown): Promise<never> => {
  throw error;
};

const toolCallerOf =
  (handlers: RequestHandlers): CallTool =>
  async (name, args) => {
    const result = (await handlers.callTool(name, args)) as CallToolResult;
    if (!result.isError) expectCompleteAnswer(name, result);
    return result;
  };

/** On one store for all tests of a file or `describe` that do not depend on each other's writes. */
export function sharedTools({
  store: newStore = baseFarmForFile,
  lang,
}: {
  readonly store?: () => Promise<string>;
  readonly lang?: Lang;
} = {}): CallTool {
  let call: CallTool;
  beforeAll(async () => {
    const store = await openStore({ db: await newStore() });
    afterFile(() => store.close());
    call = toolsOf(store, { lang });
  });
  return (name, args) => call(name, args);
}

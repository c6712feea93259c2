import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { toolFields } from '../../src/operation/arguments/tool-fields.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import { argumentLocation, toolNameOf } from '../../src/operation/operation-fields.ts';
import type { ProblemJson } from '../../src/schema/error.ts';
import type { FieldMetadata } from '../../src/schema/field.ts';
import { afterFile } from '../cleanup.ts';
import type { CallTool } from '../mcp/local-tools.ts';
import type { WireFields } from '../operation-calls.ts';
import { copyStoreAt } from '../stores/stores.ts';
import { newEmptyStore } from '../stores/template-stores.ts';
import { connectOverHttp, mcpUrl } from './mcp/http/mcp-http-client.ts';
import { callerOf, connectServer, remoteToolsForFile, toolsForFile } from './mcp-session.ts';
import { CLOCK, type Json } from './program.ts';
import { serveStoreForFile } from './rest-service.ts';

/** The tool on the store, the endpoint, the tool with a remote service, the tool over HTTP. */
export const TEST_SURFACES = ['stdio', 'REST', 'remote', 'posted'] as const;
export type TestSurface = (typeof TEST_SURFACES)[number];

/** Operations for programs have no tool. */
export const surfacesOf = ({ rest }: AnyOperation): readonly TestSurface[] =>
  rest?.isRestOnly ? ['REST'] : TEST_SURFACES;

/** An empty store, or a copy of one that nobody has open. */
export async function storeForFile(from?: string): Promise<string> {
  const { db, remove } = await (from === undefined ? newEmptyStore() : copyStoreAt(from));
  afterFile(remove);
  return db;
}

export interface CallResult {
  /** A picture is the image block of MCP; undefined if refused. */
  readonly body?: Json;
  readonly refusal?: ProblemJson;
  readonly isReplayed: boolean;
  readonly text: string;
}

interface SurfaceCallOptions {
  readonly idempotencyKey?: string;
}

interface RequestOptions extends SurfaceCallOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

export type CallOperation = (
  operation: AnyOperation,
  wire: WireFields,
  options?: SurfaceCallOptions,
) => Promise<CallResult>;

/** Names as the tool has them, ids as references, nulls in `clear`. */
export function toolArguments(operation: AnyOperation, wire: WireFields): Record<string, unknown> {
  const { byName, clearable } = toolFields(operation);
  const cleared: string[] = [];
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(wire)) {
    const { argument = name, metadata } = byName.get(name) ?? {};
    if (value === null && clearable.includes(argument)) cleared.push(argument);
    else args[argument] = reference(metadata, value);
  }
  return cleared.length > 0 ? { ...args, clear: cleared } : args;
}

const reference = (metadata: FieldMetadata | undefined, value: unknown): unknown =>
  typeof value === 'number' && (metadata?.kind === 'module' || metadata?.kind === 'parcel')
    ? `#${value}`
    : value;

export interface SurfaceClient {
  readonly client: Client;
  readonly call: CallOperation;
  close(): Promise<void>;
}

/** For what the answers of the tools say; in this process, but in deep runs those of the program. */
export const toolSurface = async (db: string): Promise<CallOperation> =>
  operationCaller(await toolsForFile(db));

export const remoteToolSurface = async (base: string, key: string): Promise<CallOperation> =>
  operationCaller(await remoteToolsForFile(base, { key }));

/** The clock of the server runs on from CLOCK. */
export const stdioSurface = async (
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<SurfaceClient> =>
  surfaceOf((await connectServer([...args, '--clock', CLOCK], { env })).client);

/** `base` ends in /v1. The person confirms whatever has to be confirmed. */
export async function mcpHttpSurface(base: string, key: string): Promise<SurfaceClient> {
  const { client } = await connectOverHttp(mcpUrl(base), { 'x-api-key': key }, afterFile);
  const surface = surfaceOf(client);
  const call: CallOperation = (operation, wire, options) =>
    surface.call(
      operation,
      operation.tool?.asksConfirmation ? { ...wire, confirm: true } : wire,
      options,
    );
  return { ...surface, call };
}

function surfaceOf(client: Client): SurfaceClient {
  afterFile(() => client.close());
  return { client, call: operationCaller(callerOf(client)), close: () => client.close() };
}

const operationCaller =
  (callTool: CallTool): CallOperation =>
  async (operation, wire, options = {}) =>
    toCallResult(
      operation,
      await callTool(toolNameOf(operation), { ...toolArguments(operation, wire), ...options }),
    );

function toCallResult({ tool }: AnyOperation, result: CallToolResult): CallResult {
  const text = JSON.stringify(result);
  const isReplayed = result._meta?.['acequia/replayed'] === true;
  if (result.isError)
    return { refusal: result._meta?.['acequia/error'] as ProblemJson, isReplayed, text };
  const picture = result.content.find(({ type }) => type === 'image');
  if (picture)
    return { body: picture, isReplayed, text: JSON.stringify([result.content[0], '(a picture)']) };
  const content = result.structuredContent as Record<string, unknown>;
  const { summary: _1, next: _2, changeId: _3, replayed: _4, ...body } = content;
  return { body: tool?.wrapBodyAs === undefined ? body : body[tool.wrapBodyAs], isReplayed, text };
}

export function restRequest(
  base: string,
  key: string,
  { endpoint }: AnyOperation,
  wire: WireFields,
  options: RequestOptions = {},
) {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let path = endpoint.path;
  for (const [name, value] of Object.entries(wire)) {
    const location = argumentLocation(endpoint, name);
    if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (location === 'query') query.append(name, String(value));
    else body[name] = value;
  }
  const hasBody = argumentLocation(endpoint, '') === 'body';
  return fetch(`${base}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: endpoint.method,
    headers: {
      'x-api-key': key,
      ...options.headers,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(options.idempotencyKey === undefined
        ? {}
        : { 'idempotency-key': options.idempotencyKey }),
    },
    body: hasBody ? JSON.stringify(body) : null,
  });
}

/** Sends the defaults of the tool, so that both calls mean the same. */
export const restSurface =
  (base: string, key: string): CallOperation =>
  async (operation, wire, options) => {
    const answer = await restRequest(
      base,
      key,
      operation,
      { ...operation.tool?.defaults, ...wire },
      options,
    );
    const isReplayed = answer.headers.has('idempotent-replayed');
    const headerText = [...answer.headers].join('\n');
    const mimeType = answer.headers.get('content-type');
    if (mimeType === 'image/png') {
      const data = Buffer.from(await answer.arrayBuffer()).toString('base64');
      return {
        body: { type: 'image', data, mimeType },
        isReplayed,
        text: `${headerText}\n(a picture)`,
      };
    }
    const text = await answer.text();
    const responseBody = JSON.parse(text);
    const common = { isReplayed, text: `${headerText}\n${text}` };
    if (answer.status === operation.endpoint.status) return { ...common, body: responseBody };
    const { detail, code, status, hint, field } = responseBody;
    return { ...common, refusal: { code, status, message: detail, hint, field } };
  };

export const serveStore = async (db: string): Promise<string> =>
  (await serveStoreForFile(db, '--rate-limit', '0', '--clock', CLOCK)).base;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type AnyOperation, placeOf } from '../../src/operation/operation.ts';
import { clearable } from '../../src/operation/tool-arguments.ts';
import { toolName } from '../../src/operation/tool-names.ts';
import type { Problem } from '../../src/schema/error.ts';
import { factsOf } from '../../src/schema/field.ts';
import { afterFile } from '../endings.ts';
import { newEmptyStore } from '../kept-stores.ts';
import { copyOf } from '../stores.ts';
import { newClient } from './client.ts';
import { BINARY, CLOCK, type Wired } from './program.ts';

/** How an operation can be asked for: its tool on the store, over HTTP, its tool with a remote service, its tool over HTTP. */
export const WAYS = ['stdio', 'REST', 'remote', 'posted'] as const;
export type Way = (typeof WAYS)[number];

/** The ways there are to an operation: what is for programs alone has no tool. */
export const waysOf = ({ restOnly }: AnyOperation): readonly Way[] => (restOnly ? ['REST'] : WAYS);

/** An empty folder for all tests of a file. */
export async function folderForAll(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-acceptance-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A place for a store, for all tests of a file; with a copy of what is at another one, that nobody has open. */
export async function dbForAll(from?: string): Promise<string> {
  const { db, remove } = await (from === undefined ? newEmptyStore() : copyOf(from));
  afterFile(remove);
  return db;
}

/** Arguments as they stand on the wire: ids, ISO 8601, null to empty. */
export type Fields = Readonly<Record<string, unknown>>;

/** What came back, by whatever way. */
export interface Heard {
  /** The endpoint's body, or a picture as MCP carries it; undefined where it was refused. */
  readonly body?: Wired;
  readonly refusal?: Problem;
  readonly isReplayed: boolean;
  /** All that came, headers too, as text. */
  readonly text: string;
}

export interface Asked {
  readonly idempotencyKey?: string;
}

export type Ask = (described: AnyOperation, wire: Fields, asked?: Asked) => Promise<Heard>;

/** The tool's arguments for what stands on the wire: its names, ids as references, nulls in `clear`. */
export function toolArguments(described: AnyOperation, wire: Fields): Record<string, unknown> {
  const emptied = Object.keys(wire).filter((name) => wire[name] === null && clearable(described).includes(name));
  const given = Object.entries(wire).filter(([name]) => !emptied.includes(name));
  return {
    ...Object.fromEntries(given.map(([name, value]) => [toolName(name), reference(described, name, value)])),
    ...(emptied.length > 0 && { clear: emptied }),
  };
}

function reference(described: AnyOperation, name: string, value: unknown): unknown {
  const schema = described.input.shape[name];
  const kind = schema && factsOf(schema).kind;
  return typeof value === 'number' && (kind === 'module' || kind === 'parcel') ? `#${value}` : value;
}

export interface ToolWay {
  readonly client: Client;
  readonly ask: Ask;
  close(): Promise<void>;
}

/** A stdio server with arguments and environment of its own, its clock running on from CLOCK. */
export async function toolWay(args: readonly string[], env: Record<string, string> = {}): Promise<ToolWay> {
  return wayOver(
    new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, ...args, '--clock', CLOCK],
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'ignore',
    }),
  );
}

/** The tools of a service, over HTTP; `base` is its address that ends in /v1. */
export const postedWay = (base: string, key: string): Promise<ToolWay> =>
  wayOver(new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers: { 'x-api-key': key } } }));

async function wayOver(transport: Transport): Promise<ToolWay> {
  const client = newClient();
  afterFile(() => client.close());
  await client.connect(transport);
  return {
    client,
    async ask(described, wire, asked = {}) {
      const given = { ...toolArguments(described, wire), ...asked };
      return heardOfTool(
        described,
        (await client.callTool({ name: described.name, arguments: given })) as CallToolResult,
      );
    },
    close: () => client.close(),
  };
}

function heardOfTool({ wrap }: AnyOperation, result: CallToolResult): Heard {
  const text = JSON.stringify(result);
  const isReplayed = result._meta?.['acequia/replayed'] === true;
  if (result.isError) return { refusal: result._meta?.['acequia/error'] as Problem, isReplayed, text };
  const picture = result.content.find(({ type }) => type === 'image');
  if (picture) return { body: picture, isReplayed, text: JSON.stringify([result.content[0], '(a picture)']) };
  const { summary: _, ...body } = result.structuredContent as Record<string, unknown>;
  return { body: wrap === undefined ? body : body[wrap], isReplayed, text };
}

/** The request for an operation: every argument where its endpoint takes it. */
export function restRequest(base: string, key: string, { endpoint }: AnyOperation, wire: Fields, asked: Asked = {}) {
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  let path = endpoint.path;
  for (const [name, value] of Object.entries(wire)) {
    const place = placeOf(endpoint, name);
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === 'query') query.append(name, String(value));
    else body[name] = value;
  }
  const hasBody = placeOf(endpoint, '') === 'body';
  return fetch(`${base}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: endpoint.method,
    headers: {
      'x-api-key': key,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(asked.idempotencyKey !== undefined && { 'idempotency-key': asked.idempotencyKey }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
}

/** Over HTTP: what a tool leaves out by its own default is said, so that the same is asked. */
export const restWay =
  (base: string, key: string): Ask =>
  async (described, wire, asked) => {
    const answer = await restRequest(base, key, described, { ...described.toolDefaults, ...wire }, asked);
    const isReplayed = answer.headers.has('idempotent-replayed');
    const told = [...answer.headers].join('\n');
    const mimeType = answer.headers.get('content-type');
    if (mimeType === 'image/png') {
      const data = Buffer.from(await answer.arrayBuffer()).toString('base64');
      return { body: { type: 'image', data, mimeType }, isReplayed, text: `${told}\n(a picture)` };
    }
    const text = await answer.text();
    const heard = JSON.parse(text);
    const common = { isReplayed, text: `${told}\n${text}` };
    if (answer.status === described.endpoint.status) return { ...common, body: heard };
    const { detail, code, status, hint, field } = heard;
    return { ...common, refusal: { code, status, message: detail, hint, field } };
  };

/** `acequia serve` on a store at a free port, its clock running on from CLOCK, without a limit of rate; its address. */
export async function serving(db: string): Promise<string> {
  const args = [BINARY, 'serve', '--port', '0', '--rate-limit', '0', '--db', db, '--clock', CLOCK];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  afterFile(async () => {
    child.kill();
    await ended;
  });
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line'),
    ended.then(() => ['acequia serve ended before it served']),
  ])) as [string];
  const base = /^Serving on (http\S+)$/.exec(line)?.[1];
  if (base === undefined) throw new Error(line);
  return base;
}

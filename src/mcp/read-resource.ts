import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { toolsByName } from '../../tools/index.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { Performed } from '../operation/performer.ts';
import type { Readable } from './catalog.ts';
import { resources, resourceTemplates } from './readables.ts';

/** What a URI asks for: an operation, and the arguments it is sent. */
export interface ResourceAsked {
  readonly described: AnyOperation;
  readonly sent: Record<string, unknown>;
  readonly only: Readable['only'];
}

/** Reads a resource's URI; its query gives arguments too. Throws "resource not found" where there is none. */
export function resourceAsked(uri: string): ResourceAsked {
  const [path = '', query = ''] = uri.split('?', 2);
  const asked = Object.fromEntries(new URLSearchParams(query));
  const fixed = resources.find((each) => each.uri === path);
  if (fixed) {
    const { operation, only, arguments: more } = fixed;
    return { described: toolsByName.get(operation)!, sent: { ...more, ...asked }, only };
  }
  for (const { uriTemplate, operation, only } of resourceTemplates) {
    const variable = /\{(\w+)\}/.exec(uriTemplate)![1]!;
    const found = new RegExp(`^${uriTemplate.replace(/\{\w+\}/, '([^/]+)')}$`).exec(path)?.[1];
    if (found !== undefined)
      return { described: toolsByName.get(operation)!, sent: { ...asked, [variable]: decoded(found) }, only };
  }
  throw new McpError(-32002, `There is no resource ${JSON.stringify(uri)}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The resource's body: the operation's, or of its whole list the rows that are meant. */
export async function resourceBody(
  { described, sent, only }: ResourceAsked,
  perform: (described: AnyOperation, sent: unknown) => Promise<Performed>,
): Promise<unknown> {
  if (!only) return (await perform(described, sent)).body;
  const rows: unknown[] = [];
  for (let cursor: unknown; cursor !== null; ) {
    const { body } = await perform(described, { ...sent, ...(cursor !== undefined && { cursor }) });
    const page = body as { data: unknown[]; next_cursor: string | null };
    rows.push(...page.data.filter((row) => isSet(row, only)));
    cursor = page.next_cursor;
  }
  return { data: rows, next_cursor: null };
}

const isSet = (row: unknown, path: readonly string[]): boolean =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row) === true;

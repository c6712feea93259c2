import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { toolsByName } from '../../tools/index.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { OperationResult } from '../operation/performer.ts';
import type { ResourceSource } from './catalog.ts';
import { resources, resourceTemplates } from './resources.ts';

/** What a URI asks for: an operation, and the arguments it is sent. */
export interface ResourceRequest {
  readonly operation: AnyOperation;
  readonly sent: Record<string, unknown>;
  readonly onlyFlagged: ResourceSource['onlyFlagged'];
}

/** Reads a resource's URI; its query gives arguments too. Throws "resource not found" where there is none. */
export function parseResourceUri(uri: string): ResourceRequest {
  const [path = '', query = ''] = uri.split('?', 2);
  const queryArguments = Object.fromEntries(new URLSearchParams(query));
  const fixed = resources.find((each) => each.uri === path);
  if (fixed) {
    const { operation, onlyFlagged: only, arguments: more } = fixed;
    return { operation: toolsByName.get(operation)!, sent: { ...more, ...queryArguments }, onlyFlagged: only };
  }
  for (const { uriTemplate, operation, onlyFlagged: only } of resourceTemplates) {
    const variable = /\{(\w+)\}/.exec(uriTemplate)![1]!;
    const found = new RegExp(`^${uriTemplate.replace(/\{\w+\}/, '([^/]+)')}$`).exec(path)?.[1];
    if (found !== undefined)
      return {
        operation: toolsByName.get(operation)!,
        sent: { ...queryArguments, [variable]: decodeOrKeep(found) },
        onlyFlagged: only,
      };
  }
  throw new McpError(-32002, `There is no resource ${JSON.stringify(uri)}`);
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The resource's body: the operation's, or of its whole list the rows that are meant. */
export async function readResourceBody(
  { operation, sent, onlyFlagged }: ResourceRequest,
  perform: (operation: AnyOperation, sent: unknown) => Promise<OperationResult>,
): Promise<unknown> {
  if (!onlyFlagged) return (await perform(operation, sent)).body;
  const rows: unknown[] = [];
  for (let cursor: unknown; cursor !== null; ) {
    const { body } = await perform(operation, { ...sent, ...(cursor !== undefined && { cursor }) });
    const page = body as { data: unknown[]; next_cursor: string | null };
    rows.push(...page.data.filter((row) => isSet(row, onlyFlagged)));
    cursor = page.next_cursor;
  }
  return { data: rows, next_cursor: null };
}

const isSet = (row: unknown, path: readonly string[]): boolean =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row) === true;

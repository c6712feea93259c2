import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

interface ToolRefusal {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly field?: string;
  readonly status: number;
}

export function refusalOf(result: CallToolResult): ToolRefusal {
  if (!result.isError) throw new Error(`Not refused: ${JSON.stringify(result.structuredContent)}`);
  return result._meta?.['acequia/error'] as ToolRefusal;
}

export function bodyOf(result: CallToolResult): Json {
  if (result.isError) throw new Error(`Refused: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

export const firstText = (result: CallToolResult): string => {
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
};

/** JSON of any shape, from another process or an answer. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = any;

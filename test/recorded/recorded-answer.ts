import { createHash } from 'node:crypto';
import type { Json } from '../tool-results.ts';

/** The result of a tool, in the types of either library of MCP. */
interface ToolResult {
  readonly content: readonly Json[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** All that a result says; a picture by its hash. */
export function recordedAnswer(result: ToolResult): Json {
  const { content, structuredContent, isError, _meta } = result;
  const texts = content.map((block): string => (block.type === 'text' ? block.text : block.type));
  if (isError) return { texts, error: _meta?.['acequia/error'] };

  const picture = content.find((block) => block.type === 'image');
  if (picture) return { texts, picture: hashOf(picture.data) };

  // The text blocks are the summary, the next calls, and all of it as JSON.
  const { summary, next, ...body } = structuredContent as Record<string, Json>;
  return { summary, ...(next === undefined ? {} : { next }), body };
}

export const hashOf = (content: string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Numbered, because a call may come again with another answer. */
export const questionOf = (index: number, tool: string, args: unknown): string =>
  `${String(index).padStart(3, '0')} ${tool} ${JSON.stringify(args)}`;

/** Records each answer, in the order of the calls; `prefix` begins their names. */
export function recordingTo<Result extends ToolResult>(
  said: Record<string, Json>,
  prefix: string,
  call: (tool: string, args?: Record<string, unknown>) => Promise<Result>,
): typeof call {
  let count = 0;
  return async (tool, args = {}) => {
    const result = await call(tool, args);
    said[`${prefix}${questionOf(count++, tool, args)}`] = recordedAnswer(result);
    return result;
  };
}

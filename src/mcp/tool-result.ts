import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type AnyOperation, structuredBody } from '../operation/operation.ts';
import type { OperationResult } from '../operation/performer.ts';
import type { AcequiaError } from '../schema/error.ts';

/**
 * Both renderings are complete on their own, since clients show the model only one of them. A picture comes without
 * structured content, beside which some clients drop it.
 */
export function toolResult(
  operation: AnyOperation,
  { body, summary, picture, isReplay }: OperationResult,
): CallToolResult {
  if (picture) {
    const data = Buffer.from(picture.data).toString('base64');
    return {
      content: [
        { type: 'text', text: summary },
        { type: 'image', data, mimeType: picture.mimeType },
      ],
    };
  }
  const structuredContent = { summary, ...structuredBody(operation, body) };
  return {
    content: [
      { type: 'text', text: summary },
      { type: 'text', text: JSON.stringify(structuredContent) },
    ],
    structuredContent,
    ...(isReplay && { _meta: { 'acequia/replayed': true } }),
  };
}

/** A refusal: its text for the model, the whole of it for programs. */
export function toolError(error: AcequiaError): CallToolResult {
  const text = `${error.code}: ${error.message}${error.hint ? ` ${error.hint}` : ''}`;
  return { isError: true, content: [{ type: 'text', text }], _meta: { 'acequia/error': error.toJSON() } };
}

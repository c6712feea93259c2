import { ErrorCode, type GetPromptResult, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { CatalogPrompt } from './catalog.ts';

/** `{{argument: words without it}}` */
const ARGUMENT_PLACEHOLDER = /\{\{(\w+): ([^}]*)\}\}/g;

/** The prompt's text with its arguments filled in; a value is quoted as the data it is. */
export function fillPrompt(prompt: Omit<CatalogPrompt, 'needs'>, given: Record<string, string>): GetPromptResult {
  const missing = prompt.arguments?.find((each) => each.required && !given[each.name]);
  if (missing) throw new McpError(ErrorCode.InvalidParams, `The prompt ${prompt.name} needs ${missing.name}`);
  const text = prompt.text.replace(ARGUMENT_PLACEHOLDER, (_, name: string, otherwise: string) => {
    const value = given[name]?.trim();
    return value ? JSON.stringify(value) : otherwise;
  });
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

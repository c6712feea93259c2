import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Message, Prompt, Step, Usage } from './assistant.ts';

const countedTexts = new Map<string, number>();

/** Definitions and earlier messages recur in every step. */
function tokensOf(text: string): number {
  const count = countedTexts.get(text) ?? countTokens(text);
  countedTexts.set(text, count);
  return count;
}

/** Tokens of one request without caching, counted with o200k_base. */
export function estimatedUsage({ system, tools, messages }: Prompt, { text, calls }: Step): Usage {
  const definitions = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  return {
    input: [system, JSON.stringify(definitions), ...messages.map(textOf)].reduce(
      (sum, each) => sum + tokensOf(each),
      0,
    ),
    output: tokensOf(textOf({ from: 'assistant', text, calls })),
  };
}

const textOf = (message: Message): string =>
  message.from === 'assistant'
    ? message.text + message.calls.map(({ name, args }) => name + JSON.stringify(args)).join('')
    : message.text;

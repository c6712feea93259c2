import { setTimeout as pause } from 'node:timers/promises';
import type { Assistant, Message, Prompt, RequestedCall, Step, Usage } from './assistant.ts';

export interface Endpoint {
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
}

export const APIS = ['openai', 'anthropic'] as const;
export type Api = (typeof APIS)[number];

/** Reads the same environment variables as the SDKs of the two services. */
export function endpointOf(
  api: Api,
  model: string,
  env: NodeJS.ProcessEnv = process.env,
): Endpoint {
  const [prefix, fallback] =
    api === 'openai'
      ? ['OPENAI', 'https://api.openai.com/v1']
      : ['ANTHROPIC', 'https://api.anthropic.com'];
  const key = env[`${prefix}_API_KEY`];
  if (!key)
    throw new Error(`Set ${prefix}_API_KEY, and ${prefix}_BASE_URL unless it is ${fallback}.`);
  return { baseUrl: (env[`${prefix}_BASE_URL`] || fallback).replace(/\/+$/, ''), key, model };
}

export const modelAssistant = (api: Api, endpoint: Endpoint): Assistant => ({
  next: (prompt) =>
    api === 'openai' ? askOpenAi(endpoint, prompt) : askAnthropic(endpoint, prompt),
});

// biome-ignore lint/suspicious/noExplicitAny: JSON of another service
type Json = any;

async function askOpenAi(
  { baseUrl, key, model }: Endpoint,
  { system, tools, messages }: Prompt,
): Promise<Step> {
  const { choices, usage } = await post(
    `${baseUrl}/chat/completions`,
    { authorization: `Bearer ${key}` },
    {
      model,
      messages: [{ role: 'system', content: system }, ...messages.map(toOpenAi)],
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    },
  );
  const { content, tool_calls: calls } = choices[0].message;
  return {
    text: content ?? '',
    calls: (calls ?? []).map(({ id, function: { name, arguments: args } }: Json) => ({
      id,
      name,
      args: parseArguments(args),
    })),
    usage: usage ? usageOf(usage.prompt_tokens, usage.completion_tokens) : null,
  };
}

function toOpenAi(message: Message): Json {
  switch (message.from) {
    case 'person':
      return { role: 'user', content: message.text };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text,
        ...(message.calls.length > 0 && {
          tool_calls: message.calls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        }),
      };
  }
}

async function askAnthropic(
  { baseUrl, key, model }: Endpoint,
  { system, tools, messages }: Prompt,
): Promise<Step> {
  const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
  const { content, usage } = await post(`${baseUrl}/v1/messages`, headers, {
    model,
    system,
    max_tokens: 4096,
    messages: toAnthropic(messages),
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    })),
  });
  const texts = content.filter(({ type }: Json) => type === 'text');
  const calls = content.filter(({ type }: Json) => type === 'tool_use');
  const {
    input_tokens = 0,
    cache_creation_input_tokens = 0,
    cache_read_input_tokens = 0,
    output_tokens,
  } = usage ?? {};
  return {
    text: texts.map(({ text }: Json) => text).join('\n'),
    calls: calls.map(({ id, name, input }: Json): RequestedCall => ({ id, name, args: input })),
    usage: usage
      ? usageOf(input_tokens + cache_creation_input_tokens + cache_read_input_tokens, output_tokens)
      : null,
  };
}

/** The results of all calls of one step go into one message. */
function toAnthropic(messages: readonly Message[]): Json[] {
  const converted: { role: string; content: Json[] }[] = [];
  for (const message of messages) {
    const role = message.from === 'assistant' ? 'assistant' : 'user';
    const last = converted.at(-1);
    if (last?.role === role) last.content.push(...toBlocks(message));
    else converted.push({ role, content: toBlocks(message) });
  }
  return converted.filter(({ content }) => content.length > 0);
}

function toBlocks(message: Message): Json[] {
  if (message.from === 'tool')
    return [
      {
        type: 'tool_result',
        tool_use_id: message.callId,
        content: message.text,
        is_error: message.isError,
      },
    ];
  const text = message.text === '' ? [] : [{ type: 'text', text: message.text }];
  const calls = message.from === 'assistant' ? message.calls : [];
  return [
    ...text,
    ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
  ];
}

const usageOf = (input: number, output: number): Usage => ({ input, output });

/** A model may write arguments that are not JSON; the tool then refuses what is missing. */
function parseArguments(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return { unreadable: text };
  }
}

const TRIES = 5;

async function post(url: string, headers: Record<string, string>, body: Json): Promise<Json> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch((error: Error) => new Response(String(error.cause ?? error), { status: 503 }));
    if (response.ok) return response.json();
    const problem = `${url} answers ${response.status}: ${(await response.text()).slice(0, 500)}`;
    if (attempt === TRIES || (response.status !== 429 && response.status < 500))
      throw new Error(problem);
    await pause(1000 * Number(response.headers.get('retry-after') ?? 2 ** attempt));
  }
}

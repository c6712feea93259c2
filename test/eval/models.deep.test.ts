import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { playStory } from '../../eval/conversation.ts';
import { Farms } from '../../eval/farm.ts';
import { type Api, endpointOf, modelAssistant } from '../../eval/models.ts';
import { STORIES } from '../../eval/program.ts';
import { loadStories } from '../../eval/story.ts';
import type { Json } from '../acceptance/program.ts';
import { afterTest } from '../cleanup.ts';
import { folderForFile, newFolder } from '../temporary-places.ts';

const WATERING = {
  module: 'North 1',
  startedAt: 'yesterday at 18:00',
  inputMode: 'duration',
  durationMin: 40,
};
const REPLY = 'Logged 40 minutes.';

const openAiReply = (message: object): object => ({
  choices: [{ message: { role: 'assistant', ...message } }],
  usage: { prompt_tokens: 1000, completion_tokens: 10 },
});

/** Answers of the endpoints of both kinds in their documented form: a call, then the words. */
const REPLIES: Record<Api, readonly object[]> = {
  openai: [
    openAiReply({
      content: null,
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'log_watering', arguments: JSON.stringify(WATERING) },
        },
      ],
    }),
    openAiReply({ content: REPLY }),
  ],
  anthropic: [
    {
      content: [
        { type: 'text', text: 'I log it.' },
        { type: 'tool_use', id: 'toolu_1', name: 'log_watering', input: WATERING },
      ],
      usage: { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 10 },
    },
    { content: [{ type: 'text', text: REPLY }], usage: { input_tokens: 1000, output_tokens: 10 } },
  ],
};

interface Request {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** Refuses the first request as too many, then gives the replies in order. */
async function fakeEndpoint(
  replies: readonly object[],
): Promise<{ url: string; requests: Request[] }> {
  const requests: Request[] = [];
  const left = [...replies];
  let isRefused = false;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      if (!isRefused) {
        isRefused = true;
        response.writeHead(429, { 'retry-after': '0' }).end('slow down');
        return;
      }
      requests.push({ path: request.url!, headers: request.headers, body: JSON.parse(text) });
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(left.shift()));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  afterTest(() => new Promise<void>((closed) => server.close(() => closed())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const farms = new Farms(await folderForFile());

async function playAgainst(api: Api) {
  const { url, requests } = await fakeEndpoint(REPLIES[api]);
  const prefix = api === 'openai' ? 'OPENAI' : 'ANTHROPIC';
  const base = api === 'openai' ? `${url}/v1/` : url;
  const endpoint = endpointOf(api, 'some-model', {
    [`${prefix}_API_KEY`]: 'secret',
    [`${prefix}_BASE_URL`]: base,
  });
  const story = (await loadStories(STORIES)).find(({ id }) => id === 'yesterday-evening')!;
  const folder = await newFolder();
  const result = await playStory(story, await farms.get(story.farm), { folder }, () =>
    modelAssistant(api, endpoint),
  );
  return { result, requests };
}

describe('a model', () => {
  it('plays a story at an endpoint that is compatible with OpenAI', async () => {
    const { result, requests } = await playAgainst('openai');
    expect(result).toMatchObject({
      problems: [],
      usage: { input: 2000, output: 20 },
      isEstimate: false,
    });
    const [first, second] = requests.map(({ body }) => body);
    expect(requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer secret' },
    });
    expect(first.messages[0].content).toMatch(/Acequia[\s\S]*Today is Wednesday,? 15 July 2026/);
    expect(first.tools.map((tool: Json) => tool.function.name)).toContain('log_watering');
    expect(second.messages.map(({ role }: Json) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    expect(second.messages[3]).toMatchObject({
      tool_call_id: 'call_1',
      content: expect.stringContaining('40 min'),
    });
  });

  it('plays a story at an endpoint of Anthropic', async () => {
    const { result, requests } = await playAgainst('anthropic');
    expect(result).toMatchObject({
      problems: [],
      usage: { input: 2000, output: 20 },
      isEstimate: false,
    });
    expect(requests[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': 'secret' } });
    expect(requests[1]!.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text' }, { type: 'tool_use', input: WATERING }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: false }] },
    ]);
  });

  it('needs a key', () => {
    expect(() => endpointOf('openai', 'some-model', {})).toThrow('OPENAI_API_KEY');
  });
});

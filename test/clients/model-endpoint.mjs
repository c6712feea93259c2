import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A model on this machine that follows a script, in the four shapes that assistants speak:
 * Anthropic's messages, OpenAI's responses and chat completions, and Gemini's contents. It keeps
 * every request, so that what reached the model is known. A step of the script is a tool call, for
 * which `tool(names)` picks the name among those that were sent to the model.
 */
export async function scriptedModel(script) {
  const requests = [];
  const server = createServer(async (incoming, outgoing) => {
    const parts = [];
    for await (const part of incoming) parts.push(part);
    const shape = SHAPES.find(({ path }) => path.test(incoming.url));
    if (!shape || incoming.method !== 'POST') return outgoing.writeHead(200, JSON_HEAD).end('{}');
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
    const tools = shape.tools(body);
    requests.push({ url: incoming.url, body, tools, text: JSON.stringify(body) });
    const reply = tools.length === 0 ? { text: 'Acequia' } : nextReply(script, shape, body, tools);
    shape.send(outgoing, reply, { body, url: incoming.url });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const JSON_HEAD = { 'content-type': 'application/json' };
const EVENT_HEAD = { 'content-type': 'text/event-stream' };
const MODEL = 'scripted';
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

function nextReply(script, shape, body, tools) {
  const answered = shape.answered(body);
  for (const [index, { tool, args }] of script.entries()) {
    const id = `step_${index}`;
    const name = tool(tools.map((each) => each.name));
    if (name === undefined || answered(id, name)) continue;
    return { id, name, args, tool: tools.find((each) => each.name === name) };
  }
  return { text: 'Done.' };
}

const event = (data, name) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

function sendEvents(outgoing, events) {
  outgoing.writeHead(200, EVENT_HEAD);
  outgoing.end(events.join(''));
}

const anthropic = {
  path: /\/v1\/messages(\?|$)/,
  tools: ({ tools = [] }) => tools.filter(({ name }) => name),
  answered: (body) => (id) => JSON.stringify(body.messages).includes(`"tool_use_id":"toolu_${id}"`),
  send(outgoing, { id, name, args, text }, { body }) {
    const content = name
      ? { type: 'tool_use', id: `toolu_${id}`, name, input: args }
      : { type: 'text', text };
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: body.model,
      stop_sequence: null,
    };
    const [stop_reason, usage] = [name ? 'tool_use' : 'end_turn', USAGE];
    if (!body.stream) {
      outgoing
        .writeHead(200, JSON_HEAD)
        .end(JSON.stringify({ ...message, content: [content], stop_reason, usage }));
      return;
    }
    const start = name ? { ...content, input: {} } : { ...content, text: '' };
    const delta = name
      ? { type: 'input_json_delta', partial_json: JSON.stringify(args) }
      : { type: 'text_delta', text };
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    sendEvents(
      outgoing,
      events.map((each) => event(each, each.type)),
    );
  },
};

/** Tools may be grouped in namespaces; a call then names both. */
const openaiTool = (tool) =>
  tool.type === 'namespace'
    ? tool.tools.map((each) => ({
        ...each,
        name: `${tool.name}.${each.name}`,
        own: each.name,
        namespace: tool.name,
      }))
    : [{ ...tool, ...tool.function, name: tool.name ?? tool.function?.name ?? tool.type }];

const openaiResponses = {
  path: /\/responses(\?|$)/,
  tools: ({ tools = [] }) => tools.flatMap(openaiTool),
  answered: (body) => (id) => JSON.stringify(body.input).includes(`"call_id":"call_${id}"`),
  send(outgoing, { id, name, args, text, tool }) {
    const call = {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: `call_${id}`,
      arguments: JSON.stringify(args),
    };
    const item = name
      ? {
          ...call,
          name: tool?.own ?? name,
          ...(tool?.namespace ? { namespace: tool.namespace } : {}),
          status: 'completed',
        }
      : {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text }],
        };
    const response = {
      id: 'resp_1',
      object: 'response',
      model: MODEL,
      status: 'completed',
      output: [item],
      usage: USAGE,
    };
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
    sendEvents(
      outgoing,
      events.map((each) => event(each, each.type)),
    );
  },
};

const openaiChat = {
  path: /\/chat\/completions(\?|$)/,
  tools: ({ tools = [] }) => tools.flatMap(openaiTool),
  answered: (body) => (id) => JSON.stringify(body.messages).includes(`"tool_call_id":"call_${id}"`),
  send(outgoing, { id, name, args, text }) {
    const call = {
      index: 0,
      id: `call_${id}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    };
    const delta = { role: 'assistant', ...(name ? { tool_calls: [call] } : { content: text }) };
    const chunk = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: MODEL };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    sendEvents(outgoing, [
      event({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] }),
      event({
        ...chunk,
        choices: [{ index: 0, delta: {}, finish_reason: name ? 'tool_calls' : 'stop' }],
        usage,
      }),
      'data: [DONE]\n\n',
    ]);
  },
};

const gemini = {
  path: /:(streamG|g)enerateContent/,
  tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
  answered: (body) => {
    const parts = body.contents.flatMap((content) => content.parts);
    const names = parts.map(({ functionResponse }) => functionResponse?.name);
    return (_, name) => names.includes(name);
  },
  send(outgoing, { name, args, text }, { url }) {
    const part = name ? { functionCall: { name, args } } : { text };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const candidates = [
      { index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' },
    ];
    const answer = { candidates, usageMetadata, modelVersion: MODEL };
    if (url.includes('streamGenerate')) return sendEvents(outgoing, [event(answer)]);
    return outgoing.writeHead(200, JSON_HEAD).end(JSON.stringify(answer));
  },
};

const SHAPES = [anthropic, openaiResponses, openaiChat, gemini];

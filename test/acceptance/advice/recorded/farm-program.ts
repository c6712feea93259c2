import { type CommandOptions, type Json, runCommand, startCommand } from '../../program.ts';

/**
 * A clock that stands still: otherwise ages and forecasts, which depend on the time of the call,
 * would differ by the seconds that the run takes.
 */
export const STOPPED_CLOCK = {
  NODE_OPTIONS: '--import=data:text/javascript,performance.now=()=>0',
};

export interface ToolResult {
  readonly text: string;
  readonly body?: Json;
  readonly picture?: string;
  readonly refusal?: Json;
}

export type CallTool = (name: string, args: object) => Promise<ToolResult>;

/** Runs a command of the program to its end. */
export async function runAt(
  now: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<void> {
  const { code, stderr } = await runCommand([...args, '--clock', now], {
    ...options,
    env: { ...STOPPED_CLOCK, ...options.env },
  });
  if (code !== 0) throw new Error(`acequia ${args.join(' ')} ended with ${code}: ${stderr}`);
}

/** Asks the tools of a program that serves standard input. */
export async function withTools<T>(
  now: string,
  args: readonly string[],
  options: CommandOptions,
  body: (call: CallTool) => Promise<T>,
): Promise<T> {
  const running = startCommand(['mcp', '--clock', now, ...args], {
    ...options,
    env: { ...STOPPED_CLOCK, ...options.env },
  });
  const { stdin, stdout } = running.child;
  const waiting = new Map<number, (message: Json) => void>();
  let lastId = 0;
  let rest = '';
  stdout.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    }
  });
  const ended = running.ended.then(({ code, signal, stderr }): never => {
    throw new Error(`The program ended (${code ?? signal}) without an answer: ${stderr}`);
  });
  ended.catch(() => undefined);

  const request = (method: string, params: object): Promise<Json> => {
    const id = ++lastId;
    const answered = new Promise<Json>((resolve) => waiting.set(id, resolve));
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return Promise.race([answered, ended]);
  };
  try {
    await request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'farm', version: '1' },
    });
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    return await body(async (name, callArgs) => {
      const answer = await request('tools/call', { name, arguments: callArgs });
      if (answer.error) throw new Error(`${name}: ${answer.error.message}`);
      return toToolResult(answer.result);
    });
  } finally {
    stdin.end();
    await running.ended;
  }
}

function toToolResult(result: Json): ToolResult {
  const text: string = result.content[0].text;
  if (result.isError) return { text, refusal: result._meta['acequia/error'] };
  const picture = result.content.find(({ type }: Json) => type === 'image')?.data;
  return {
    text,
    ...(picture === undefined ? {} : { picture }),
    ...(result.structuredContent === undefined ? {} : { body: result.structuredContent }),
  };
}

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { transcript } from '../output/transcript.ts';
import { demoEnvironment } from './demo-environment.ts';

export interface DemoService {
  readonly args: string[];
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

export async function serveDemo(program: string, file: string, options: readonly string[]): Promise<DemoService> {
  const create = [program, 'keys', 'create', '--db', file, '--preset', 'assistant', '--json'];
  transcript.runs('acequia keys create --preset assistant');
  const output = await promisify(execFile)(process.execPath, create, { env: demoEnvironment() });
  const { key } = JSON.parse(output.stdout) as { key: string };
  const child = spawn(process.execPath, [program, 'serve', '--db', file, '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: demoEnvironment(),
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  const url = /^Serving on (\S+)$/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`acequia serve did not start (${line})`);
  transcript.runs('acequia serve --port 0');
  transcript.prints(String(line));
  transcript.runs(`ACEQUIA_API_KEY=acequia_… acequia mcp --remote ${url}`);
  return {
    args: [program, 'mcp', '--remote', url, ...options],
    env: { ACEQUIA_API_KEY: key },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

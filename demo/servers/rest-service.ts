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

export async function serveDemo(
  program: string,
  file: string,
  options: readonly string[],
): Promise<DemoService> {
  const create = [program, 'keys', 'create', '--db', file, '--preset', 'assistant', '--json'];
  transcript.runs('acequia keys create --preset assistant');
  const output = await promisify(execFile)(process.execPath, create, { env: demoEnvironment() });
  const { key } = JSON.parse(output.stdout) as { key: string };
  const { line, url, stop } = await startService(program, file, options);
  transcript.runs('acequia serve --port 0');
  transcript.prints(line);
  transcript.runs(`ACEQUIA_API_KEY=acequia_… acequia mcp --remote ${url}`);
  return {
    args: [program, 'mcp', '--remote', url, ...options],
    env: { ACEQUIA_API_KEY: key },
    stop,
  };
}

async function startService(program: string, file: string, options: readonly string[]) {
  const child = spawn(
    process.execPath,
    [program, 'serve', '--db', file, '--port', '0', ...options],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: demoEnvironment(),
    },
  );
  const ended = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended,
  ]);
  const url = /^Serving on (\S+)$/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`acequia serve did not start (${line})`);
  return {
    line: String(line),
    url,
    ended,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Serves the page of the farm until a signal arrives. */
export async function servePage(
  program: string,
  file: string,
  options: readonly string[],
): Promise<void> {
  const onSignal = (): void => void service.stop();
  const service = await startService(program, file, options);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  const { hostname, port } = new URL(service.url);
  const link = [
    program,
    'keys',
    'link',
    '--db',
    file,
    '--host',
    hostname,
    '--port',
    port,
    ...options,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, link, { env: demoEnvironment() });
  transcript.section('The live page');
  transcript.text(
    'Open it in a browser on this computer, tap a probe, and drag its threshold. Ctrl-C ends it.',
  );
  transcript.lines(['', stdout.trim()]);
  await service.ended;
  for (const signal of signals) process.off(signal, onSignal);
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DemoConversation } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import { demoEnvironment } from './demo-environment.ts';
import { startDemoClient } from './mcp-client.ts';

/** A copy with its own clock, while the farm itself keeps its date. Instants in ms. */
export interface FarmCopy {
  run(args: readonly string[], at: number): Promise<string>;
  converse<Outcome>(
    at: number,
    play: (conversation: DemoConversation) => Promise<Outcome>,
  ): Promise<Outcome>;
  writeFile(name: string, text: string): Promise<void>;
}

const COPY_FILE_NAME = 'copy.db';

const formatClock = (at: number): string => new Date(at).toISOString().replace('.000', '');

const quoteWord = (argument: string): string =>
  argument.includes(' ') ? `"${argument}"` : argument;

export async function withFarmCopy(
  {
    program,
    file,
    settings = {},
  }: { program: string; file: string; settings?: Record<string, string> },
  work: (copy: FarmCopy) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-demo-'));
  const env = { ...demoEnvironment(), ...settings };
  try {
    // The log may hold writes that are not in the file yet.
    for (const each of ['', '-wal'])
      if (existsSync(file + each)) await copyFile(file + each, join(folder, COPY_FILE_NAME + each));
    await work({
      async run(args, at) {
        const line = [...args, '--db', COPY_FILE_NAME, '--clock', formatClock(at)];
        transcript.runs(['acequia', ...line.map(quoteWord)].join(' '));
        const { stdout } = await promisify(execFile)(process.execPath, [program, ...line], {
          cwd: folder,
          env,
        });
        transcript.prints(stdout.trim());
        return stdout;
      },
      async converse(at, play) {
        const line = [
          program,
          'mcp',
          '--db',
          join(folder, COPY_FILE_NAME),
          '--clock',
          formatClock(at),
          '--lang',
          'en',
        ];
        const client = await startDemoClient(process.execPath, line);
        try {
          return await play(new DemoConversation(client));
        } finally {
          await client.close();
        }
      },
      writeFile: (name, text) => writeFile(join(folder, name), text),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

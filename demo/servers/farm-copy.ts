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

/** A copy of the demo farm, on which time goes on while the farm itself stays on its day. Instants in ms. */
export interface FarmCopy {
  /** Runs a command of the program with the clock at an instant; shows it, and returns what it prints. */
  run(args: readonly string[], at: number): Promise<string>;
  /** Talks with a server of the copy whose clock starts at an instant; returns what comes of it. */
  converse<Outcome>(at: number, speak: (conversation: DemoConversation) => Promise<Outcome>): Promise<Outcome>;
  /** Writes a file beside the copy. */
  writeFile(name: string, text: string): Promise<void>;
}

const COPY_FILE_NAME = 'copy.db';

const formatClock = (at: number): string => new Date(at).toISOString().replace('.000', '');

/** A word of a command line as it is shown. */
const quoteWord = (word: string): string => (word.includes(' ') ? `"${word}"` : word);

/**
 * Does something on a copy of the farm, which then is removed. `program` is the path of the built program, which speaks
 * English and gets the `settings`, and nothing else that the environment says of Acequia: the person's own mail server is
 * not the demo's.
 */
export async function withFarmCopy(
  { program, file, settings = {} }: { program: string; file: string; settings?: Record<string, string> },
  work: (copy: FarmCopy) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'acequia-demo-'));
  const env = { ...demoEnvironment(), ...settings };
  try {
    // The log holds what another server of the file has yet to bring into it.
    for (const each of ['', '-wal'])
      if (existsSync(file + each)) await copyFile(file + each, join(folder, COPY_FILE_NAME + each));
    await work({
      async run(args, at) {
        const line = [...args, '--db', COPY_FILE_NAME, '--clock', formatClock(at)];
        transcript.runs(['acequia', ...line.map(quoteWord)].join(' '));
        const { stdout } = await promisify(execFile)(process.execPath, [program, ...line], { cwd: folder, env });
        transcript.prints(stdout.trim());
        return stdout;
      },
      async converse(at, speak) {
        const line = [program, 'mcp', '--db', join(folder, COPY_FILE_NAME), '--clock', formatClock(at), '--lang', 'en'];
        const client = await startDemoClient(process.execPath, line);
        try {
          return await speak(new DemoConversation(client));
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

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

export async function bundleProgram(program: string, folder: string): Promise<string> {
  const outfile = join(folder, `${program}.mjs`);
  await build({
    entryPoints: [join(here, 'programs', `${program}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  await symlink(join(here, '..', '..', 'node_modules'), join(folder, 'node_modules'), 'junction');
  return outfile;
}

export interface RunningProgram {
  child: ChildProcessWithoutNullStreams;
  lines: string[];
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

export function spawnProgram(command: string, args: readonly string[]): RunningProgram {
  const child = spawn(command, args);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = Promise.all([once(child, 'close'), once(reader, 'close')]).then(([[code, signal]]) => ({
    code,
    signal,
    stderr,
  }));
  return { child, lines, ended };
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));

const bundles = new Map<string, Promise<string>>();

/** Once for all tests of this process. */
export function bundleProgram(program: 'fill' | 'hammer'): Promise<string> {
  const bundle = bundles.get(program) ?? buildProgram(program);
  bundles.set(program, bundle);
  return bundle;
}

async function buildProgram(program: string): Promise<string> {
  const folder = await mkdtemp(join(inject('runFolder'), 'program-'));
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

interface RunningProgram {
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
  const ended = Promise.all([once(child, 'close'), once(reader, 'close')]).then(
    ([[code, signal]]) => ({
      code,
      signal,
      stderr,
    }),
  );
  return { child, lines, ended };
}

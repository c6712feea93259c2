// Checks types, lint and format, without building or testing anything.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, root } from './repository.mjs';

/** What `npm test` checks of the sources too. */
export const SOURCE_CHECKS = [
  ['types', 'tsc', ['--noEmit', '-p', '.']],
  ['lint and format', 'biome', ['check', '--error-on-warnings', '.']],
];

if (process.argv[1] === import.meta.filename) {
  await ensureInstalled();
  for (const [, program, args] of SOURCE_CHECKS) {
    const command = join(root, 'node_modules', '.bin', program);
    const isWindows = process.platform === 'win32';
    const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: isWindows });
    if (status !== 0) process.exitCode = 1;
  }
}

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ran } from './ran.mjs';

/** mcporter and the newest conformance suite do not run on less; Gemini CLI 0.61 does not reach HTTP servers on Node 26. */
const LINE = '24';

/** Installs packages into a folder of their own. */
export async function npmInstall(folder, packages, { path = process.env.PATH, overrides = {} } = {}) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages];
  await ran('npm', args, { cwd: folder, env: { ...process.env, PATH: path } });
}

/** A Node for clients that do not run on this one: its folder of programs, and its version. */
export async function newestNode(folder) {
  const [own] = process.versions.node.split('.');
  if (own === LINE) return { bin: join(process.execPath, '..'), version: process.versions.node };
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const at = join(folder, 'node');
  const bin = join(at, 'node_modules', name, 'bin');
  if (!existsSync(bin)) await npmInstall(at, [`${name}@${LINE}`]);
  const version = (await ran(join(bin, 'node'), ['--version'], { cwd: at, env: process.env })).trim().slice(1);
  return { bin, version };
}

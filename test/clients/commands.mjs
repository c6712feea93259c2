import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * mcporter and the newest conformance suite do not run on less; Gemini CLI 0.61 does not reach HTTP
 * servers on Node 26.
 */
const LINE = '24';

/** Installs packages into a folder of their own. */
export async function npmInstall(
  folder,
  packages,
  { path = process.env.PATH, overrides = {} } = {},
) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages];
  await outputOf('npm', args, { cwd: folder, env: { ...process.env, PATH: path } });
}

/** A Node for clients that do not run on this one: its folder of programs, and its version. */
export async function newestNode(folder) {
  const [own] = process.versions.node.split('.');
  if (own === LINE) return { bin: join(process.execPath, '..'), version: process.versions.node };
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const at = join(folder, 'node');
  const bin = join(at, 'node_modules', name, 'bin');
  if (!existsSync(bin)) await npmInstall(at, [`${name}@${LINE}`]);
  const version = (await outputOf(join(bin, 'node'), ['--version'], { cwd: at, env: process.env }))
    .trim()
    .slice(1);
  return { bin, version };
}

/** No client is waited for longer than this, in ms. */
const PATIENCE_MS = 180_000;

/**
 * Runs a command to its end and gives all that it wrote to both outputs, without colours; fails
 * when the command does, or lasts too long.
 */
export function outputOf(command, args, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
      const plain = text.replace(/\u001b\[[\d;]*m/g, '');
      if (code === 0) resolve(plain);
      else reject(new Error(`ended with ${code ?? signal}: ${plain.trim().slice(-300)}`));
    });
  });
}

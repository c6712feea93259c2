import { spawn } from 'node:child_process';

/** No client is waited for longer than this, in ms. */
const PATIENCE_MS = 180_000;

/**
 * Runs a command to its end and gives all that it wrote to both outputs, without colours; fails when the command does, or
 * lasts too long.
 */
export function ran(command, args, { cwd, env }) {
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

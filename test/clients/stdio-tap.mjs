/**
 * Runs a stdio server and writes every message that passes, in both directions, to a file:
 * stdio-tap.mjs FILE COMMAND …
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function record(from, stream) {
  createInterface({ input: stream }).on('line', (line) => {
    try {
      for (const message of [JSON.parse(line)].flat())
        appendFileSync(log, `${JSON.stringify({ from, message })}\n`);
    } catch {
      // Not a message; the other side gets it all the same.
    }
  });
}

record('client', process.stdin);
record('server', child.stdout);
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.stdin.on('error', () => {});
process.stdout.on('error', () => {});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.unref?.();
  process.stdin.destroy();
});

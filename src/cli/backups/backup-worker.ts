import { setPriority } from 'node:os';
import { BackupError } from '../../domain/backups/failures.ts';
import { makeBackup } from '../../store/backups/make-backup.ts';
import type { ProcessMessage, ProcessRequest } from './process-messages.ts';

// This file runs as a process of its own. A step of a backup cannot be interrupted within a
// process: a thread would hold up the end of the server, which kills this process instead.

const LOWEST_PRIORITY = 19;

try {
  setPriority(LOWEST_PRIORITY);
} catch {
  // A sandbox may forbid it.
}

// Whoever started it has ended. An orderly end would wait for the copy.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const send = (message: ProcessMessage): Promise<void> =>
  new Promise((resolve) => process.send?.(message, () => resolve()));

const PAGES_EVERY_MS = 200;
let sentPagesAtMs = 0;

function sendPages(done: number, total: number): void {
  if (performance.now() - sentPagesAtMs < PAGES_EVERY_MS) return;
  sentPagesAtMs = performance.now();
  void send({ kind: 'pages', done, total });
}

async function run({ kind, request }: ProcessRequest): Promise<ProcessMessage> {
  try {
    if (kind === 'copy') {
      const report = await makeBackup(request, { onPages: sendPages });
      return { kind: 'copied', report };
    }
    const { runDrill } = await import('./drill.ts');
    return { kind: 'drilled', report: await runDrill(request) };
  } catch (error) {
    const failure = error instanceof BackupError ? error.failure : 'unexpected';
    const detail = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', failure, detail };
  }
}

process.once('message', async (request: ProcessRequest) => {
  await send(await run(request));
  process.kill(process.pid, 'SIGKILL');
});

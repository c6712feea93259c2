import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BackupError } from '../../domain/backups/failures.ts';
import type {
  BackupProcess,
  DrillReport,
  DrillRequest,
} from '../../service/backups/backup-runs.ts';
import type { BackupReport, BackupRequest } from '../../store/backups/make-backup.ts';
import type { ProcessMessage, ProcessRequest } from './process-messages.ts';

type Answer = Exclude<ProcessMessage, { kind: 'pages' | 'failed' }>;

/** `onPages` hears how much is copied. */
export function backupProcess(
  onPages: (done: number, total: number) => void = () => undefined,
): BackupProcess {
  return {
    async copy(request: BackupRequest, signal: AbortSignal): Promise<BackupReport> {
      const answer = await runInProcess({ kind: 'copy', request }, signal, onPages);
      if (answer.kind !== 'copied') throw new Error('The process of the backup answered a drill');
      return answer.report;
    },
    async drill(request: DrillRequest, signal: AbortSignal): Promise<DrillReport> {
      const answer = await runInProcess({ kind: 'drill', request }, signal, onPages);
      if (answer.kind !== 'drilled') throw new Error('The process of the drill answered a backup');
      return answer.report;
    },
  };
}

/** Standard output belongs to the client of this process. */
const startProcess = (): ChildProcess =>
  fork(fileURLToPath(new URL('./backup-worker.js', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });

function runInProcess(
  request: ProcessRequest,
  signal: AbortSignal,
  onPages: (done: number, total: number) => void,
): Promise<Answer> {
  signal.throwIfAborted();
  const child = startProcess();
  const kill = (): void => void child.kill('SIGKILL');
  let onAbort = kill;

  return new Promise<Answer>((resolve, reject) => {
    // Without waiting for its end, which takes long while it writes to a slow disk.
    onAbort = () => {
      kill();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('message', (message: ProcessMessage) => {
      if (message.kind === 'pages') onPages(message.done, message.total);
      else if (message.kind === 'failed') reject(new BackupError(message.failure, message.detail));
      else resolve(message);
    });
    child.once('error', reject);
    child.once('exit', () =>
      reject(new BackupError('unexpected', 'the process that copies was ended')),
    );
    child.send(request, (error) => {
      if (error) reject(error);
    });
  }).finally(() => {
    signal.removeEventListener('abort', onAbort);
    kill();
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from '../../process/command.ts';
import type { StopSignals } from '../../process/stop-signals.ts';
import { RESTART_PAUSE_S } from '../platforms/systemd-unit.ts';
import type { LogFile } from './log-file.ts';

interface KeptCommand {
  readonly command: readonly [string, ...string[]];
  readonly log: Pick<LogFile, 'write'>;
  readonly stopping: StopSignals;
  readonly pauseMs?: number;
}

/**
 * Starts the command again whenever it ends, until a signal comes or it ends with the code of
 * wrong usage, which starting again cannot mend. The keeper then ends with 0, because launchd and
 * Windows would start it again after any other code.
 */
export async function keepRunning({
  command,
  log,
  stopping,
  pauseMs = RESTART_PAUSE_S * 1000,
}: KeptCommand): Promise<number> {
  while (!stopping.first.aborted) {
    const { code, reason } = await runOnce(command, log, stopping);
    if (stopping.first.aborted) break;
    if (code === EXIT.wrongUsage) {
      log.write(`${reason}, and is not started again: its settings are wrong.\n`);
      break;
    }

    log.write(`${reason}, and starts again in ${pauseMs / 1000} s.\n`);
    await pause(pauseMs, undefined, { signal: stopping.first }).catch(() => undefined);
  }

  return EXIT.done;
}

interface Ending {
  readonly code: number | null;
  readonly reason: string;
}

async function runOnce(
  [program, ...args]: KeptCommand['command'],
  log: KeptCommand['log'],
  stopping: StopSignals,
): Promise<Ending> {
  // The channel ends the child where the keeper is killed.
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', log.write);
  const stop = () => stopChild(child);
  stopping.first.addEventListener('abort', stop);

  try {
    const [code, signal] = await once(child, 'close');
    return { code, reason: `It ended with ${signal ?? `code ${code}`}` };
  } catch (error) {
    return { code: null, reason: `It could not be started (${(error as Error).message})` };
  } finally {
    stopping.first.removeEventListener('abort', stop);
  }
}

/** Windows has no signal that a program could react to. */
function stopChild(child: ChildProcess): void {
  if (process.platform === 'win32') child.disconnect();
  else child.kill('SIGTERM');
}

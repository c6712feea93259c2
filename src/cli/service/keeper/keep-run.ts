import { itemAt } from '../../../domain/items.ts';
import { StopSignals } from '../../process/stop-signals.ts';
import { keepRunning } from './keep-running.ts';
import { LogFile } from './log-file.ts';

interface KeeperOptions {
  /** Paths of files. */
  readonly settings: string;
  readonly log: string;
}

export async function runKeep(
  words: readonly string[],
  { settings, log }: KeeperOptions,
): Promise<number> {
  const stopping = new StopSignals();
  const program = itemAt(process.argv, 1);
  try {
    return await keepRunning({
      command: [process.execPath, program, ...words, '--env-file', settings],
      log: new LogFile(log),
      stopping,
    });
  } finally {
    stopping.removeListeners();
  }
}

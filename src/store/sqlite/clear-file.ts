import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/periods.ts';
import { say, verbatim } from '../../domain/text/say.ts';
import { storeUnavailableError } from '../../schema/error.ts';
import { retryWhileBusy, SqliteConnection } from './connection.ts';

/**
 * Writes the whole file anew and empties its log. On a connection of its own: the settings of the
 * others would keep the temporary copy in memory.
 */
export async function clearFile(file: string): Promise<void> {
  const connection = new SqliteConnection(file);
  try {
    await retryWhileBusy(() => connection.exec('pragma synchronous = full; vacuum'));
    await emptyLog(connection, file);
  } finally {
    connection.close();
  }
}

const TIMEOUT_MS = 30 * SECOND_MS;
const RETRY_AFTER_MS = 100;

async function emptyLog(connection: SqliteConnection, file: string): Promise<void> {
  const startedAt = performance.now();
  while (!isLogEmptied(connection)) {
    if (performance.now() - startedAt > TIMEOUT_MS)
      throw storeUnavailableError(
        say`Another program has been reading the store ${verbatim(file)} for half a minute, so its log could not be emptied.`,
        say`Run the command again once that export, backup or copy has ended.`,
      );
    await pause(RETRY_AFTER_MS);
  }
}

/** False while another connection reads what was there before the newest write. */
function isLogEmptied(connection: SqliteConnection): boolean {
  const [row] = connection.rows<{ busy: number }>('pragma wal_checkpoint(truncate)');
  return row?.busy === 0;
}

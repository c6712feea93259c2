import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoClient, startDemoClient } from '../../mcp/demo-client.ts';
import { AcequiaError, storeUnavailable } from '../../schema/error.ts';
import { isPostgresUrl } from '../../store/address.ts';
import { dataFolder, defaultDb } from '../settings.ts';
import { DEMO_COMPANY } from './farm.ts';

/** The file of the demo farm: the one that was named, else one of its own, never the store of the person's farm. */
export function demoFilePath(db: string): string {
  if (isPostgresUrl(db))
    throw storeUnavailable(
      'The demo farm is made and removed as a file, and a database is named.',
      'Leave --db and ACEQUIA_DB out, or name a file that does not exist yet.',
    );
  return db === defaultDb() ? join(dataFolder(), 'demo.db') : db;
}

/**
 * Removes the demo farm of an earlier run, also one that was cut off. Refuses a file that holds anything else. `server` is
 * the command that serves the file; it is asked what is there, since a store is let go of only when its process ends.
 */
export async function removeDemoFarm(file: string, server: readonly string[]): Promise<void> {
  if (existsSync(file) && statSync(file).size > 0) {
    const client = await startDemoClient(process.execPath, [...server]);
    try {
      await refuseOtherFarm(client, file);
    } finally {
      await client.close();
    }
  }
  try {
    // The log and its index, which SQLite lays beside the file, mean nothing to another file of that name.
    for (const each of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(each)) await rm(each);
  } catch (error) {
    throw storeUnavailable(
      `The demo farm ${file} cannot be removed (${(error as NodeJS.ErrnoException).code}).`,
      'Close the assistant or program that uses it, check that the folder can be written, then try again.',
    );
  }
}

/** A demo that was cut off at the start has left a store without a farm. */
async function refuseOtherFarm(client: DemoClient, file: string): Promise<void> {
  const { result, refusal } = await client.call('get_company', {});
  if (result?.name === DEMO_COMPANY || refusal?.code === 'not_found') return;
  if (refusal?.code === 'STORE_UNAVAILABLE') throw new AcequiaError(refusal);
  throw new AcequiaError({
    code: 'NOT_A_DEMO_FARM',
    status: 409,
    message: `The store ${file} holds another farm than the demo's, which stays as it is.`,
    hint: 'Leave --db and ACEQUIA_DB out, or name a file that does not exist yet.',
  });
}

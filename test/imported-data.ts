import { Readable, Writable } from 'node:stream';
import { runningClock } from '../src/cli/process/settings.ts';
import { runImport } from '../src/cli/store-commands/import-run.ts';
import { importFarm } from '../src/service/farm/farm-import.ts';
import { withSecondStore } from './stores/stores.ts';

export interface ReadingsImportOptions {
  readonly module?: string;
  readonly company?: string;
  readonly clock?: string;
}

const clockFrom = (instant: string | undefined) => runningClock(instant === undefined ? null : Date.parse(instant));

export async function importFarmFile(
  db: string,
  farm: object,
  { clock }: Pick<ReadingsImportOptions, 'clock'> = {},
): Promise<void> {
  await withSecondStore(db, (store) => importFarm(store, JSON.stringify(farm), clockFrom(clock)()));
}

/** Imports readings as `acequia import` does, in this process; throws its output if it fails. */
export async function importReadingsCsv(
  db: string,
  csv: string,
  { module, company, clock }: ReadingsImportOptions = {},
): Promise<void> {
  let output = '';
  const stderr = new Writable({
    write(chunk, _, done) {
      output += chunk;
      done();
    },
  });
  const code = await runImport(
    ['-'],
    { module, company },
    { db, clock: clockFrom(clock), lang: undefined, logLevel: 'error' },
    { stdin: Readable.from([csv]), stdout: { write: () => true }, stderr, signal: new AbortController().signal },
  );
  if (code !== 0) throw new Error(output);
}

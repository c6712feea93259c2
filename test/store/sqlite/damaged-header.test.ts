import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { examineStore } from '../../../src/cli/doctor/store-check.ts';
import { openStore } from '../../../src/store/store.ts';
import { propertyRuns } from '../../property-runs.ts';
import { addParcel, inTemporaryFolder, parcelNames, withStore } from '../temporary-stores.ts';

/**
 * Source: https://sqlite.org/fileformat.html, "The Database Header" and "WAL File Format" (with its
 * first frame's header).
 */
const HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 56;

interface Damage {
  readonly at: number;
  readonly value: number;
}

const damages = (length: number): Damage[] =>
  Array.from({ length }, (_, at) =>
    [0xff, 0, 0x7f].slice(0, propertyRuns(3)).map((value) => ({ at, value })),
  ).flat();

const withDamage = (bytes: Buffer, { at, value }: Damage): Buffer =>
  Buffer.from(bytes).fill(value, at, at + 1);

/** Null if all of it succeeds. */
async function failureOf(file: string): Promise<unknown> {
  try {
    const { view } = await examineStore(file);
    await view?.close();
    const store = await openStore({ db: file });
    try {
      await store.read(1, parcelNames);
      await store.write(1, addParcel('South'));
    } finally {
      await store.close();
    }
    return null;
  } catch (error) {
    return error;
  }
}

it.each([
  ['of the file', '', HEADER_BYTES],
  ['of its write-ahead log', '-wal', LOG_HEADER_BYTES],
])(
  'a store with any damaged byte in the header %s works, or is refused in plain words',
  (_, suffix, length) =>
    withStore((first, db) =>
      inTemporaryFolder(async (folder) => {
        // So that the companies are in the file, and the parcel in the log.
        await first.close();
        const store = await openStore({ db });
        await store.write(1, addParcel('North'));
        const [file, log] = await Promise.all([readFile(db), readFile(`${db}-wal`)]);
        await store.close();
        const failures: unknown[] = [];
        for (const [index, damage] of damages(length).entries()) {
          const copy = join(folder, `${index}.db`);
          await writeFile(copy, suffix === '' ? withDamage(file, damage) : file);
          await writeFile(`${copy}-wal`, suffix === '' ? log : withDamage(log, damage));
          const failure = await failureOf(copy);
          if (failure !== null) failures.push({ ...damage, failure });
          for (const each of ['', '-wal', '-shm']) await rm(copy + each, { force: true });
        }
        if (suffix === '') expect(failures.length).toBeGreaterThan(HEADER_BYTES / 10);
        for (const each of failures)
          expect(each).toMatchObject({
            failure: { code: 'STORE_UNAVAILABLE', hint: expect.stringMatching(/./) },
          });
      }),
    ),
);

import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { plainError } from '../../../src/schema/error.ts';
import { sqliteStoreError } from '../../../src/store/sqlite/failures.ts';
import { openStore } from '../../../src/store/store.ts';
import { propertyRuns } from '../../property-runs.ts';
import { bundleProgram, spawnProgram } from '../child-programs.ts';
import { record } from '../stored-readings.ts';
import { inTemporaryFolder, withStore } from '../temporary-stores.ts';

/** No message to a client contains a stack or a line of code. */
const clientError = (message: RegExp, hint: RegExp) => ({
  code: 'STORE_UNAVAILABLE',
  status: 503,
  message: expect.stringMatching(message),
  hint: expect.stringMatching(hint),
});

const openFailure = (file: string) =>
  openStore({ db: file }).then(
    async (store) => {
      await store.close();
      return 'opened';
    },
    (error: unknown) => error,
  );

describe('opening explains the problem and the remedy', () => {
  it('of a file that is not a database', () =>
    inTemporaryFolder(async (folder) => {
      const file = join(folder, 'notes.txt');
      await writeFile(file, 'North block, forty minutes this morning.\n'.repeat(100));
      expect(await openFailure(file)).toMatchObject(
        clientError(/notes\.txt is not an Acequia store/, /--db/),
      );
      expect(await readFile(file, 'utf8')).toContain('forty minutes');
    }));

  it('of a file of a few bytes', () =>
    inTemporaryFolder(async (folder) => {
      const file = join(folder, 'short.db');
      await writeFile(file, 'short');
      expect(await openFailure(file)).toMatchObject(clientError(/not an Acequia store/, /--db/));
    }));

  it('of a database of another program, which stays as it is', () =>
    inTemporaryFolder(async (folder) => {
      const file = join(folder, 'other.db');
      const database = new DatabaseSync(file);
      database.exec('create table songs (name text)');
      database.close();
      const before = await readFile(file);
      expect(await openFailure(file)).toMatchObject(
        clientError(/database of another program/, /--db/),
      );
      expect(await readFile(file)).toEqual(before);
    }));

  it('of a folder in place of a file', () =>
    inTemporaryFolder(async (folder) => {
      expect(await openFailure(folder)).toMatchObject(
        clientError(/cannot be opened: it is a folder/, /--db/),
      );
    }));

  it('of a folder that cannot be created, without hanging', async () => {
    const nowhere = process.platform === 'linux' ? '/proc/nowhere' : '/dev/null/nowhere';
    expect(await openFailure(join(nowhere, 'deep', 'farm.db'))).toMatchObject(
      clientError(/nowhere/, /--db/),
    );
  });

  it('of a file in place of the folder', () =>
    inTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'file'), '');
      expect(await openFailure(join(folder, 'file', 'acequia.db'))).toMatchObject(
        clientError(/folder .* cannot be created/, /--db/),
      );
      expect(await openFailure(join(folder, 'file', 'deep', 'acequia.db'))).toMatchObject(
        clientError(/not a folder/, /--db/),
      );
    }));

  it('of a database in memory', async () => {
    expect(await openFailure(':memory:')).toMatchObject(
      clientError(/write-ahead log/, /local disk/),
    );
  });
});

const withFilledFile = (body: (file: string) => Promise<void>) =>
  withStore(async (store, file) => {
    const length = 20_000;
    await record(
      store,
      Array.from({ length }, (_, index) => [1, index * 900_000, 20]),
    );
    await store.close();
    await body(file);
  });

const readParcels = async (file: string) => {
  const store = await openStore({ db: file });
  try {
    return await store.read(1, (db) => db.selectFrom('readings').selectAll().execute());
  } finally {
    await store.close();
  }
};

describe('a damaged file is reported as such', () => {
  it('when its end is missing', () =>
    withFilledFile(async (file) => {
      await truncate(file, 64 * 1024);
      await expect(readParcels(file)).rejects.toMatchObject(clientError(/is damaged/, /backup/));
    }));

  it('when its pages are overwritten', () =>
    withFilledFile(async (file) => {
      const handle = await open(file, 'r+');
      const { size } = await handle.stat();
      await handle.write(Buffer.alloc(size - 8 * 4096, 0xa5), 0, size - 8 * 4096, 8 * 4096);
      await handle.close();
      await expect(readParcels(file)).rejects.toMatchObject(clientError(/is damaged/, /backup/));
    }));
});

describe.skipIf(process.platform === 'win32')('with too little space', () => {
  /** A program whose files may not grow beyond this many KiB. */
  const filling = (kib: number) =>
    inTemporaryFolder(async (folder) => {
      const program = await bundleProgram('fill');
      const file = join(folder, 'acequia.db');
      const run = spawnProgram('bash', [
        '-c',
        `ulimit -f ${kib}; exec "$0" "$@"`,
        process.execPath,
        program,
        file,
      ]);
      expect(await run.ended).toEqual({ code: 0, signal: null, stderr: '' });
      const result = JSON.parse(run.lines[0] ?? '{}');
      if (result.opening) return result;

      // With space again, everything recorded is there, and writes succeed.
      const store = await openStore({ db: file });
      await store.write(1, (db) => db.insertInto('parcels').values({ name: 'North' }).execute());
      const { n } = await store.read(1, (db) =>
        db
          .selectFrom('readings')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      );
      await store.close();
      return { ...result, later: n };
    });

  // An empty store takes 560 KiB, and a batch of readings 40.
  for (const kib of [1000, 700, 3000].slice(0, propertyRuns(3)))
    it(`of ${kib} KiB a write is rolled back, reading still works, and nothing saved is lost`, async () => {
      const result = await filling(kib);
      expect(result.refusal).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        status: 503,
        message: expect.stringMatching(/no space left|size limit|failed while reading or writing/),
        hint: expect.stringContaining('Nothing of this call was written'),
      });
      expect(result.recorded).toBeGreaterThan(0);
      expect(result.readings).toEqual({
        rows: result.recorded,
        inHours: result.recorded,
        inDays: result.recorded,
      });
      expect(result.later).toBe(result.recorded);
    });

  it('of 1 KiB opening fails with a clear error', async () => {
    const result = await filling(1);
    expect(result.opening).toMatchObject(
      clientError(/failed while reading or writing|no space left/, /space/),
    );
  });
});

describe('an error of SQLite', () => {
  const sqlite = (message: string, errcode?: number) =>
    Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });

  // https://sqlite.org/rescode.html; without a code, as the binding reports it when rows are read.
  const known: [string, number, RegExp][] = [
    ['database is locked', 5, /another program/],
    ['database is locked', 261, /another program/],
    ['locking protocol', 15, /another program/],
    ['attempt to write a readonly database', 8, /is not writable/],
    ['disk I/O error', 778, /failed while reading or writing/],
    ['database disk image is malformed', 11, /damaged/],
    ['database or disk is full', 13, /no space/],
    ['unable to open database file', 14, /cannot be opened/],
    ['file is not a database', 26, /not an Acequia store/],
    ['unsupported file format', 1, /damaged/],
    ['out of memory', 7, /memory/],
  ];
  for (const [message, code, expected] of known)
    it(`${message} (${code}), with its code and without`, () => {
      for (const error of [sqlite(message, code), sqlite(message)])
        expect(sqliteStoreError(error, '/data/acequia.db')).toMatchObject(
          clientError(expected, /./),
        );
    });

  it('that is a violated constraint, a wrong query or another error is left unchanged', () => {
    const refusal = plainError({ code: 'INVALID_DEPTH', status: 400, message: 'Too deep' });
    for (const error of [
      sqlite('CHECK constraint failed: x', 275),
      sqlite('no such table: x', 1),
      new Error('x'),
      Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }),
      refusal,
    ])
      expect(sqliteStoreError(error, '/data/acequia.db')).toBe(error);
  });
});

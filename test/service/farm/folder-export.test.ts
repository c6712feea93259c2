import { createHash } from 'node:crypto';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { FOLDER_TABLES } from '../../../src/schema/farm/folder-tables.ts';
import { COMPANY_TABLES } from '../../../src/schema/tables/index.ts';
import { exportFolder } from '../../../src/service/farm/folder/folder-export.ts';
import { importFolder } from '../../../src/service/farm/folder/folder-import.ts';
import { compressText, decompressText } from '../../../src/store/compressed-text.ts';
import { recordReadings } from '../../../src/store/ingest/reading-writes.ts';
import { serviceSecret } from '../../../src/store/keys/secrets.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import type { Tables } from '../../../src/store/tables.ts';
import { propertyRuns } from '../../property-runs.ts';
import { fillFarm, wateringRow } from '../../store/sample-rows.ts';
import { withSecondStore } from '../../stores/stores.ts';
import { newFolder, newStorePlace } from '../../temporary-places.ts';
import type { Json } from '../../tool-results.ts';

const NOW = Date.UTC(2026, 6, 1, 10);

const ROUGE = { id: 1, name: 'Mas Rouge' };
const BLEU = { id: 2, name: 'Mas Bleu' };

/** Texts that a careless writer or reader of CSV changes. */
const TEXTS = [
  '',
  ' ',
  '=SUM(A1:A9)',
  '+33 6',
  '-1',
  '@ana',
  'a,b;c',
  'say "now"',
  '"',
  'two\nlines',
  'a\r\nb\r',
  '\ttab',
  '\ufeffmark',
  'null',
  '007',
  'Zoé 😀',
];
const VALUES = [1e-15, 1e300, -1e300, 0.1 + 0.2, 1 / 3, 123456789012345680, 0, -5];
/** Before 1970, in the last years that ISO 8601 writes with four digits, and after them. */
const INSTANTS = [-86_400_001, 0, 253_402_300_799_999, 253_402_300_800_000];

const noMonitor = {
  onRows: () => undefined,
  onBytes: () => undefined,
  onStep: () => undefined,
  signal: new AbortController().signal,
};

async function newFilledStore(): Promise<string> {
  const db = await newStorePlace();
  await withSecondStore(db, async (store) => {
    await serviceSecret(store, 'request-state');
    await store.writeAll((all) => all.insertInto('companies').values([ROUGE, BLEU]).execute());
    await store.write(1, (rouge) => fillFarm(rouge, 'rouge'));
    await store.write(2, async (bleu) => {
      const { moduleId } = await fillFarm(bleu, 'bleu');
      await bleu
        .insertInto('waterings')
        .values(TEXTS.map((note, index) => wateringRow(moduleId, note, 3_000 + index)))
        .execute();
      const { id: sensor_id } = await bleu
        .selectFrom('sensors')
        .select('id')
        .executeTakeFirstOrThrow();
      await recordReadings(bleu, {
        sensorIds: VALUES.map(() => sensor_id),
        at: VALUES.map((_, index) => 1_000 * index),
        values: VALUES,
        length: VALUES.length,
      });
      await bleu
        .insertInto('seasons')
        .values(INSTANTS.map((set_at) => ({ parcel_id: 2, set_at, crop: null })))
        .execute();
      const rows = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, note: 'a, "b"' })));
      await bleu
        .insertInto('change_parts')
        .values({ change_id: 1, part: 2, row_count: 300, changed_rows: await compressText(rows) })
        .execute();
    });
  });
  return db;
}

const exportTo = (store: Store, folder: string, company = BLEU) =>
  exportFolder(store, company, { folder, now: NOW, program: '1.2.3', monitor: noMonitor });

async function newExport(): Promise<string> {
  const folder = join(await newFolder(), 'farm');
  await withSecondStore(await newFilledStore(), (store) => exportTo(store, folder));
  return folder;
}

/** The rows of the company by table, as the store has them. */
function rowsOf(db: string, companyId: number): Promise<Record<string, unknown[]>> {
  return withSecondStore(db, (store) =>
    store.readAll(async (all) => {
      const rows: Record<string, unknown[]> = {};
      for (const name of FOLDER_TABLES.keys()) rows[name] = await companyRows(all, name, companyId);
      return rows;
    }),
  );
}

async function companyRows(all: Kysely<Tables>, table: string, companyId: number) {
  const column = sql.ref(table === 'companies' ? 'id' : 'company_id');
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from ${sql.table(table)} where ${column} = ${companyId}`.execute(all);
  for (const row of rows)
    if (typeof row.changed_rows === 'string')
      row.changed_rows = await decompressText(row.changed_rows);
  return rows.map((row) => JSON.stringify(row)).sort();
}

const sumsOf = (db: string) =>
  withSecondStore(db, (store) =>
    store.read(BLEU.id, async (bleu) => ({
      hours: await bleu
        .selectFrom('reading_hours')
        .selectAll()
        .orderBy('sensor_id')
        .orderBy('bucket_at')
        .execute(),
      days: await bleu
        .selectFrom('reading_days')
        .selectAll()
        .orderBy('sensor_id')
        .orderBy('bucket_at')
        .execute(),
    })),
  );

describe('a folder', () => {
  it('has every table of a company, but for what lets somebody in, messages, answers and what is computed', () => {
    const leftOut = Object.keys(COMPANY_TABLES).filter((name) => !FOLDER_TABLES.has(name));
    expect(leftOut.sort()).toEqual(
      [
        ...['api_keys', 'sessions', 'erasures', 'idempotency', 'outbox', 'recent_deliveries'],
        ...['reading_days', 'reading_versions', 'local_day_zones', 'doubt_checks'],
        ...['daily_rows', 'change_counts'],
      ].sort(),
    );
  });

  it('gives every row of its company back, with ids, exact values and sums', async () => {
    const source = await newFilledStore();
    const folder = join(await newFolder(), 'farm');
    await withSecondStore(source, (store) => exportTo(store, folder));
    const target = await newStorePlace();
    await importFolder(folder, target, noMonitor);

    const before = await rowsOf(source, BLEU.id);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(await rowsOf(target, BLEU.id)).toEqual(before);
    expect(await rowsOf(target, ROUGE.id)).toMatchObject({ companies: [], users: [] });
    expect(await sumsOf(target)).toEqual(await sumsOf(source));
  });

  it('holds no secret, no message, and nothing of another company', async () => {
    const folder = await newExport();
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8');
      expect(text, name).not.toMatch(/rouge|hash-bleu|session-bleu|message-bleu/i);
    }
    expect(await readFile(join(folder, 'README.txt'), 'utf8')).toContain('NOT IN IT\n  API keys,');
  });

  it('is for its owner alone', async () => {
    const folder = await newExport();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder))
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600);
  });

  it('generates no id again after an import, not even those of keys and of deleted rows', async () => {
    const source = await newFilledStore();
    const folder = join(await newFolder(), 'farm');
    const key = {
      hash: 'h',
      family: 'f',
      scopes: '[]',
      channel: 'api' as const,
      created_at: 0,
      company_id: BLEU.id,
    };
    const addRows = (all: Kysely<Tables>) =>
      Promise.all([
        all.insertInto('api_keys').values(key).returning('id').executeTakeFirstOrThrow(),
        all
          .insertInto('parcels')
          .values({ company_id: BLEU.id, name: 'New' })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ]);
    const [lastKey, lastParcel] = await withSecondStore(source, async (store) => {
      const last = await store.writeAll(addRows);
      await store.writeAll((all) => all.deleteFrom('parcels').where('name', '=', 'New').execute());
      await exportTo(store, folder);
      return last;
    });
    const target = await newStorePlace();
    await importFolder(folder, target, noMonitor);
    const [nextKey, nextParcel] = await withSecondStore(target, (store) => store.writeAll(addRows));
    expect(nextKey.id).toBeGreaterThan(lastKey.id);
    expect(nextParcel.id).toBeGreaterThan(lastParcel.id);
  });
});

describe('an export', () => {
  it('fills an empty folder, and no other', async () => {
    const db = await newFilledStore();
    const parent = await newFolder();
    const [empty, full] = [join(parent, 'empty'), join(parent, 'full')];
    for (const folder of [empty, full]) await mkdir(folder);
    await writeFile(join(full, 'mine.txt'), 'mine');
    await withSecondStore(db, async (store) => {
      await exportTo(store, empty);
      await expect(exportTo(store, full)).rejects.toThrow(/is not empty/);
      await expect(exportTo(store, join(full, 'mine.txt'))).rejects.toThrow(/is not a folder/);
      await expect(exportTo(store, join(parent, 'none', 'farm'))).rejects.toThrow(
        /cannot be written/,
      );
    });
    expect(await readdir(empty)).toContain('export.json');
    expect(await readdir(full)).toEqual(['mine.txt']);
    expect((await readdir(parent)).sort()).toEqual(['empty', 'full']);
  });

  it('fills an empty folder to which a link leads, and says of a dangling one what to do', async () => {
    const db = await newFilledStore();
    const parent = await newFolder();
    const [there, link, dangling] = ['there', 'link', 'dangling'].map((name) => join(parent, name));
    await mkdir(there!);
    await symlink(there!, link!);
    await symlink(join(parent, 'disk', 'farm'), dangling!);
    await withSecondStore(db, async (store) => {
      await exportTo(store, link!);
      await expect(exportTo(store, dangling!)).rejects.toMatchObject({
        code: 'invalid_parameter',
        message: expect.stringContaining('is a link to nothing'),
        hint: expect.stringContaining('Connect the disk to which it leads'),
      });
    });
    expect(await readdir(there!)).toContain('export.json');
    expect((await readdir(parent)).sort()).toEqual(['dangling', 'link', 'there']);
  });

  it('leaves nothing behind when it is stopped, and removes what a killed one left', async () => {
    const db = await newFilledStore();
    const parent = await newFolder();
    const folder = join(parent, 'farm');
    // No process has the id.
    await mkdir(`${folder}.unfinished-4194999`);
    const stopping = new AbortController();
    const onRows = () => stopping.abort();
    await withSecondStore(db, async (store) => {
      await expect(
        exportFolder(store, BLEU, {
          ...{ folder, now: NOW, program: '1.2.3' },
          monitor: { onRows, signal: stopping.signal },
        }),
      ).rejects.toMatchObject({ name: 'AbortError' });
    });
    expect(await readdir(parent)).toEqual([]);
  });

  it('is of one snapshot', async () => {
    const db = await newFilledStore();
    const folder = join(await newFolder(), 'farm');
    const before = await rowsOf(db, BLEU.id);
    await withSecondStore(db, async (store) => {
      let written: Promise<unknown> | undefined;
      const onRows = (): void => {
        written ??= withSecondStore(db, (other) =>
          other.write(BLEU.id, (bleu) =>
            bleu
              .insertInto('waterings')
              .values(wateringRow(2, 'meanwhile', 9_000))
              .execute(),
          ),
        );
      };
      await exportFolder(store, BLEU, {
        ...{ folder, now: NOW, program: '1.2.3' },
        monitor: { ...noMonitor, onRows },
      });
      await written;
    });
    expect(await readFile(join(folder, 'waterings.csv'), 'utf8')).not.toContain('meanwhile');
    const target = await newStorePlace();
    await importFolder(folder, target, noMonitor);
    expect(await rowsOf(target, BLEU.id)).toEqual(before);
  });
});

const rewrite = async (path: string, change: (text: string) => string): Promise<void> =>
  writeFile(path, change(await readFile(path, 'utf8')));

const inManifest = (change: (manifest: Json) => void) => (folder: string) =>
  rewrite(join(folder, 'export.json'), (text) => {
    const manifest = JSON.parse(text);
    change(manifest);
    return JSON.stringify(manifest);
  });

const fileIn = (manifest: Json, name: string) =>
  manifest.files.find((file: Json) => file.name === name);

/** Also in the manifest, as somebody would who means it. */
const changedOnPurpose =
  (name: string, change: (text: string) => string) => async (folder: string) => {
    const path = join(folder, name);
    await rewrite(path, change);
    const text = await readFile(path);
    await inManifest((manifest) =>
      Object.assign(fileIn(manifest, name), {
        bytes: text.length,
        sha256: createHash('sha256').update(text).digest('hex'),
      }),
    )(folder);
  };

const SPOILINGS: Record<string, [spoil: (folder: string) => Promise<unknown>, says: RegExp]> = {
  'no manifest': [(folder) => rm(join(folder, 'export.json')), /has no export\.json/],
  'a manifest of another program': [
    inManifest((manifest) => (manifest.format = 'other')),
    /of another program/,
  ],
  'half a manifest': [
    (folder) => rewrite(join(folder, 'export.json'), (text) => text.slice(0, 200)),
    /export\.json is not JSON/,
  ],
  'a later format': [inManifest((manifest) => (manifest.version = 2)), /has format version 2/],
  'a migration more': [
    inManifest((manifest) => manifest.migrations.push('9999-later')),
    /by a newer Acequia, version 1\.2\.3/,
  ],
  'a migration less': [
    inManifest((manifest) => manifest.migrations.pop()),
    /by an earlier Acequia, version 1\.2\.3/,
  ],
  'a file that is not listed': [
    inManifest((manifest) => manifest.files.pop()),
    /does not list [a-z-]+\.csv/,
  ],
  'a file that is missing': [(folder) => rm(join(folder, 'rain.csv')), /rain\.csv is missing/],
  'a file that lost its end': [
    (folder) => rewrite(join(folder, 'waterings.csv'), (text) => text.slice(0, -9)),
    /waterings\.csv/,
  ],
  'another value': [
    (folder) => rewrite(join(folder, 'readings.csv'), (text) => text.replace('e+300', 'e+301')),
    /readings\.csv is not as it was exported: its SHA-256/,
  ],
  'a row more': [
    (folder) => appendFile(join(folder, 'pull-marks.csv'), 'davis,x,2026-07-01T06:00:00.000Z\n'),
    /pull-marks\.csv is not as it was exported: it has \d+ bytes/,
  ],
  'another farm file': [
    (folder) => rewrite(join(folder, 'farm.json'), (text) => text.replace('Mas Bleu', 'Mas Vert')),
    /farm\.json is not as it was exported/,
  ],
  'a wrong number of rows': [
    inManifest((manifest) => (fileIn(manifest, 'rain.csv').rows = 7)),
    /rain\.csv is not as it was exported: it has 1 rows/,
  ],
  'another company': [
    inManifest((manifest) => (manifest.company.id = 1)),
    /company\.csv does not have the one company/,
  ],
  'a word for a number': [
    changedOnPurpose('rain.csv', (text) => text.replace(/,12,/, ',twelve,')),
    /rain\.csv, line 2: column mm: the cell is not a number/,
  ],
  'a date that is none': [
    changedOnPurpose('pull-marks.csv', (text) => text.replace('1970-01-01', '1970-13-01')),
    /pull-marks\.csv, line 2: column pulledUntil: the cell is not an instant/,
  ],
  'an unknown status': [
    changedOnPurpose('waterings.csv', (text) => text.replace(',done,', ',flooded,')),
    /waterings\.csv, line 2: column status: the cell is none of/,
  ],
  'a missing value': [
    changedOnPurpose('pull-marks.csv', (text) => text.replace('davis', '')),
    /pull-marks\.csv, line 2: column provider: the cell may not be empty/,
  ],
  'a column less': [
    changedOnPurpose('pull-marks.csv', (text) => text.replaceAll(/,[^,\n]*$/gm, '')),
    /pull-marks\.csv, line 1: the columns are not provider, device, pulledUntil/,
  ],
};

describe('an import', () => {
  it.each(Object.entries(SPOILINGS))('refuses %s, and writes nothing', async (_, [spoil, says]) => {
    const folder = await newExport();
    await spoil(folder);
    const target = await newStorePlace();
    await expect(importFolder(folder, target, noMonitor)).rejects.toThrow(says);
    await withSecondStore(target, async (store) => {
      expect(
        await store.readAll((all) => all.selectFrom('companies').selectAll().execute()),
      ).toEqual([]);
    });
  });

  it('refuses a store with a farm', async () => {
    const folder = await newExport();
    const db = await newFilledStore();
    const before = await rowsOf(db, BLEU.id);
    await expect(importFolder(folder, db, noMonitor)).rejects.toThrow(/already holds a farm/);
    expect(await rowsOf(db, BLEU.id)).toEqual(before);
  });

  it('that is interrupted leaves a store from which nothing is served, and the next one begins anew', async () => {
    const source = await newFilledStore();
    const folder = join(await newFolder(), 'farm');
    await withSecondStore(source, (store) => exportTo(store, folder));
    const expected = await rowsOf(source, BLEU.id);
    const files = FOLDER_TABLES.size;

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: files }), { minLength: 1, maxLength: 3 }),
        async (stops) => {
          const target = await newStorePlace();
          for (const filesRead of stops) {
            const stopping = new AbortController();
            let read = -Number.POSITIVE_INFINITY;
            const stopped = importFolder(folder, target, {
              onStep: (step) => {
                if (step === 'import') read = 0;
              },
              onBytes: () => {
                if (++read >= filesRead) stopping.abort();
              },
              signal: stopping.signal,
            });
            await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
            await expect(openStore({ db: target })).rejects.toThrow(/unfinished import/);
          }
          await importFolder(folder, target, noMonitor);
          expect(await rowsOf(target, BLEU.id)).toEqual(expected);
        },
      ),
      { numRuns: propertyRuns(20) },
    );
  });
});

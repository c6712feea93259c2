import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { storedBackups } from '../../../src/store/backups/backup-folder.ts';
import { problemsOf } from '../../../src/store/backups/check-backup.ts';
import { viewStore } from '../../../src/store/store.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { makeFirstStore } from '../../store/first-store/first-store.ts';
import { server } from '../../store/temporary-stores.ts';
import { newDatabase } from '../../stores/postgres.ts';
import { newFolder } from '../../temporary-places.ts';
import { runProgram, startCommand } from '../program.ts';
import { fillWithYears } from './retained-store.ts';

const KILLS = 150;

function execute(db: string, ...statements: string[]): void {
  const database = new DatabaseSync(db);
  for (const statement of statements) database.exec(statement);
  database.close();
}

const MANY_SECRETS = `insert into secrets (name, value)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
  select 'secret ' || i, hex(randomblob(300)) from n`;

/** 13 MB, so that each step of a copy takes a while. */
async function newFarm(): Promise<string> {
  const db = join(await newFolder(), 'farm.db');
  await copyFile(await newBaseFarm(), db);
  execute(db, MANY_SECRETS);
  return db;
}

/** In ms, until the program has ended. */
async function durationOf(...words: readonly string[]): Promise<number> {
  const start = performance.now();
  await runProgram(...words);
  return performance.now() - start;
}

/** Runs the command to its end, and then kills it at moments spread over the time of its work. */
async function killAtEachMoment(
  words: readonly string[],
  { before, after }: { before?: () => Promise<void>; after: () => Promise<void> },
): Promise<void> {
  const loadingMs = await durationOf('--help');
  await before?.();
  const wholeMs = await durationOf(...words);
  await after();

  for (let kill = 1; kill <= KILLS; kill++) {
    await before?.();
    const { child, ended } = startCommand(words);
    await pause(loadingMs + ((wholeMs - loadingMs) * kill) / KILLS);
    child.kill('SIGKILL');
    await ended;
    await after();
  }
}

const removeStore = async (db: string): Promise<void> => {
  for (const suffix of ['', '-wal', '-shm']) await rm(db + suffix, { force: true });
};

const leftIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter(
    (name) => name.startsWith('.') || /-(journal|wal|shm)$/.test(name),
  );

async function expectIntact(folder: string): Promise<void> {
  const copies = await storedBackups(folder);
  expect(copies.length).toBeGreaterThan(0);
  for (const copy of copies) expect(await problemsOf(copy)).toEqual([]);
}

it('copies and pruning', async () => {
  const db = await newFarm();
  const folder = join(dirname(db), 'backups');
  await runProgram('backup', '--db', db);
  let name = 0;
  let before = 1;
  await killAtEachMoment(['backup', '--keep', '2', '--db', db], {
    before: async () =>
      execute(db, 'delete from leases', `update companies set name = 'Mas ${++name}'`),
    async after() {
      const copies = await storedBackups(folder);
      expect(copies.length).toBeGreaterThanOrEqual(1);
      // A run that dies before it prunes leaves its own; the next whole run prunes them all.
      expect(copies.length).toBeLessThanOrEqual(Math.max(2, before) + 1);
      before = copies.length;
      expect(copies.map(({ isGood }) => isGood)).not.toContain(false);
    },
  });
  // The process that copies ends with the one that started it.
  await pause(500);
  execute(db, 'delete from leases');
  await runProgram('backup', '--db', db);
  expect(await leftIn(folder)).toEqual([]);
  expect(await readdir(folder)).toHaveLength(5);
  await expectIntact(folder);
});

it('drills', async () => {
  const db = await newFarm();
  const folder = join(dirname(db), 'backups');
  await runProgram('backup', '--db', db);
  const files = await readdir(folder);
  await killAtEachMoment(['backup', '--drill', '--db', db], {
    before: async () => execute(db, 'delete from leases'),
    after: async () =>
      expect((await storedBackups(folder)).map(({ isGood }) => isGood)).toEqual([true]),
  });
  await pause(500);
  execute(db, 'delete from leases');
  await runProgram('backup', '--drill', '--db', db);
  expect(await readdir(folder)).toEqual(files);
  await expectIntact(folder);
});

it('restores', async () => {
  const db = await newFarm();
  await runProgram('backup', '--db', db);
  const [copy] = await storedBackups(join(dirname(db), 'backups'));
  const place = join(await newFolder(), 'new.db');
  const expectWhole = async () => {
    const database = new DatabaseSync(place, { readOnly: true });
    expect(database.prepare('select count(*) as n from secrets').get()).toEqual({ n: 20_000 });
    expect(database.prepare('pragma quick_check').get()).toEqual({ quick_check: 'ok' });
    database.close();
  };
  await killAtEachMoment(['restore', copy!.path, '--to', place], {
    async after() {
      if (!(await readdir(dirname(place))).includes(basename(place))) return;
      await expectWhole();
      await removeStore(place);
    },
  });
  await runProgram('restore', copy!.path, '--to', place);
  expect(await readdir(dirname(place))).toEqual([basename(place)]);
  await expectWhole();
});

const sumsOf = async (folder: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, 'export.json'), 'utf8')).files;

const CLOCK = ['--clock', '2026-07-01T10:00:00Z'];

async function expectSurvivesKilledExports(db: string): Promise<void> {
  await fillWithYears(db);
  const folder = join(await newFolder(), 'farm');
  let sums: unknown;
  await killAtEachMoment(['export', folder, '--db', db, ...CLOCK], {
    async after() {
      if (!(await readdir(dirname(folder))).includes('farm')) return;
      sums ??= await sumsOf(folder);
      expect(await sumsOf(folder)).toEqual(sums);
      await rm(folder, { recursive: true });
    },
  });
  await runProgram('export', folder, '--db', db);
  expect(await readdir(dirname(folder))).toEqual(['farm']);
}

it('exports', async () => expectSurvivesKilledExports(join(await newFolder(), 'farm.db')));

it.skipIf(server === null)('exports of PostgreSQL', async () => {
  const { db, remove } = await newDatabase('tables');
  try {
    await expectSurvivesKilledExports(db);
  } finally {
    await remove();
  }
});

it('imports', async () => {
  const source = join(await newFolder(), 'farm.db');
  await fillWithYears(source);
  const parent = await newFolder();
  const [folder, again] = [join(parent, 'farm'), join(parent, 'again')];
  await runProgram('export', folder, '--db', source, ...CLOCK);
  const sums = await sumsOf(folder);
  const db = join(await newFolder(), 'new.db');
  await killAtEachMoment(['import', folder, '--db', db], {
    async after() {
      const view = await viewStore(db).catch(() => null);
      const state = view?.state;
      const companies =
        state === 'current'
          ? await view!.read((all) => all.selectFrom('companies').select('id').execute())
          : [];
      await view?.close();
      // Whole, empty, or one of which nothing is served.
      if (companies.length === 0) return;
      await runProgram('export', again, '--db', db, ...CLOCK);
      expect(await sumsOf(again)).toEqual(sums);
      await rm(again, { recursive: true });
      await removeStore(db);
    },
  });
  await runProgram('import', folder, '--db', db);
  await runProgram('export', again, '--db', db, ...CLOCK);
  expect(await sumsOf(again)).toEqual(sums);
});

it('upgrades of a store that is copied before', async () => {
  const root = await newFolder();
  const template = join(root, 'template.db');
  await makeFirstStore(template);
  execute(template, MANY_SECRETS);
  let db = '';
  let number = 0;
  const before = async () => {
    db = join(root, 'farm.db');
    await rm(join(root, 'backups'), { recursive: true, force: true });
    for (const suffix of ['-wal', '-shm']) await rm(db + suffix, { force: true });
    await copyFile(template, db);
    number++;
  };
  const backups = join(root, 'backups');
  const words = ['tick', ...CLOCK, '--db', join(root, 'farm.db')];
  await killAtEachMoment(words, {
    before,
    async after() {
      const view = await viewStore(db);
      const { state } = view;
      await view.close();
      const copies = await storedBackups(backups);
      if (state === 'current') expect(copies).toHaveLength(1);
      else expect(state).toBe('needsMigration');
      if (number % 10 === 0 && copies.length > 0) await expectIntact(backups);
    },
  });
  await runProgram(...words);
  expect(await leftIn(backups)).toEqual([]);
  await expectIntact(backups);
});

import { createHash } from 'node:crypto';
import { chmod, copyFile, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { newBaseFarm } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { type CommandResult, runCommand, startCommand } from '../program.ts';

interface Farm {
  readonly db: string;
  readonly backups: string;
  run(...words: string[]): Promise<CommandResult>;
  /** Runs a statement, and leaves nothing of its connection open. */
  sql(statement: string): void;
  /** The files in the folder of the copies. */
  files(): Promise<string[]>;
  newest(): Promise<string>;
}

/** Alone in its folder, because the copies of a store are beside it. */
async function newFarm(): Promise<Farm> {
  const folder = await newFolder();
  const [db, backups] = [join(folder, 'farm.db'), join(folder, 'backups')];
  await copyFile(await newBaseFarm(), db);
  const run = (...words: string[]) => runCommand(words, { env: { ACEQUIA_DB: db } });
  return {
    db,
    backups,
    run,
    sql(statement) {
      const database = new DatabaseSync(db);
      try {
        // A prepared statement keeps a closed connection until it is collected.
        database.exec(statement);
      } finally {
        database.close();
      }
    },
    files: async () => (await readdir(backups)).sort(),
    async newest() {
      const { stdout } = await run('backup', 'list', '--json');
      return JSON.parse(stdout)[0].path;
    },
  };
}

const good = { code: 0, stderr: '' };

describe('acequia backup', () => {
  it('copies the store beside it, lists the copy, tries it, and restores it elsewhere', async () => {
    const farm = await newFarm();
    const made = await farm.run('backup');
    expect(made).toMatchObject({
      ...good,
      stdout: expect.stringMatching(
        /^\S+farm\.db was copied to \S+: [\d,]+ rows, \S+ kB, checked with the same checksums\.\nIt is on the same disk/,
      ),
    });
    const files = await farm.files();
    expect(files).toHaveLength(3);

    expect((await farm.run('backup', 'list')).stdout).toMatch(
      /\nfarm-\S+Z\.db +\S+Z +\S+ \wB +[\d,]+ +\S+Z +never +good\n$/,
    );
    const drill = await farm.run('backup', '--drill');
    expect(drill).toMatchObject({
      ...good,
      stdout: expect.stringContaining('10 tool calls, for 1 company'),
    });
    expect(await farm.files()).toEqual(files);

    const place = join(await newFolder(), 'new.db');
    expect(await farm.run('restore', await farm.newest(), '--to', place)).toMatchObject({
      ...good,
      stdout: expect.stringContaining('is a store as of'),
    });
    expect(await readdir(join(place, '..'))).toEqual(['new.db']);
    const { stdout } = await farm.run('call', 'get_company', '--db', place);
    expect(stdout).toContain('Mas Rouge');
  });

  it('marks a folder that it is given, keeps as many as it is told, and finds them without a store', async () => {
    const farm = await newFarm();
    const stick = join(await newFolder(), 'stick');
    for (const name of ['Un', 'Deux', 'Trois']) {
      farm.sql(`update companies set name = '${name}' where id = 1`);
      expect(await farm.run('backup', stick, '--keep', '2')).toMatchObject(good);
      // Names of copies have seconds.
      await pause(10);
    }
    expect((await readdir(stick)).filter((name) => name.endsWith('.db'))).toHaveLength(2);

    await rm(farm.db);
    for (const suffix of ['-wal', '-shm']) await rm(farm.db + suffix, { force: true });
    expect(JSON.parse((await farm.run('backup', 'list', stick, '--json')).stdout)).toHaveLength(2);
    expect(await farm.run('backup', '--drill', stick)).toMatchObject(good);
  });

  it('says what is wrong with its words', async () => {
    const farm = await newFarm();
    expect(await farm.run('backup', '--keep', '7y')).toMatchObject({ code: 2 });
    expect(await farm.run('backup', '--drill', '--keep', '3')).toMatchObject({ code: 2 });
    expect(await farm.run('backup', '--drill')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no copy of this store'),
    });
    expect(await runCommand(['backup', '--db', 'postgres://db/farm'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('acequia copy'),
    });
  });

  it('does not pass a drill with a changed byte or as the file of another store, and makes a new copy next', async () => {
    const farm = await newFarm();
    await farm.run('backup');
    const path = await farm.newest();
    const whole = await readFile(path);
    await copyFile(await newBaseFarm(), path);
    expect(await farm.run('restore', path, '--to', `${farm.db}.new`)).toMatchObject({ code: 1 });

    whole[whole.length - 9]! ^= 4;
    await writeFile(path, whole);
    const drill = await farm.run('backup', '--drill');
    expect(drill).toMatchObject({ code: 1, stdout: '' });
    expect(drill.stderr).toContain(`${path}: its bytes have changed`);
    expect((await farm.run('backup')).stdout).toContain('was copied to');
    expect(await farm.run('backup', '--drill')).toMatchObject(good);
  });

  it('leaves nothing behind when it is killed or interrupted, after the next copy', async () => {
    const farm = await newFarm();
    farm.sql(`insert into secrets (name, value) with recursive n(i) as
      (select 1 union all select i + 1 from n where i < 50000)
      select 'secret ' || i, hex(randomblob(300)) from n`);
    await farm.run('backup');
    for (const [delayMs, signal] of [
      [500, 'SIGKILL'],
      [1200, 'SIGKILL'],
      [900, 'SIGINT'],
    ] as const) {
      farm.sql(`update companies set name = '${delayMs}' where id = 1`);
      const { child, ended } = startCommand(['backup'], { env: { ACEQUIA_DB: farm.db } });
      await pause(delayMs);
      child.kill(signal);
      await ended;
    }
    // The lease of a killed process.
    farm.sql('delete from leases');
    farm.sql("update companies set name = 'Mas Rouge' where id = 1");
    expect(await farm.run('backup')).toMatchObject(good);
    const files = await farm.files();
    expect(files.filter((name) => name.startsWith('.'))).toEqual([]);
    expect(await farm.run('backup', '--drill')).toMatchObject(good);
  });
});

describe('which copies stay', () => {
  it('is said once for a folder, and the copies of each day follow it', async () => {
    const farm = await newFarm();
    const copyNamed = async (name: string, ...words: string[]): Promise<CommandResult> => {
      farm.sql(`update companies set name = '${name}' where id = 1`);
      return farm.run(...words);
    };
    await copyNamed('Un', 'backup', '--keep', '3');
    await copyNamed('Deux', 'backup');
    farm.sql('update backup_folders set copied_at = 0');
    expect((await copyNamed('Trois', 'tick')).stdout).toContain('The store was copied');
    const copies = async () => JSON.parse((await farm.run('backup', 'list', '--json')).stdout);
    expect(await copies()).toHaveLength(3);

    expect((await copyNamed('Quatre', 'backup', '--keep', 'default')).stdout).toContain(
      '3 older copies deleted',
    );
    expect(await copies()).toHaveLength(1);
  });
});

describe('acequia backup --drill', () => {
  it('passes several at once, and finds no damage in the trial of another one', async () => {
    const farm = await newFarm();
    await farm.run('backup');
    const path = await farm.newest();
    const drills = await Promise.all(
      [1, 2, 3].map(() => runCommand(['backup', '--drill', path], { env: { ACEQUIA_DB: '/no' } })),
    );
    expect(drills.map(({ code, stderr }) => ({ code, stderr }))).toEqual([good, good, good]);
    expect((await farm.run('backup', 'list')).stdout).toMatch(/ good\n$/);
    expect(await farm.files()).toHaveLength(3);
  });

  it('does not call the copy of a newer Acequia damaged', async () => {
    const farm = await newFarm();
    await farm.run('backup');
    const path = await farm.newest();
    await resign(path, "insert into kysely_migration (name, timestamp) values ('9999-x', '')");
    expect(await farm.run('backup', '--drill')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a newer Acequia'),
    });
    const place = join(await newFolder(), 'new.db');
    expect(await farm.run('restore', path, '--to', place)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('newer Acequia'),
    });
    expect(await readdir(join(place, '..'))).toEqual([]);
    expect((await farm.run('backup', 'list')).stdout).toMatch(/ good\n$/);
  });
});

/** Changes a copy, and its manifest with it. */
async function resign(path: string, statement: string): Promise<void> {
  const database = new DatabaseSync(path);
  database.exec(statement);
  const names = database.prepare('select name from kysely_migration order by name').all();
  database.close();
  const bytes = await readFile(path);
  const manifestPath = path.replace(/\.db$/, '.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
  Object.assign(manifest, {
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    migrations: names.map((row) => (row as { name: string }).name),
  });
  await writeFile(manifestPath, JSON.stringify(manifest));
}

describe('acequia restore', () => {
  it('replaces no link, no folder and no file, and lets nobody else read the store', async () => {
    const farm = await newFarm();
    await farm.run('backup');
    const copy = await farm.newest();
    // As on a disk without modes.
    await chmod(copy, 0o777);
    const folder = await newFolder();
    await symlink(join(folder, 'absent.db'), join(folder, 'link.db'));
    await writeFile(join(folder, 'empty.db'), '');
    for (const name of ['link.db', 'empty.db', '.']) {
      const { code, stderr } = await farm.run('restore', copy, '--to', join(folder, name));
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('exists') });
    }
    expect((await readdir(folder)).sort()).toEqual(['empty.db', 'link.db']);

    const places = ['one.db', 'one.db', 'one.db'].map((name) => join(folder, name));
    const results = await Promise.all(
      places.map((place) => farm.run('restore', copy, '--to', place)),
    );
    expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await readdir(folder)).sort()).toEqual(['empty.db', 'link.db', 'one.db']);
    expect((await stat(join(folder, 'one.db'))).mode & 0o777).toBe(0o600);
    const { stdout } = await farm.run('call', 'get_company', '--db', join(folder, 'one.db'));
    expect(stdout).toContain('Mas Rouge');
  });

  it('makes the store of this user, with its folder, on a new machine', async () => {
    const farm = await newFarm();
    await farm.run('backup');
    const db = join(await newFolder(), 'share', 'acequia', 'acequia.db');
    const newMachine = { env: { ACEQUIA_DB: db } };
    expect(await runCommand(['restore', await farm.newest()], newMachine)).toMatchObject(good);
    expect((await stat(join(db, '..'))).mode & 0o777).toBe(0o700);
    const { stdout } = await runCommand(['call', 'get_company'], newMachine);
    expect(stdout).toContain('Mas Rouge');
  });

  it('refuses a place with a store, and says what that has and the copy lacks', async () => {
    const farm = await newFarm();
    await farm.run('backup');
    farm.sql("insert into parcels (company_id, name) values (1, 'East block')");
    const before = await readFile(farm.db);
    const { code, stderr } = await farm.run('restore', await farm.newest(), '--to', farm.db);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/lacks:\n {2}parcels: 3 rows there, 2 rows in the copy\n/),
    });
    expect(await readFile(farm.db)).toEqual(before);
  });

  it('refuses a place where a process still has the log of a store open', async () => {
    const farm = await newFarm();
    await farm.run('backup');
    const place = join(await newFolder(), 'gone.db');
    await writeFile(`${place}-wal`, '');
    expect(await farm.run('restore', await farm.newest(), '--to', place)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a process may still run'),
    });
  });

  it('sends nothing that was queued, and names the keys that may have been revoked since', async () => {
    const farm = await newFarm();
    const key = await farm.run('keys', 'create');
    farm.sql(`insert into outbox (company_id, id, kind, user_id, to_address, subject, text, html,
      created_at, state, attempts, next_attempt_at)
      values (1, 'm1', 'doubt', 1, 'ana@example.org', 'Dry', 'Dry', 'Dry', 0, 'waiting', 0, 0)
     `);
    await farm.run('backup');
    const place = join(await newFolder(), 'new.db');
    const { stdout } = await farm.run('restore', await farm.newest(), '--to', place);
    expect(stdout).toContain('1 message of the copy waited to be sent');
    expect(stdout).toMatch(/key #1 of ana@example\.org.*acequia keys revoke 1 --db \S+new\.db/);
    expect(stdout).not.toContain(key.stdout.trim());

    const database = new DatabaseSync(place);
    expect(database.prepare('select * from outbox').all()).toEqual([]);
    expect(database.prepare('select * from backup_folders').all()).toEqual([]);
    database.close();
  });

  it('begins anew after it was killed', async () => {
    const farm = await newFarm();
    await farm.run('backup');
    const [copy, place] = [await farm.newest(), join(await newFolder(), 'new.db')];
    for (const delayMs of [300, 500, 700]) {
      const { child, ended } = startCommand(['restore', copy, '--to', place]);
      await pause(delayMs);
      child.kill('SIGKILL');
      await ended;
    }
    await rm(place, { force: true });
    expect(await farm.run('restore', copy, '--to', place)).toMatchObject({ code: 0 });
    expect(await readdir(join(place, '..'))).toEqual(['new.db']);
  });
});

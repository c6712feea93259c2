import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { importFarmFile } from '../../imported-data.ts';
import { isDeepRun } from '../../property-runs.ts';
import { newFolder } from '../../temporary-places.ts';
import { runCommand, startCommand } from '../program.ts';
import { createTestKey, serveStoreForTest } from '../rest-service.ts';

const EMAIL = 'berta.quirke@farm.example';
const PERSON = /quirke/i;

const FARM = {
  company: { name: 'Mas Rouge', countryCode: 'FR', currency: 'EUR', timezone: 'Europe/Paris' },
  users: [
    { email: 'ana@example.org', name: 'Ana', role: 'OWNER' },
    { email: EMAIL, name: 'Berta Quirke', role: 'MANAGER' },
  ],
  parcels: [{ name: 'North block' }],
  modules: [
    {
      uid: 'A1',
      name: 'North 1',
      category: 'SOIL_PROBE',
      parcel: 'North block',
      commissionedAt: '2025-01-11T09:00:00Z',
      sensors: [{ type: 'humidity', depth: 20 }],
    },
  ],
};

async function newFarm() {
  const folder = await newFolder();
  const db = join(folder, 'farm.db');
  await importFarmFile(db, FARM);
  const run = (...words: string[]) => runCommand(words, { env: { ACEQUIA_DB: db } });
  const backups = join(folder, 'backups');
  return {
    db,
    folder,
    backups,
    run,
    /** Calls a tool as Berta. */
    async callAsBerta(...words: string[]) {
      const { key } = await createTestKey(db, '--user', EMAIL, '--preset', 'everything');
      return runCommand(['call', ...words], { env: { ACEQUIA_DB: db, ACEQUIA_API_KEY: key } });
    },
    copies: async () => (await readdir(backups)).filter((name) => name.endsWith('.db')).sort(),
  };
}

/** A run that was killed may have left a process that deletes its file. */
function emptyIfGone(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

/** The files below a folder that hold the person. */
async function filesWithPerson(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (PERSON.test(await readFile(path, 'latin1').catch(emptyIfGone))) found.push(entry.name);
  }
  return found;
}

const WATERING = [
  'log_watering',
  'module=North 1',
  'startedAt=yesterday 06:00',
  'inputMode=duration',
];

it('writes what is stored about a person, for its owner alone, without secrets', async () => {
  const farm = await newFarm();
  await farm.callAsBerta(...WATERING, 'durationMin=40', 'note=Berta was here');
  await farm.callAsBerta('create_alert', 'module=North 1', 'threshold=20');
  const file = join(farm.folder, 'berta.json');
  expect(await farm.run('users', 'export', EMAIL, '--out', file)).toMatchObject({ code: 0 });
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const text = await readFile(file, 'utf8');
  expect(text).not.toContain('"hash"');
  expect(JSON.parse(text).memberships).toMatchObject([
    {
      company: { name: 'Mas Rouge' },
      member: { email: EMAIL, name: 'Berta Quirke', role: 'MANAGER' },
      keys: [{ id: 1 }, { id: 2 }],
      waterings: [{ durationMin: 40, note: 'Berta was here' }],
      alerts: [{ threshold: '20' }],
      changes: [{ operation: 'log_watering' }, { operation: 'create_alert' }],
      mentions: [
        { table: 'waterings', column: 'note' },
        { table: 'changes', key: '1' },
      ],
    },
  ]);
});

it('erases a person while a service runs: no answer and no byte of the store has the person', async () => {
  const farm = await newFarm();
  await farm.callAsBerta(...WATERING, 'durationMin=40');
  await farm.callAsBerta('create_alert', 'module=North 1', 'threshold=20');
  const service = await serveStoreForTest(farm.db);
  const key = await service.newKey('--preset', 'everything');
  const bertasKey = await service.newKey('--user', EMAIL, '--preset', 'everything');
  const before = await service.request('GET', '/irrigation/events', { key });

  const plan = await farm.run('users', 'erase', EMAIL, '--dry-run');
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was erased.') });
  expect((await service.request('GET', '/company/users', { key: bertasKey })).status).toBe(200);

  const erased = await farm.run('users', 'erase', EMAIL);
  expect(erased).toMatchObject({ code: 0, stderr: '' });
  expect(erased.stdout).toMatch(/^Erased: member #2 \(MANAGER\) of Mas Rouge, now "former member"/);
  expect(erased.stdout).not.toMatch(PERSON);

  expect((await service.request('GET', '/company/users', { key: bertasKey })).status).toBe(401);
  for (const path of ['/company/users', '/alerts', '/changes', '/irrigation/events']) {
    const { status, body } = await service.request('GET', path, { key });
    expect(status, path).toBe(200);
    expect(JSON.stringify(body)).not.toMatch(PERSON);
  }
  expect(await service.request('GET', '/irrigation/events', { key })).toMatchObject({
    body: before.body,
  });
  const { stdout } = await farm.run('call', 'list_changes');
  expect(stdout).toContain('former member');
  expect(await filesWithPerson(farm.folder)).toEqual([]);
});

it('says until when copies have the person, and erases again what is restored from one', async () => {
  const farm = await newFarm();
  await farm.callAsBerta(...WATERING, 'durationMin=40');
  await farm.run('backup');
  const copies = await farm.copies();
  const { stdout } = await farm.run('users', 'erase', EMAIL);
  expect(stdout).toMatch(/Still in 1 copy in \S+backups, until \d{4}-\d\d-\d\d at the latest/);
  expect(await filesWithPerson(farm.folder)).toEqual(copies);

  const list = (await readdir(farm.backups)).find((name) => name.startsWith('acequia-erased-'))!;
  expect((await stat(join(farm.backups, list))).mode & 0o777).toBe(0o600);
  const folder = await newFolder();
  const restored = await farm.run(
    'restore',
    join(farm.backups, copies[0]!),
    '--to',
    join(folder, 'new.db'),
  );
  expect(restored.stdout).toContain(
    'Erased again, because that was done after the copy: 1 member.',
  );
  expect(restored.stdout).not.toMatch(PERSON);
  expect(await filesWithPerson(folder)).toEqual([]);
});

it('restores no copy beside which the list of the erased is damaged', async () => {
  const farm = await newFarm();
  await farm.run('backup');
  const [copy] = await farm.copies();
  await farm.run('users', 'erase', EMAIL);
  const list = (await readdir(farm.backups)).find((name) => name.startsWith('acequia-erased-'))!;
  await writeFile(join(farm.backups, list), '{');

  const place = join(await newFolder(), 'new.db');
  const refused = await farm.run('restore', join(farm.backups, copy!), '--to', place);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be read') });
  expect(existsSync(place)).toBe(false);

  // The store knows them all, and the next copy writes the list anew.
  await farm.run('backup', '--keep', '5');
  expect(await farm.run('restore', join(farm.backups, copy!), '--to', place)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Erased again'),
  });
});

it('notes who was erased in a folder for copies that was absent, once a copy is made there', async () => {
  const farm = await newFarm();
  await farm.run('users', 'erase', EMAIL);
  await farm.run('backup');
  expect(await readdir(farm.backups)).toContainEqual(expect.stringMatching(/^acequia-erased-/));
});

it('refuses the last owner, and says how to hand over', async () => {
  const farm = await newFarm();
  const refused = await farm.run('users', 'erase', 'ana@example.org');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Hand over first') });
  expect((await farm.run('call', 'list_users')).stdout).toContain('ana@example.org');

  expect(await farm.run('users', 'erase', 'ana@example.org', '--last-owner')).toMatchObject({
    code: 0,
  });
  const added = await farm.run('call', 'set_company', 'ownerEmail=new@example.org');
  expect(added).toMatchObject({ code: 0 });
});

it('ends with the next run, wherever it was killed', async () => {
  for (let round = 0; round < (isDeepRun ? 200 : 4); round++) {
    const farm = await newFarm();
    await farm.callAsBerta(...WATERING, 'durationMin=40');
    const running = startCommand(['users', 'erase', EMAIL], { env: { ACEQUIA_DB: farm.db } });
    await pause(300 + Math.random() * 700);
    running.child.kill('SIGKILL');
    await running.ended;

    const members = (await farm.run('call', 'list_users')).stdout;
    const again = await farm.run('users', 'erase', EMAIL);
    if (members.includes(EMAIL)) expect(again.code).toBe(0);
    // It was complete, or this run has completed it.
    else expect(again.stdout + again.stderr).toMatch(/There is no member|is complete now/);
    expect(await filesWithPerson(farm.folder)).toEqual([]);
  }
});

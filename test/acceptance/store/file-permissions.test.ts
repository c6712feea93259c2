import { chmod, chown, copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newBaseFarm, WATERING } from '../../base-farm.ts';
import { newFolder } from '../../temporary-places.ts';
import { bodyOf, refusalOf } from '../mcp-session.ts';
import { CLOCK, runCommand, waitUntil } from '../program.ts';
import { connectRaw, type RawServer } from '../raw-server.ts';
import { createTestKey, startServing } from '../rest-service.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Permissions do not bind root. */
const asOrdinaryUser = {
  prefix: isRoot
    ? `exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups "$0" "$@"`
    : ':',
};

async function storeOfOrdinaryUser(): Promise<{ readonly folder: string; readonly db: string }> {
  const folder = await newFolder();
  const db = join(folder, 'farm.db');
  await copyFile(await newBaseFarm(), db);
  if (isRoot) for (const path of [folder, db]) await chown(path, NOBODY, NOBODY);
  return { folder, db };
}

const callTool = async (raw: RawServer, name: string, args: unknown = {}) =>
  (await raw.answer(raw.call(name, args))).result;

it.skipIf(process.platform === 'win32')(
  'a read-only store is read, and written once it is writable, although another process was killed before',
  async () => {
    const { db } = await storeOfOrdinaryUser();
    await chmod(db, 0o400);
    const [first, second] = [
      await connectRaw(db, asOrdinaryUser),
      await connectRaw(db, asOrdinaryUser),
    ];
    for (const raw of [first, second])
      expect(bodyOf(await callTool(raw, 'get_company')).name).toBe('Mas Rouge');
    const refusal = refusalOf(await callTool(first, 'log_watering', WATERING));
    expect(refusal).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      hint: expect.stringContaining('Allow this user'),
    });
    first.child.kill('SIGKILL');
    await chmod(db, 0o600);
    expect(bodyOf(await callTool(second, 'log_watering', WATERING)).event.waterMm).toBe(2.4);
  },
);

it.skipIf(process.platform === 'win32')(
  'a service on a read-only file reads, is not ready, and is once the file is writable',
  async () => {
    const { db } = await storeOfOrdinaryUser();
    const { key } = await createTestKey(db);
    await chmod(db, 0o400);
    const service = await startServing(db, ['--clock', CLOCK], asOrdinaryUser);

    const notReady = await service.request('GET', '/../ready');
    expect([notReady.status, notReady.headers.get('retry-after')]).toEqual([503, '5']);
    const { code, detail, hint } = notReady.body;
    expect({ code, hint }).toEqual({ code: 'STORE_UNAVAILABLE', hint: 'Try again in 5 s.' });
    expect(detail).toContain('at present: it is read-only (');
    expect(detail).not.toContain(db);
    const [reference] = /[0-9a-f]{12}/.exec(detail)!;
    const logged = service
      .stderr()
      .split('\n')
      .find((line) => line.includes(reference!))!;
    expect(JSON.parse(logged).err).toMatchObject({
      type: 'AcequiaError',
      message: `The store ${db} is not writable.`,
      hint: expect.stringContaining('Allow this user'),
    });
    expect((await service.request('GET', '/company', { key })).status).toBe(200);

    await chmod(db, 0o600);

    await waitUntil(async () => (await service.request('GET', '/../ready')).status === 200);
  },
);

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

const accessFinding = async (db: string) => {
  const { stdout } = await runCommand(['doctor', '--json', '--db', db], asOrdinaryUser);
  return JSON.parse(stdout).findings.find(
    ({ subject }: { subject: string }) => subject === 'access',
  );
};

it.skipIf(process.platform === 'win32')(
  'a store that others may read is reported by the doctor, and closed by the next call',
  async () => {
    const { db } = await storeOfOrdinaryUser();
    await chmod(db, 0o644);
    expect(await accessFinding(db)).toMatchObject({
      level: 'bad',
      what: expect.stringContaining(`${db} (mode 644)`),
      advice: expect.stringContaining(`Run: chmod 600 ${db}.`),
    });
    expect(await modeOf(db)).toBe(0o644);

    expect((await runCommand(['call', 'get_company', '--db', db], asOrdinaryUser)).code).toBe(0);

    expect(await modeOf(db)).toBe(0o600);
    expect(await accessFinding(db)).toMatchObject({ level: 'good' });
  },
);

it.skipIf(!isRoot)(
  'a store of another user works as before, and the doctor names who can close it',
  async () => {
    const { folder, db } = await storeOfOrdinaryUser();
    await chown(db, NOBODY - 1, NOBODY);
    await chown(folder, NOBODY - 1, NOBODY);
    await chmod(db, 0o664);
    await chmod(folder, 0o770);
    expect((await runCommand(['call', 'get_company', '--db', db], asOrdinaryUser)).code).toBe(0);
    expect(await modeOf(db)).toBe(0o664);
    expect(await accessFinding(db)).toMatchObject({
      level: 'bad',
      advice: expect.stringContaining(
        `Its owner, the user with the id ${NOBODY - 1}, runs: chmod 600 ${db}.`,
      ),
    });
  },
);

it.skipIf(process.platform === 'win32')(
  'a folder that is not writable is refused, and the doctor says why',
  async () => {
    const { folder, db } = await storeOfOrdinaryUser();
    await chmod(folder, 0o500);
    const call = await runCommand(['call', 'get_company', '--db', db], asOrdinaryUser);
    expect([call.code, call.stderr]).toEqual([1, expect.stringContaining('is not writable')]);
    const doctor = await runCommand(['doctor', '--json', '--db', db], asOrdinaryUser);
    const disk = {
      level: 'bad',
      subject: 'disk',
      what: `${folder} cannot be written by this user`,
    };
    expect(JSON.parse(doctor.stdout).findings).toContainEqual(expect.objectContaining(disk));
  },
);

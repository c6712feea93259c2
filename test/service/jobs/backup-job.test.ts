import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BackupError } from '../../../src/domain/backups/failures.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/periods.ts';
import type { BackupProcess } from '../../../src/service/backups/backup-runs.ts';
import { runDueBackup } from '../../../src/service/jobs/backup-job.ts';
import { defaultBackupFolder } from '../../../src/store/backups/backup-location.ts';
import { folderRecord } from '../../../src/store/backups/folder-records.ts';
import { makeBackup } from '../../../src/store/backups/make-backup.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { inTemporaryFolder } from '../../store/temporary-stores.ts';

const FIRST = Date.parse('2026-07-01T03:00:00Z');

/** In this process; a drill only says that it was asked for. */
const copying: BackupProcess = {
  copy: (request) => makeBackup(request, { onPages: () => undefined }),
  drill: async ({ path, now }) => ({
    ...{ path, at: now, rows: 0, tables: 0, migrations: 0, companies: 0, answers: 0, ms: 0 },
  }),
};

interface Rounds {
  readonly store: Store;
  readonly file: string;
  /** A round of one process. */
  run(now: number, process?: BackupProcess, signal?: AbortSignal): Promise<string>;
}

const withRounds = <T>(body: (rounds: Rounds) => Promise<T>): Promise<T> =>
  inTemporaryFolder(async (root) => {
    const file = join(root, 'farm.db');
    const store = await openStore({ db: file });
    const folder = defaultBackupFolder(file);
    const run: Rounds['run'] = async (
      now,
      process = copying,
      signal = new AbortController().signal,
    ) => {
      const holder = randomUUID();
      const context = { store, file, folder, holder, process, signal, now: () => now };
      const { copied, drilled } = await runDueBackup(context);
      if (copied > 0) return 'copied';
      return drilled > 0 ? 'drilled' : 'nothing';
    };
    try {
      return await body({ store, file, run });
    } finally {
      await store.close();
    }
  });

it('makes a copy each UTC day, tries the first at once, and then one a month', () =>
  withRounds(async ({ run }) => {
    const drills: number[] = [];
    for (let day = 0; day < 65; day++) {
      const outcomes = [];
      for (const minute of [0, 1, 2, 600])
        outcomes.push(await run(FIRST + day * DAY_MS + minute * MINUTE_MS));
      expect(outcomes.filter((outcome) => outcome === 'copied')).toEqual(['copied']);
      if (outcomes.includes('drilled')) drills.push(day);
    }
    expect(drills).toEqual([0, 30, 60]);
  }));

it('makes one copy where several processes want to at the same time', () =>
  withRounds(async ({ run }) => {
    let copies = 0;
    const slow: BackupProcess = {
      ...copying,
      async copy(request, signal) {
        copies++;
        await pause(50);
        return copying.copy(request, signal);
      },
    };
    const outcomes = await Promise.all([1, 2, 3].map(() => run(FIRST, slow)));
    expect(outcomes.sort()).toEqual(['copied', 'nothing', 'nothing']);
    expect(copies).toBe(1);
  }));

it('records why a copy failed, tries again after an hour, and forgets the failure then', () =>
  withRounds(async ({ store, file, run }) => {
    const full: BackupProcess = {
      ...copying,
      copy: async () => Promise.reject(new BackupError('disk_full', 'no space left')),
    };
    const record = () => store.readAll((all) => folderRecord(all, defaultBackupFolder(file)));
    await expect(run(FIRST, full)).rejects.toThrow('no space left');
    expect(await record()).toMatchObject({ failure: 'disk_full', failedAt: FIRST, copiedAt: null });
    expect(await run(FIRST + MINUTE_MS)).toBe('nothing');
    expect(await run(FIRST + HOUR_MS)).toBe('copied');
    expect(await record()).toMatchObject({ failure: null, failedAt: null });
  }));

it('makes another copy on the day on which a drill found the copy damaged', () =>
  withRounds(async ({ run }) => {
    const damaged: BackupProcess = {
      ...copying,
      drill: async () => Promise.reject(new BackupError('copy_damaged', 'its bytes have changed')),
    };
    expect(await run(FIRST)).toBe('copied');
    await expect(run(FIRST + MINUTE_MS, damaged)).rejects.toThrow('bytes');
    expect(await run(FIRST + 2 * HOUR_MS)).toBe('copied');
    expect(await run(FIRST + 2 * HOUR_MS + MINUTE_MS)).toBe('drilled');
  }));

it('records nothing when the process ends, so that the next one makes the copy', () =>
  withRounds(async ({ run }) => {
    const stopping = new AbortController();
    const interrupted: BackupProcess = {
      ...copying,
      async copy(_, signal) {
        stopping.abort();
        throw signal.reason;
      },
    };
    expect(await run(FIRST, interrupted, stopping.signal)).toBe('nothing');
    expect(await run(FIRST + MINUTE_MS)).toBe('copied');
  }));

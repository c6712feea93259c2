import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DoctorFinding } from '../../../src/cli/doctor/findings.ts';
import { defaultBackupFolder } from '../../../src/store/backups/backup-location.ts';
import { ensureFolderRecord, recordCopy } from '../../../src/store/backups/folder-records.ts';
import { REPOSITORY } from '../../acceptance/program.ts';
import { runInProcess } from '../../in-process-command.ts';
import { onEachStore } from '../../store/temporary-stores.ts';

interface Report {
  readonly findings: readonly DoctorFinding[];
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const read = async (db: string, env = {}): Promise<Report> => {
  const { stdout } = await runInProcess(['doctor', '--db', db, '--json', '--no-assistants'], {
    env: { HOME: '/nowhere', USERPROFILE: '/nowhere', ACEQUIA_BACKUPS: '', ...env },
  });
  return JSON.parse(stdout);
};

const HOUR_MS = 3_600_000;

onEachStore((withStore, isOnServer) => {
  it('has the documented fields, and what operators ask first comes first', () =>
    withStore(async (store, db) => {
      const at = Date.now() - HOUR_MS;
      await store.write(1, async (rouge) => {
        const { id } = await rouge
          .insertInto('modules')
          .values({ uid: 'A1', name: 'North 1' })
          .returning('id')
          .executeTakeFirstOrThrow();
        await rouge
          .insertInto('devices')
          .values({ name: 'a840', module_id: id, depths: '[10]', first_seen_at: 0 })
          .execute();
        await rouge
          .insertInto('device_status')
          .values({ device: 'a840', last_seen_at: at - 30 * HOUR_MS })
          .execute();
      });
      if (!isOnServer)
        await store.writeAll(async (all) => {
          const folder = defaultBackupFolder(db);
          await ensureFolderRecord(all, folder);
          await recordCopy(all, folder, { copiedAt: at, drilledAt: at });
        });

      const report = await read(db);
      expect(Object.keys(report)).toEqual(['format', 'good', 'doubtful', 'bad', 'findings']);
      expect(report).toMatchObject({ format: 1 });
      for (const finding of report.findings)
        expect(Object.keys(finding)).toEqual(['level', 'subject', 'what', 'advice', 'figures']);

      const figures = report.findings.flatMap((finding) =>
        finding.figures === null ? [] : [[finding.subject, finding.figures] as const],
      );
      const onFile = [
        [
          'copies',
          {
            folder: defaultBackupFolder(db),
            copiedAt: new Date(at).toISOString(),
            drilledAt: new Date(at).toISOString(),
            failedAt: null,
            failure: null,
            isOnOtherDisk: null,
          },
        ],
        ['disk', { freeBytes: expect.any(Number), daysUntilFull: null }],
      ];
      expect(figures).toEqual([
        ...(isOnServer ? [] : onFile),
        ['jobs', { ranAt: null, areAlertsChecked: expect.any(Boolean) }],
        ['outbox', { waiting: 0, refused: 0, oldestWaitingAt: null }],
        ['silence', { assigned: 1, silent: 1, silentSince: expect.stringMatching(INSTANT) }],
        ...(isOnServer ? [] : [['access', { openFiles: [] }]]),
      ]);
      expect(report.findings.slice(0, figures.length).map(({ subject }) => subject)).toEqual(
        figures.map(([subject]) => subject),
      );
    }));
});

describe('the page on the doctor', () => {
  it('describes each figure', async () => {
    const page = await readFile(join(REPOSITORY, 'docs', 'doctor.md'), 'utf8');
    const documented = [...page.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name);
    expect(documented.sort()).toEqual(
      [
        ...['folder', 'copiedAt', 'drilledAt', 'failedAt', 'failure', 'isOnOtherDisk'].map(
          (name) => `copies.${name}`,
        ),
        ...['disk.freeBytes', 'disk.daysUntilFull', 'jobs.ranAt', 'jobs.areAlertsChecked'],
        ...['outbox.waiting', 'outbox.refused', 'outbox.oldestWaitingAt'],
        ...['silence.assigned', 'silence.silent', 'silence.silentSince', 'access.openFiles'],
      ].sort(),
    );
  });
});

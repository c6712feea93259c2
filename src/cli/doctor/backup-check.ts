import { existsSync } from 'node:fs';
import { DAY_MS } from '../../domain/periods.ts';
import { toIsoOrNull } from '../../schema/wire-format.ts';
import { isOnOtherDisk } from '../../store/backups/backup-folder.ts';
import {
  type FolderRecord,
  folderRecords,
  makesNoCopies,
} from '../../store/backups/folder-records.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { isServerUrl } from '../../store/store-location.ts';
import { backupFolderOf } from '../backups/backup-settings.ts';
import { failureAdvice } from '../backups/failure-advice.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration } from './findings.ts';

/** A program that runs each day makes a copy each day. */
const OLD_AFTER_MS = 2 * DAY_MS;

const FAILURES = {
  disk_full: 'there is no space left',
  folder_missing: 'the folder is not there',
  folder_unmarked: 'the folder is not marked as one for copies, so its disk may be absent',
  folder_unwritable: 'this user cannot write there',
  store_damaged: 'the store is damaged',
  copy_damaged: 'the copy is damaged',
  unexpected: 'it failed unexpectedly, as the log says',
} as const;

/** `now` is real time in ms, as that of the copies is. */
export async function checkBackups(
  now: number,
  db: string,
  view: StoreView | null,
): Promise<DoctorFinding[]> {
  if (view === null || isServerUrl(db)) return [];

  const newFinding = findingsAbout('copies');
  const folder = backupFolderOf(db);
  if (folder === null) return [newFinding.good('none are made: ACEQUIA_BACKUPS is off', NO_COPIES)];

  const records = await view.read(folderRecords);
  if (makesNoCopies(records))
    return [newFinding.good('none are made by themselves of a demo farm', NO_COPIES)];

  const record = records.find((each) => each.folder === folder) ?? null;
  const figures = {
    folder,
    copiedAt: toIsoOrNull(record?.copiedAt ?? null),
    drilledAt: toIsoOrNull(record?.drilledAt ?? null),
    failedAt: toIsoOrNull(record?.failedAt ?? null),
    failure: record?.failure ?? null,
    isOnOtherDisk: existsSync(folder) ? isOnOtherDisk(folder, db) : null,
  };
  if (record?.failure != null && record.failedAt !== null)
    return [
      newFinding.doubtful(
        `the last attempt in ${folder} failed ${agoOf(record.failedAt, now)}: ${FAILURES[record.failure]}; ${describeCopies(record, now)}`,
        failureAdvice(record.failure),
        figures,
      ),
    ];

  if (record === null || record.copiedAt === null)
    return [
      newFinding.good(
        `none in ${folder} yet; a running program makes one each day, and "acequia backup" one now`,
        figures,
      ),
    ];

  const text = `in ${folder}; ${describeCopies(record, now)}`;
  if (now - record.copiedAt > OLD_AFTER_MS)
    return [
      newFinding.doubtful(
        text,
        'Run "acequia backup", or "acequia service install" for a program that makes one each day.',
        figures,
      ),
    ];
  return [newFinding.good(figures.isOnOtherDisk ? text : `${text}; ${SAME_DISK}`, figures)];
}

const NO_COPIES = {
  folder: null,
  copiedAt: null,
  drilledAt: null,
  failedAt: null,
  failure: null,
  isOnOtherDisk: null,
};

const SAME_DISK =
  'on the same disk as the store, so they are lost with it: ACEQUIA_BACKUPS can name a folder on another one';

function describeCopies({ copiedAt, drilledAt }: FolderRecord, now: number): string {
  if (copiedAt === null) return 'there is no good copy';
  const drill = drilledAt === null ? 'never tried' : `the last one tried ${agoOf(drilledAt, now)}`;
  return `the newest was made or checked ${agoOf(copiedAt, now)}, ${drill}`;
}

const agoOf = (at: number, now: number): string =>
  `${formatRoughDuration(Math.max(0, now - at))} ago`;

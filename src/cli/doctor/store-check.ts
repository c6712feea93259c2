import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { daysUntilFull, growthPerDay } from '../../domain/backups/growth.ts';
import { MAX_STORE_SIZES } from '../../domain/backups/retention.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { singleLine } from '../../domain/strings.ts';
import { AcequiaError } from '../../schema/error.ts';
import {
  backupsOfStore,
  identityOfStore,
  isOnOtherDisk,
} from '../../store/backups/backup-folder.ts';
import { folderRecords } from '../../store/backups/folder-records.ts';
import { isWritable } from '../../store/sqlite/store-file.ts';
import { type SqliteStoreView, viewSqliteStore } from '../../store/sqlite/view.ts';
import type { StoreDialect } from '../../store/store-adapter.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { dialectOf } from '../../store/store-location.ts';
import { backupFolderOf } from '../backups/backup-settings.ts';
import { formatBytes } from '../process/output.ts';
import {
  examineDatabase,
  type StoreExamination,
  unfinishedStoreFinding,
} from './database-check.ts';
import { checkFileAccess } from './file-access-check.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration } from './findings.ts';

/** Free space of the disk. */
const SCARCE_BYTES = 500_000_000;
const EXHAUSTED_BYTES = 20_000_000;
/** Until the disk is full. */
const FEW_DAYS = 30;

const EXAMINERS: Readonly<Record<StoreDialect, (db: string) => Promise<StoreExamination>>> = {
  sqlite: examineFile,
  postgres: examineDatabase,
};

export const examineStore = (db: string): Promise<StoreExamination> => EXAMINERS[dialectOf(db)](db);

async function examineFile(file: string): Promise<StoreExamination> {
  const newFinding = findingsAbout('store');
  if (!existsSync(file)) {
    const missing = newFinding.doubtful(
      `there is no store ${file} yet`,
      'Run "acequia init" to make one, or "acequia demo" for a farm to try things on; if yours is elsewhere, name it with --db or ACEQUIA_DB.',
    );
    return { findings: [missing, await checkDisk(file)], view: null };
  }

  try {
    // Checked before the view opens, which may create logs that exist only while it is open.
    const access = checkFileAccess(file);
    const view = await viewSqliteStore(file);
    const state = await checkFileState(file, view);
    const integrity = checkIntegrity(file, view);
    const findings = [state, integrity];
    // An empty file holds nothing that others could read.
    if (view.state !== 'new') findings.push(access);
    findings.push(await checkDisk(file, view.state === 'current' ? view : null));
    if (view.state === 'current') findings.push(await checkLock(file, view));
    if (view.state === 'current' && integrity.level !== 'bad') return { findings, view };

    await view.close();
    return { findings, view: null };
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    return {
      findings: [
        newFinding.bad(error.message, error.hint ?? 'Look at the file.'),
        await checkDisk(file),
      ],
      view: null,
    };
  }
}

async function checkFileState(
  file: string,
  { state, journalMode }: SqliteStoreView,
): Promise<DoctorFinding> {
  const newFinding = findingsAbout('store');
  const size = formatBytes((await stat(file)).size);
  if (state === 'new')
    return newFinding.doubtful(
      `the file ${file} is empty`,
      'Run "acequia init" or "acequia import farm.json" to bring a farm in; the tables are made then.',
    );

  if (state === 'unfinishedCopy') return unfinishedStoreFinding(file);
  if (state === 'needsMigration')
    return newFinding.doubtful(
      `${file} (${size}) was written by an earlier Acequia; zones, mail and leases can be checked once it is up to date`,
      'Keep a copy of the file; the next server or "acequia tick" upgrades it. Then run the doctor again.',
    );

  if (journalMode !== 'wal')
    return newFinding.doubtful(
      `${file} (${size}) opens, but its journal mode is "${journalMode}"`,
      'Another program changed it. The next server or "acequia tick" restores the write-ahead log.',
    );

  return newFinding.good(
    `${file} (${size}) opens, has the schema of this version and uses a write-ahead log`,
  );
}

function checkIntegrity(file: string, view: SqliteStoreView): DoctorFinding {
  const newFinding = findingsAbout('integrity');
  const problems = view.integrityProblems();
  if (problems.length === 0)
    return newFinding.good('the file and the references between its rows are intact');
  return newFinding.bad(
    `the store is damaged: ${problems.map(singleLine).join('; ')}`,
    `Stop every program that uses ${file} and restore a backup; keep the damaged file.`,
  );
}

async function checkLock(file: string, view: SqliteStoreView): Promise<DoctorFinding> {
  const newFinding = findingsAbout('lock');
  if (await view.isLocked())
    return newFinding.doubtful(
      `another program has locked ${file}, and writes wait for it, up to 30 seconds`,
      'Wait for the import or backup that locks it, or stop it. "fuser" names the programs that use the file.',
    );
  return newFinding.good('no other program keeps writes waiting');
}

function nearestExistingFolder(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : nearestExistingFolder(folder);
}

/** `view` is null for a store that has no copies which this version could read. */
async function checkDisk(file: string, view: StoreView | null = null): Promise<DoctorFinding> {
  const newFinding = findingsAbout('disk');
  const folder = nearestExistingFolder(file);
  if (!(await stat(folder)).isDirectory())
    return newFinding.bad(
      `${folder} is a file, where ${file} needs a folder`,
      'Use another file with --db or ACEQUIA_DB.',
      null,
    );

  const paths = existsSync(file) ? [file, folder] : [folder];
  for (const path of paths) {
    if (isWritable(path)) continue;
    return newFinding.bad(
      `${path} cannot be written by this user`,
      'Grant write access, which the store needs for its file and for the log beside it, or use another file with --db or ACEQUIA_DB.',
      null,
    );
  }

  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const days = view && (await daysAtThisPace(file, free, view));
  const figures = { freeBytes: free, daysUntilFull: days };
  const pace = days === null ? '' : `; full in ${formatRoughDuration(days * DAY_MS)} at this pace`;
  const text = `${folder} is writable; ${formatBytes(free)} free${pace}`;
  const advice =
    'Free some space on that disk; when it is full, reads still work, and every write is refused.';
  if (free < EXHAUSTED_BYTES) return newFinding.bad(text, advice, figures);

  const isScarce = free < SCARCE_BYTES || (days !== null && days < FEW_DAYS);
  return isScarce ? newFinding.doubtful(text, advice, figures) : newFinding.good(text, figures);
}

/** By the sizes of the copies over time; null where they do not say it. */
async function daysAtThisPace(file: string, free: number, view: StoreView): Promise<number | null> {
  const folder = backupFolderOf(file);
  const [record] = await view.read(folderRecords);
  if (folder === null || record === undefined) return null;

  const store = identityOfStore(file, record.storeId);
  const copies = (await backupsOfStore(folder, store, Date.now())).filter(({ isGood }) => isGood);
  const sizes = copies.map(({ manifest: { at, bytes } }) => ({ at, bytes }));
  const besides = isOnOtherDisk(folder, file) ? 0 : Math.min(copies.length, MAX_STORE_SIZES);
  return daysUntilFull(free, growthPerDay(sizes), besides);
}

import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { BackupError } from '../../domain/backups/failures.ts';
import type { Retention } from '../../domain/backups/retention.ts';
import { SECOND_MS } from '../../domain/periods.ts';
import { AcequiaError } from '../../schema/error.ts';
import {
  type BackupContext,
  backUp,
  type DrillReport,
  drillBackup,
} from '../../service/backups/backup-runs.ts';
import { LeaseHeldError } from '../../service/lease.ts';
import {
  backupsOfStore,
  identityOfStore,
  isOnOtherDisk,
  markBackupFolder,
  ownerOfStore,
  removeLeftovers,
  type StoreIdentity,
  storedBackups,
  writeKeepRule,
} from '../../store/backups/backup-folder.ts';
import { defaultBackupFolder } from '../../store/backups/backup-location.ts';
import { folderRecord } from '../../store/backups/folder-records.ts';
import type { BackupReport } from '../../store/backups/make-backup.ts';
import type { Store } from '../../store/store.ts';
import { isServerUrl } from '../../store/store-location.ts';
import {
  EXIT,
  formatRefusal,
  openExistingStore,
  usageError,
  withStopSignal,
} from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import { formatBytes, formatTerminalCount, print, printError } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { formatUtcMinute } from '../store-commands/keys-run.ts';
import { type ProgressDisplay, showProgress } from '../store-commands/progress-display.ts';
import { backupProcess } from './backup-process.ts';
import { backupFolderOf } from './backup-settings.ts';
import { failureAdvice } from './failure-advice.ts';

interface BackupOptions {
  /** Null for that of the settings. */
  readonly folder: string | null;
  /** Which copies stay in the folder from now on; undefined for what it says. */
  readonly keep: Retention | 'default' | undefined;
}

export const folderFor = (named: string | null, { db }: Pick<Settings, 'db'>): string =>
  named ?? backupFolderOf(db) ?? defaultBackupFolder(db);

export const runBackup = (
  { folder: named, keep }: BackupOptions,
  settings: Settings,
): Promise<number> =>
  withBackupErrors(settings, async (signal) => {
    assertFile(settings.db);
    const folder = folderFor(named, settings);
    const store = await openExistingStore(settings.db);
    const progress = new PageProgress();
    try {
      const record = await store.readAll((all) => folderRecord(all, folder));
      const wasUsed = record?.checkedAt != null;
      await markBackupFolder({ folder, storeFile: settings.db, wasUsed });
      if (keep !== undefined) await writeKeepRule(folder, keep === 'default' ? null : keep);
      const context = contextOf({ store, folder, signal, progress }, settings);
      const report = await backUp(context, () => true);
      await progress.end();
      // Without a condition for it, a copy is always due.
      if (report !== null) print(formatReport(report, { folder, db: settings.db }));
      return EXIT.done;
    } catch (error) {
      await progress.end();
      if (signal.aborted) await removeOwnLeftovers(store, folder, settings.db);
      throw error;
    } finally {
      await store.close();
    }
  });

interface RunParts extends Pick<BackupContext, 'store' | 'folder' | 'signal'> {
  readonly progress?: PageProgress;
}

const contextOf = (
  { progress, ...parts }: RunParts,
  { db }: Pick<Settings, 'db'>,
): BackupContext => ({
  ...parts,
  file: db,
  holder: randomUUID(),
  process: backupProcess((done, total) => progress?.show(done, total)),
  now: Date.now,
});

const ENDS_WITHIN_MS = 3 * SECOND_MS;
const LOOK_EVERY_MS = 50;

/** The process that copied was killed, and may take a moment to end. */
async function removeOwnLeftovers(store: Store, folder: string, file: string): Promise<void> {
  const record = await store.readAll((all) => folderRecord(all, folder));
  if (!record) return;
  const owner = ownerOfStore(identityOfStore(file, record.storeId));
  const until = performance.now() + ENDS_WITHIN_MS;
  while ((await removeLeftovers(folder, owner)) && performance.now() < until)
    await pause(LOOK_EVERY_MS);
}

function formatReport(
  { path, isNew, bytes, rows, deleted }: BackupReport,
  { folder, db }: { readonly folder: string; readonly db: string },
): string {
  const figures = `${formatTerminalCount(rows, 'row')}, ${formatBytes(bytes)}`;
  const lines = [
    isNew
      ? `${db} was copied to ${path}: ${figures}, checked with the same checksums.`
      : `Nothing has changed since the newest copy, ${path} (${figures}): it was checked and counts as of now.`,
  ];
  if (deleted > 0)
    lines.push(`${formatTerminalCount(deleted, 'older copy', 'older copies')} deleted.`);
  if (!isOnOtherDisk(folder, db))
    lines.push(
      'It is on the same disk as the store: that helps after a wrong import, not when the disk is lost. Name a folder on another disk.',
    );
  return `${lines.join('\n')}\n`;
}

/** `target` is a folder, whose newest copy is tried, or a copy. */
export const runBackupDrill = (target: string | null, settings: Settings): Promise<number> =>
  withBackupErrors(settings, async (signal) => {
    assertFile(settings.db);
    const place = folderFor(target, settings);
    const isCopy = statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
    const report =
      isCopy || !existsSync(settings.db)
        ? await drillAlone(isCopy ? place : await newestCopyIn(place), signal)
        : await drillNewest(place, signal, settings);

    print(formatDrill(report));
    return EXIT.done;
  });

/** The store may be lost. */
async function newestCopyIn(folder: string): Promise<string> {
  const [newest] = (await storedBackups(folder)).filter(
    ({ manifest }) => manifest.kind === 'regular',
  );
  if (newest === undefined) throw noCopyError(folder);
  return newest.path;
}

const noCopyError = (folder: string): AcequiaError =>
  usageError(
    `There is no copy of this store in ${folder}.`,
    '"acequia backup" makes one; "acequia backup list FOLDER" shows those of another folder.',
    'folder',
  );

const drillAlone = (path: string, signal: AbortSignal): Promise<DrillReport> =>
  backupProcess().drill({ path, now: Date.now() }, signal);

async function drillNewest(
  folder: string,
  signal: AbortSignal,
  settings: Settings,
): Promise<DrillReport> {
  const store = await openExistingStore(settings.db);
  try {
    const report = await drillBackup(
      contextOf({ store, folder, signal }, settings),
      ({ storeId }) => newestCopyOf(identityOfStore(settings.db, storeId), folder),
    );
    if (report === null) throw noCopyError(folder);
    return report;
  } finally {
    await store.close();
  }
}

/** A damaged one, too: that is what a drill is to tell. */
async function newestCopyOf(store: StoreIdentity, folder: string): Promise<string | null> {
  const [newest] = await backupsOfStore(folder, store, Date.now());
  return newest?.path ?? null;
}

function formatDrill({ path, at, rows, tables, ...drill }: DrillReport): string {
  const upgraded =
    drill.migrations === 0
      ? ''
      : `, upgraded by ${formatTerminalCount(drill.migrations, 'migration')}`;
  return [
    `${path} can be restored.`,
    `  as of     ${formatUtcMinute(at)}`,
    `  rows      ${rows.toLocaleString('en-US')} in ${formatTerminalCount(tables, 'table')}, with the checksums of the manifest${upgraded}`,
    `  answers   ${formatTerminalCount(drill.answers, 'tool call')}, for ${formatTerminalCount(drill.companies, 'company', 'companies')}`,
    `  took      ${(drill.ms / 1000).toFixed(1)} s`,
    '',
  ].join('\n');
}

export function assertFile(db: string): void {
  if (isServerUrl(db))
    throw usageError(
      'The store is a PostgreSQL database, which this command does not copy.',
      'Use "acequia copy --to FILE" for a copy in a file, or pg_basebackup; docs/operate.md describes both.',
      '--db',
    );
}

/** Also for a process that works on the copies just now. */
export const withBackupErrors = (
  { logLevel }: Pick<Settings, 'logLevel'>,
  body: (signal: AbortSignal) => Promise<number>,
): Promise<number> =>
  withStopSignal(async ({ signal }) => {
    try {
      return await body(signal);
    } catch (error) {
      if (signal.aborted) {
        printError('Stopped before it was finished.\n');
        return EXIT.failed;
      }
      if (error instanceof AcequiaError) {
        printError(formatRefusal(error));
        return error.field === undefined ? EXIT.failed : EXIT.wrongUsage;
      }
      if (error instanceof LeaseHeldError)
        printError(
          'Another process works on the copies of this store. Run the command again when it has finished.\n',
        );
      else if (error instanceof BackupError)
        printError(`The copy failed: ${error.message}.\n${failureAdvice(error.failure)}\n`);
      else {
        const reference = await lazyLog(logLevel).unexpectedError(error);
        printError(`It failed unexpectedly; the log has the details under ${reference}.\n`);
      }
      return EXIT.failed;
    }
  });

class PageProgress {
  #display: Promise<ProgressDisplay> | undefined;
  #shown = 0;

  show(done: number, total: number): void {
    this.#display ??= showProgress(process.stderr, {
      name: 'copying',
      size: total,
      formatShare: (completed, size) =>
        `${completed.toLocaleString('en-US')} of ${formatTerminalCount(size, 'page')}`,
    });
    const added = done - this.#shown;
    this.#shown = done;
    void this.#display.then((display) => {
      display.advance(added);
      display.update('');
    });
  }

  async end(): Promise<void> {
    (await this.#display)?.end();
  }
}

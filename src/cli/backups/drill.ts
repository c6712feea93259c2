import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError } from '../../domain/backups/failures.ts';
import { handlersForCaller } from '../../mcp/store-handlers.ts';
import { NOOP_OBSERVER } from '../../observe/observer.ts';
import { type Identity, LOCAL_OWNER } from '../../operation/authorization.ts';
import { NO_TOOL_FILTER } from '../../operation/tool-filter.ts';
import { type ProblemJson, StoreUnavailableError } from '../../schema/error.ts';
import type { DrillReport, DrillRequest } from '../../service/backups/backup-runs.ts';
import {
  backupErrorOf,
  copyPrivately,
  diskSpace,
  manifestPathOf,
  ownerOf,
  partialPath,
  removeLeftovers,
  type StoredBackup,
  storedBackup,
  writeManifest,
} from '../../store/backups/backup-folder.ts';
import { assertIntact, markDamaged, rowCountOf } from '../../store/backups/check-backup.ts';
import { allCompanies, type CompanyRow } from '../../store/company/companies.ts';
import { MIGRATION_COUNT } from '../../store/schema/migrations.ts';
import { openStore, type Store } from '../../store/store.ts';

/** Each takes no arguments. Together they read most tables. */
export const DRILLED_TOOLS = [
  'farm_overview',
  'morning_brief',
  'get_company',
  'list_parcels',
  'list_modules',
  'list_waterings',
  'list_schedules',
  'list_alerts',
  'list_devices',
  'list_changes',
];

/**
 * Checks a copy against its manifest, makes a store of it beside it, and asks that store. What it
 * makes is deleted. Beside the copy, because a folder for temporary files may be memory.
 */
export async function runDrill({ path, now }: DrillRequest): Promise<DrillReport> {
  const startedAt = performance.now();
  const stored = storedBackup(manifestPathOf(path));
  if (stored === null)
    throw new BackupError('copy_damaged', `${path}: its manifest or its file is missing`);

  await assertIntact(stored);
  const { companies, answers } = await tryStore(stored);
  const { manifest, manifestPath } = stored;
  await writeManifest(manifestPath, {
    ...manifest,
    damage: null,
    checkedAt: now,
    drilledAt: now,
  }).catch(() => undefined);

  return {
    path,
    at: manifest.at,
    rows: rowCountOf(manifest.tables),
    tables: manifest.tables.length,
    migrations: MIGRATION_COUNT - manifest.migrations.length,
    companies,
    answers,
    ms: performance.now() - startedAt,
  };
}

type Answers = Pick<DrillReport, 'companies' | 'answers'>;

async function tryStore(stored: StoredBackup): Promise<Answers> {
  const { path, manifest } = stored;
  const folder = dirname(path);
  const owner = ownerOf(manifest);
  const trial = partialPath(folder, owner);
  try {
    await removeLeftovers(folder, owner);
    const space = await diskSpace(folder);
    if (space !== null && space.free < 2 * manifest.bytes)
      throw new BackupError('disk_full', `no space left in ${folder}`);
    await copyPrivately(path, trial);
    return await askStore(trial, stored);
  } catch (error) {
    // Another process, or a person, took it for a leftover.
    if (!existsSync(trial))
      throw new BackupError('unexpected', `${trial} was deleted during the drill`, {
        cause: error,
      });
    throw backupErrorOf(error, folder);
  } finally {
    await removeTrial(trial);
  }
}

async function removeTrial(trial: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(trial + suffix, { force: true });
}

/**
 * Throws for a fault of the machine, or a copy of a newer program: the copy may be intact, and the
 * trial is not complete.
 */
function assertNoFault(error: unknown, trial: string): void {
  const fault = backupErrorOf(error, dirname(trial));
  if (!existsSync(trial) || fault.failure !== 'unexpected') throw fault;
  if (error instanceof StoreUnavailableError)
    throw new BackupError('unexpected', error.reason ?? fault.message, { cause: error });
}

async function askStore(file: string, stored: StoredBackup): Promise<Answers> {
  const store = await openStore({ db: file, isCopiedBeforeMigration: false }).catch(
    (error: Error) => {
      assertNoFault(error, file);
      return markDamaged(stored, `it cannot be opened as a store: ${error.message}`);
    },
  );
  try {
    const companies = await store.readAll(allCompanies);
    for (const company of companies) await askTools({ store, file, stored }, company);
    return { companies: companies.length, answers: companies.length * DRILLED_TOOLS.length };
  } finally {
    await store.close();
  }
}

interface Trial {
  readonly store: Store;
  readonly file: string;
  readonly stored: StoredBackup;
}

async function askTools({ store, file: trial, stored }: Trial, company: CompanyRow): Promise<void> {
  const identity: Identity = {
    caller: { ...LOCAL_OWNER, companyId: company.id, userId: null },
    company,
  };
  const reported: unknown[] = [];
  const handlers = handlersForCaller(
    identity,
    {},
    {
      store,
      clock: () => stored.manifest.at,
      lang: 'en',
      toolFilter: NO_TOOL_FILTER,
      observer: NOOP_OBSERVER,
      surface: 'cli',
      pageUrl: () => null,
      report: async (error) => {
        reported.push(error);
        return 'drill';
      },
    },
  );

  for (const tool of DRILLED_TOOLS) {
    const { isError, _meta } = await handlers.callTool(tool, {});
    if (!isError) continue;
    const [failure] = reported;
    const { message, code } = _meta!['acequia/error'] as ProblemJson;
    const reason = failure instanceof Error ? failure.message : message;
    if (code === 'STORE_UNAVAILABLE') throw new BackupError('unexpected', reason);
    if (failure !== undefined) assertNoFault(failure, trial);
    await markDamaged(stored, `${tool} does not answer for ${company.name}: ${reason}`);
  }
}

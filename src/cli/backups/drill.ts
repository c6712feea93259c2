import { copyFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackupError } from '../../domain/backups/failures.ts';
import { handlersForCaller } from '../../mcp/store-handlers.ts';
import { NOOP_OBSERVER } from '../../observe/observer.ts';
import { type Identity, LOCAL_OWNER } from '../../operation/authorization.ts';
import { NO_TOOL_FILTER } from '../../operation/tool-filter.ts';
import type { ProblemJson } from '../../schema/error.ts';
import type { DrillReport, DrillRequest } from '../../service/backups/backup-runs.ts';
import {
  backupErrorOf,
  createPrivately,
  diskSpace,
  manifestPathOf,
  ownerOf,
  partialPath,
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
  const trial = partialPath(folder, `${ownerOf(manifest)}.drill`);
  await removeTrial(trial);
  try {
    const space = await diskSpace(folder);
    if (space !== null && space.free < 2 * manifest.bytes)
      throw new BackupError('disk_full', `no space left in ${folder}`);
    await createPrivately(trial);
    await copyFile(path, trial);
    return await askStore(trial, stored);
  } catch (error) {
    throw backupErrorOf(error, folder);
  } finally {
    await removeTrial(trial);
  }
}

async function removeTrial(trial: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(trial + suffix, { force: true });
}

async function askStore(file: string, stored: StoredBackup): Promise<Answers> {
  const store = await openStore({ db: file, isCopiedBeforeMigration: false }).catch((error) =>
    markDamaged(stored, `it cannot be opened as a store: ${(error as Error).message}`),
  );
  try {
    const companies = await store.readAll(allCompanies);
    for (const company of companies) await askTools(store, company, stored);
    return { companies: companies.length, answers: companies.length * DRILLED_TOOLS.length };
  } finally {
    await store.close();
  }
}

async function askTools(store: Store, company: CompanyRow, stored: StoredBackup): Promise<void> {
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
    const { message } = _meta!['acequia/error'] as ProblemJson;
    const reason = failure instanceof Error ? failure.message : message;
    await markDamaged(stored, `${tool} does not answer for ${company.name}: ${reason}`);
  }
}

import { entryOf, itemAt } from '../../../domain/items.ts';
import { plainInputError } from '../../../schema/error.ts';
import type { FolderFile, FolderManifest } from '../../../schema/farm/folder-manifest.ts';
import { FARM_FILE, MANIFEST_FILE } from '../../../schema/farm/folder-tables.ts';
import { assertImportTarget, CompanyImport } from '../../../store/copy/company-import.ts';
import type { CopiedRow } from '../../../store/store-adapter.ts';
import { TABLE_FILES } from './folder-columns.ts';
import { assertUnchanged, type ReadMonitor, readManifest, rowsOfFile } from './folder-reading.ts';

export interface ImportMonitor extends ReadMonitor {
  onStep(step: 'check' | 'import', bytes: number): void;
}

/**
 * Imports a folder into a store without a farm. Every file is checked to its end before anything is
 * written.
 */
export async function importFolder(
  folder: string,
  location: string,
  monitor: ImportMonitor,
): Promise<FolderManifest> {
  await assertImportTarget(location);
  const manifest = await readManifest(folder);
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);

  monitor.onStep('check', bytes);
  await checkFiles(folder, manifest, monitor);

  const { id: companyId, name } = manifest.company;
  const target = await CompanyImport.open(location, { companyId, name });
  monitor.onStep('import', bytes);
  try {
    const files = filesByName(manifest);
    for (const tableFile of TABLE_FILES) {
      const file = entryOf(files, tableFile.file);
      for await (const rows of rowsOfFile(folder, file, tableFile, monitor))
        await target.insert(tableFile.table, rows);
    }
    await target.finish(new Map(Object.entries(manifest.lastIds)));
  } finally {
    await target.close();
  }
  return manifest;
}

const filesByName = ({ files }: FolderManifest): ReadonlyMap<string, FolderFile> =>
  new Map(files.map((file) => [file.name, file]));

async function checkFiles(
  folder: string,
  manifest: FolderManifest,
  monitor: ReadMonitor,
): Promise<void> {
  const files = filesByName(manifest);
  await assertUnchanged(folder, entryOf(files, FARM_FILE), monitor);

  const companies: CopiedRow[] = [];
  for (const tableFile of TABLE_FILES) {
    const isCompany = tableFile.table.name === 'companies';
    const file = entryOf(files, tableFile.file);
    for await (const rows of rowsOfFile(folder, file, tableFile, monitor))
      if (isCompany) companies.push(...rows);
  }
  assertCompany(companies, manifest);
}

function assertCompany(rows: readonly CopiedRow[], { company }: FolderManifest): void {
  if (rows.length === 1 && itemAt(rows, 0).id === company.id) return;
  throw plainInputError(
    'invalid_parameter',
    `company.csv does not have the one company that ${MANIFEST_FILE} names.`,
    { hint: 'Nothing was imported. Export the company again.' },
  );
}

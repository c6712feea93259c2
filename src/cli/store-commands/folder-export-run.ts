import type { FolderManifest } from '../../schema/farm/folder-manifest.ts';
import { LEFT_OUT } from '../../schema/farm/folder-tables.ts';
import { chooseCompany } from '../../service/company/company.ts';
import { exportFolder } from '../../service/farm/folder/folder-export.ts';
import { EXIT, openExistingStore, runStoppable, usageError } from '../process/command.ts';
import { formatBytes, formatTerminalCount, print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { showProgress } from './progress-display.ts';

interface FolderExportOptions {
  readonly folder: string;
  /** The version of Acequia. */
  readonly program: string;
  readonly out?: string | undefined;
  readonly company?: string | undefined;
}

export const runFolderExport = (
  options: FolderExportOptions,
  settings: Pick<Settings, 'db' | 'clock' | 'logLevel'>,
): Promise<number> =>
  runStoppable(
    {
      logLevel: settings.logLevel,
      name: 'The export',
      afterStop: 'Nothing was left behind.',
    },
    async (signal) => {
      print(formatExport(await exportTo(options, settings, signal), options.folder));
      return EXIT.done;
    },
  );

async function exportTo(
  { folder, program, out, company: name }: FolderExportOptions,
  { db, clock }: Pick<Settings, 'db' | 'clock'>,
  signal: AbortSignal,
): Promise<FolderManifest> {
  if (out !== undefined)
    throw usageError(
      'A folder and --out exclude each other.',
      'Name a folder for everything of the company, or --out for the farm file alone.',
      '--out',
    );

  const store = await openExistingStore(db);
  const progress = await showProgress(process.stderr, {
    name: 'exporting',
    size: null,
    formatShare: () => '',
  });
  let rows = 0;
  try {
    const company = await chooseCompany(store, name);
    const onRows = (count: number): void => {
      rows += count;
      progress.update(formatTerminalCount(rows, 'row'));
    };
    return await exportFolder(store, company, {
      folder,
      program,
      now: clock(),
      monitor: { onRows, signal },
    });
  } finally {
    progress.end();
    await store.close();
  }
}

function formatExport({ company, files }: FolderManifest, folder: string): string {
  const rows = files.reduce((sum, file) => sum + (file.rows ?? 0), 0);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return [
    `${company.name} was exported to ${folder}: ${formatTerminalCount(rows, 'row')}, ${formatBytes(bytes)}.`,
    `Not in it: ${LEFT_OUT}.`,
    'README.txt in the folder says what each file holds.',
    '',
  ].join('\n');
}

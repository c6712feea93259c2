import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import { type StoredBackup, storedBackups } from '../../store/backups/backup-folder.ts';
import { rowCountOf } from '../../store/backups/check-backup.ts';
import { EXIT } from '../process/command.ts';
import { formatBytes, formatTable, print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { formatUtcMinute, minuteOr } from '../store-commands/keys-run.ts';
import { assertFile, folderFor, withBackupErrors } from './backup-run.ts';

/** Needs no store: it may be lost. */
export const runBackupList = (
  named: string | null,
  isJson: boolean,
  settings: Settings,
): Promise<number> =>
  withBackupErrors(settings, async () => {
    if (named === null) assertFile(settings.db);
    const folder = folderFor(named, settings);
    const copies = await storedBackups(folder);
    print(isJson ? formatJson(copies) : formatList(copies, folder));
    return EXIT.done;
  });

const HEADINGS = ['COPY', 'AS OF', 'SIZE', 'ROWS', 'CHECKED', 'TRIED', 'STATE'];

function formatList(copies: readonly StoredBackup[], folder: string): string {
  if (copies.length === 0) return `There are no copies in ${folder}: "acequia backup" makes one.\n`;
  const stores = new Set(copies.map(({ manifest }) => manifest.store.path));
  const areOfOneStore = stores.size === 1;
  const cells = copies.map((copy) => [
    ...cellsOf(copy),
    ...(areOfOneStore ? [] : [copy.manifest.store.path]),
  ]);
  const headings = areOfOneStore ? HEADINGS : [...HEADINGS, 'STORE'];
  return `In ${folder}:\n${formatTable([headings, ...cells])}`;
}

const cellsOf = (copy: StoredBackup): string[] => {
  const { manifest } = copy;
  return [
    manifest.file,
    formatUtcMinute(manifest.at),
    formatBytes(manifest.bytes),
    rowCountOf(manifest.tables).toLocaleString('en-US'),
    formatUtcMinute(manifest.checkedAt),
    minuteOr(manifest.drilledAt, 'never'),
    stateOf(copy),
  ];
};

function stateOf({ manifest, isGood }: StoredBackup): string {
  if (!isGood) return 'damaged';
  return manifest.kind === 'regular' ? 'good' : 'before an upgrade';
}

const formatJson = (copies: readonly StoredBackup[]): string =>
  `${JSON.stringify(
    copies.map((copy) => ({
      path: copy.path,
      state: copy.isGood ? 'good' : 'damaged',
      kind: copy.manifest.kind,
      at: toIso(copy.manifest.at),
      checkedAt: toIso(copy.manifest.checkedAt),
      drilledAt: toIsoOrNull(copy.manifest.drilledAt),
      bytes: copy.manifest.bytes,
      rows: rowCountOf(copy.manifest.tables),
      store: copy.manifest.store.path,
      damage: copy.manifest.damage,
    })),
    null,
    2,
  )}\n`;

import { statSync } from 'node:fs';
import { plainInputError } from '../../schema/error.ts';
import { prepareRestoredStore, type RestoredStore } from '../../service/backups/restored-store.ts';
import {
  manifestPathOf,
  type StoredBackup,
  storedBackup,
} from '../../store/backups/backup-folder.ts';
import { rowCountOf } from '../../store/backups/check-backup.ts';
import { erasedSince } from '../../store/backups/erasure-list.ts';
import { differencesOf } from '../../store/backups/file-contents.ts';
import {
  figuresAt,
  fileAtPlace,
  hasMoreRows,
  restoreBackup,
} from '../../store/backups/restore-backup.ts';
import { makeFolder } from '../../store/sqlite/store.ts';
import { isServerUrl } from '../../store/store-location.ts';
import { EXIT, usageError } from '../process/command.ts';
import { formatTerminalCount, print } from '../process/output.ts';
import { type Settings, storeOption } from '../process/settings.ts';
import { formatUtcMinute, plainText } from '../store-commands/keys-run.ts';
import { withBackupErrors } from './backup-run.ts';

export const runRestore = (copy: string, place: string, settings: Settings): Promise<number> =>
  withBackupErrors(settings, async () => {
    const stored = backupAt(copy);
    await assertFree(place, stored);
    await makeFolder(place);

    const restored = await restoreBackup(stored, place, (store) =>
      prepareRestoredStore(store, Date.now(), erasedSince(stored)),
    );
    print(formatRestored(stored, place, restored));
    return EXIT.done;
  });

function backupAt(copy: string): StoredBackup {
  if (statSync(copy, { throwIfNoEntry: false })?.isFile() !== true)
    throw usageError(
      `There is no copy ${copy}.`,
      '"acequia backup list FOLDER" names the copies of a folder.',
      'copy',
    );
  const stored = storedBackup(manifestPathOf(copy));
  if (stored?.path === copy) return stored;
  throw usageError(
    `Beside ${copy} there is no manifest ${manifestPathOf(copy)} that describes it, so it cannot be checked.`,
    'Bring both files of the copy. A file without manifest can be used as a store itself, with --db.',
    'copy',
  );
}

async function assertFree(place: string, stored: StoredBackup): Promise<void> {
  if (isServerUrl(place))
    throw usageError(
      'A copy is restored to a file.',
      'For a database, restore it to a file, then run "acequia copy --from FILE --to URL".',
      '--to',
    );
  const existing = fileAtPlace(place);
  if (existing === null) return;
  if (existing !== place)
    throw refusal(
      `${existing} is there: a process may still run on a store that was at this place.`,
      'Stop every process that uses it. If none does, move that file away.',
    );

  const figures = await figuresAt(place);
  if (figures === null || figures.length === 0)
    throw refusal(`${place} exists already.`, CHOOSE_PLACE);
  const more = differencesOf(stored.manifest.tables, figures);
  const lines = more.map(
    (difference) =>
      `  ${difference.table}: ${rowsOrNone(difference.found)} there, ${rowsOrNone(difference.expected)} in the copy${hasMoreRows(difference) ? '' : ', not the same'}`,
  );
  throw refusal(
    lines.length === 0
      ? `${place} is a store with the same rows as the copy.`
      : `${place} is a store, and it has what the copy of ${formatUtcMinute(stored.manifest.at)} lacks:\n${lines.join('\n')}`,
    CHOOSE_PLACE,
  );
}

const CHOOSE_PLACE =
  'Nothing was written. Name another place with --to; or stop every process that uses this one and move it away, with its -wal and -shm.';

const rowsOrNone = (rows: number | null): string => formatTerminalCount(rows ?? 0, 'row');

const refusal = (message: string, hint: string) =>
  plainInputError('invalid_parameter', message, { hint });

function formatRestored(
  { manifest }: StoredBackup,
  place: string,
  { discardedMessages, companies, erasedAgain, keys, sessions }: RestoredStore,
): string {
  const lines = [
    `${place} is a store as of ${formatUtcMinute(manifest.at)}: ${formatTerminalCount(rowCountOf(manifest.tables), 'row')} of ${formatTerminalCount(companies, 'company', 'companies')}, checked.`,
  ];
  if (discardedMessages > 0)
    lines.push(
      `${formatTerminalCount(discardedMessages, 'message')} of the copy waited to be sent, or had been refused: discarded, because the other store may have sent them.`,
    );
  if (erasedAgain > 0)
    lines.push(
      `Erased again, because that was done after the copy: ${formatTerminalCount(erasedAgain, 'member')}.`,
    );
  if (keys.length + sessions.length > 0)
    lines.push(
      'These open it. Revoke those that were revoked since the copy, or should be:',
      ...keys.map(
        ({ id, user, createdAt, lastUsedAt }) =>
          `  key #${id}${ofPerson(user?.email)}, made ${formatUtcMinute(createdAt)}, ${lastUse(lastUsedAt)}: acequia keys revoke ${id}${storeOption(place)}`,
      ),
      ...sessions.map(
        ({ id, user, state, createdAt, lastUsedAt }) =>
          `  ${state === 'link' ? 'sign-in link' : 'session'} #${id}${ofPerson(user.email)}, made ${formatUtcMinute(createdAt)}, ${lastUse(lastUsedAt)}: acequia keys sign-out ${id}${storeOption(place)}`,
      ),
    );
  lines.push(`Look at it with: acequia doctor${storeOption(place)}`);
  return `${lines.join('\n')}\n`;
}

const ofPerson = (email: string | null | undefined): string =>
  email == null ? '' : ` of ${plainText(email)}`;

const lastUse = (at: number | null): string =>
  at === null ? 'never used' : `last used ${formatUtcMinute(at)}`;

import { print } from '../process/output.ts';
import { formatDiff, longestChangedLength, MAX_LINE_LENGTH } from './change-preview.ts';
import {
  acequiaEntries,
  ENTRY_NAME,
  type EntryFields,
  type ExistingEntry,
  findExistingEntry,
} from './client-entries.ts';
import type { ClientFile } from './client-files.ts';
import type { ConfigFile } from './config-file.ts';
import { formatEntry, setEntry } from './entry-edit.ts';
import { buildEntry, mergeEntry } from './entry-fields.ts';
import type { LaunchCommand } from './launch-command.ts';

interface EntryChange {
  /** Contents of the whole file. */
  readonly before: string;
  readonly after: string;
  readonly question: string;
  readonly existing: ExistingEntry | null;
  readonly entry: EntryFields | null;
}

/** A null `launch` removes the entry. */
export function planChange(
  file: ClientFile,
  { content }: ConfigFile,
  launch: LaunchCommand | null,
): EntryChange {
  const before = content ?? '';
  const existing = findExistingEntry(file, before);
  const newEntry = launch === null ? null : buildEntry(file.id, launch);
  const entry =
    newEntry !== null && existing?.isOurs ? mergeEntry(existing.fields, newEntry) : newEntry;

  const isForeign = existing !== null && !existing.isOurs;
  const writeQuestion = isForeign ? 'Replace it?' : 'Write it?';
  const shortQuestion = entry === null ? 'Remove it?' : writeQuestion;
  const question = isForeign
    ? `The entry "${ENTRY_NAME}" starts another program. ${shortQuestion}`
    : shortQuestion;

  return { before, after: setEntry(file, before, entry), question, existing, entry };
}

export function showChange(
  file: ClientFile,
  config: ConfigFile,
  { before, after, existing, entry }: EntryChange,
): void {
  print(`${config.path}${config.content === null ? ' (new)' : ''}\n`);

  // In a file of one long line a line diff shows nothing useful, so the entry is shown instead.
  const isLineCut = longestChangedLength(before, after) > MAX_LINE_LENGTH;
  const formatFields = (fields: EntryFields | null | undefined): string =>
    fields ? formatEntry(file, fields) : '';

  print(
    isLineCut
      ? formatDiff(formatFields(existing?.fields), formatFields(entry))
      : formatDiff(before, after),
  );

  const otherEntry = acequiaEntries(file, before).find(({ name }) => name !== ENTRY_NAME);
  if (entry !== null && otherEntry)
    print(
      `The entry "${otherEntry.name}" starts Acequia as well: with both, every tool is listed twice.\n`,
    );
}

import { print } from '../process/output.ts';
import { formatDiff, longestChangedLine, MAX_LINE_WIDTH } from './change-preview.ts';
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
import { buildEntry, type LaunchCommand, mergeEntry } from './launch-entry.ts';

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
  const replace = isForeign ? 'Replace it?' : 'Write it?';
  const action = entry === null ? 'Remove it?' : replace;
  const question = isForeign
    ? `The entry "${ENTRY_NAME}" starts another program. ${action}`
    : action;

  return { before, after: setEntry(file, before, entry), question, existing, entry };
}

export function showChange(
  file: ClientFile,
  config: ConfigFile,
  { before, after, existing, entry }: EntryChange,
): void {
  print(`${config.path}${config.content === null ? ' (new)' : ''}\n`);

  // In a file of one long line a line diff shows nothing useful, so the entry is shown instead.
  const isWide = longestChangedLine(before, after) > MAX_LINE_WIDTH;
  const formatFields = (fields: EntryFields | null | undefined): string =>
    fields ? formatEntry(file, fields) : '';

  print(
    isWide
      ? formatDiff(formatFields(existing?.fields), formatFields(entry))
      : formatDiff(before, after),
  );

  const other = acequiaEntries(file, before).find(({ name }) => name !== ENTRY_NAME);
  if (entry !== null && other)
    print(
      `The entry "${other.name}" starts Acequia as well: with both, every tool is listed twice.\n`,
    );
}

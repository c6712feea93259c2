import type { Language } from '../../language/index.ts';
import { print } from '../process/output.ts';
import { formatDiff, longestChangedLength, MAX_LINE_LENGTH } from './change-preview.ts';
import {
  acequiaEntries,
  type EntryFields,
  type ExistingEntry,
  findExistingEntry,
  parseEntry,
} from './client-entries.ts';
import type { ClientFile } from './client-files.ts';
import type { ConfigFile } from './config-file.ts';
import { formatEntry, setEntry } from './entry-edit.ts';
import { buildEntry, mergeEntry } from './entry-fields.ts';
import { isForSameFarm } from './entry-target.ts';
import type { LaunchCommand } from './launch-command.ts';

export type ConnectionWords = Language['connection'];

interface EntryChange {
  /** Contents of the whole file. */
  readonly before: string;
  readonly after: string;
  readonly question: string;
  /** False if another program or farm loses its entry. */
  readonly isHarmless: boolean;
  readonly existing: ExistingEntry | null;
  readonly entry: EntryFields | null;
}

/** A null `launch` removes the entry. */
export function planChange(
  file: ClientFile,
  { content }: ConfigFile,
  launch: LaunchCommand | null,
  words: ConnectionWords,
): EntryChange {
  const before = content ?? '';
  const existing = findExistingEntry(file, before);
  const newEntry = launch === null ? null : buildEntry(file, launch);
  const entry =
    newEntry !== null && existing?.isOurs ? mergeEntry(existing.fields, newEntry) : newEntry;

  const loss = describeLoss(file, { existing, entry }, words);
  const writeQuestion = loss === null ? words.write : words.replace;
  const shortQuestion = entry === null ? words.remove : writeQuestion;
  const question = loss === null ? shortQuestion : `${loss} ${shortQuestion}`;

  return {
    before,
    after: setEntry(file, before, entry),
    question,
    isHarmless: loss === null,
    existing,
    entry,
  };
}

/** Says what the existing entry does and the new one would no longer do. */
function describeLoss(
  { id, entryName }: ClientFile,
  { existing, entry }: Pick<EntryChange, 'existing' | 'entry'>,
  words: ConnectionWords,
): string | null {
  if (existing === null) return null;
  if (!existing.isOurs) return words.losesProgram(entryName);
  if (entry === null) return null;

  const [before, after] = [existing.fields, entry].map((fields) =>
    parseEntry(id, entryName, fields),
  );
  if (before === undefined || after === undefined || isForSameFarm(before, after)) return null;
  return words.losesFarm(entryName);
}

export function showChange(
  file: ClientFile,
  config: ConfigFile,
  { before, after, existing, entry }: EntryChange,
  words: ConnectionWords,
): void {
  print(`${config.path}${config.content === null ? ` (${words.newFile})` : ''}\n`);

  // In a file of one long line a line diff shows nothing useful, so the entry is shown instead.
  const isLineCut = longestChangedLength(before, after) > MAX_LINE_LENGTH;
  const formatFields = (fields: EntryFields | null | undefined): string =>
    fields ? formatEntry(file, fields) : '';

  print(
    isLineCut
      ? formatDiff(formatFields(existing?.fields), formatFields(entry))
      : formatDiff(before, after),
  );

  if (entry === null) return;
  const written = parseEntry(file.id, file.entryName, entry);
  const others = acequiaEntries(file, before).filter(({ name }) => name !== file.entryName);
  const twin = others.find((other) => isForSameFarm(other, written));
  if (twin !== undefined) print(`${words.twin(twin.name)}\n`);
  else if (others.length > 0)
    print(`${words.otherFarms(others.map(({ name }) => name).join(', '))}\n`);
}

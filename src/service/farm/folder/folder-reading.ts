import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quote } from '../../../domain/strings.ts';
import { type AcequiaError, plainInputError } from '../../../schema/error.ts';
import {
  FOLDER_FORMAT,
  FOLDER_VERSION,
  type FolderFile,
  type FolderManifest,
  folderManifest,
} from '../../../schema/farm/folder-manifest.ts';
import { FARM_FILE, MANIFEST_FILE } from '../../../schema/farm/folder-tables.ts';
import { compressText } from '../../../store/compressed-text.ts';
import { migrations } from '../../../store/schema/migrations.ts';
import type { CopiedRow } from '../../../store/store-adapter.ts';
import { readCell } from './folder-cells.ts';
import { TABLE_FILES, type TableFile } from './folder-columns.ts';
import { type CsvRecord, csvRecords, MalformedRecord } from './folder-records.ts';
import { HashedFileReader } from './hashed-file.ts';

export interface ReadMonitor {
  onBytes(count: number): void;
  readonly signal: AbortSignal;
}

const folderError = (message: string, hint: string): AcequiaError =>
  plainInputError('invalid_parameter', message, { hint });

const INTACT_COPY = 'Nothing was imported. Copy the folder again from where it was exported to.';

export async function readManifest(folder: string): Promise<FolderManifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error) => {
    throw folderError(
      `${quote(folder)} has no ${MANIFEST_FILE} that can be read (${error.code}).`,
      'It is no folder that "acequia export FOLDER" has made, or not a complete one. Nothing was imported.',
    );
  });
  const manifest = parseManifest(text);
  assertSameMigrations(manifest);
  assertListedFiles(manifest);
  return manifest;
}

function parseManifest(text: string): FolderManifest {
  const problem = (message: string, hint = INTACT_COPY) =>
    folderError(`${MANIFEST_FILE} ${message}.`, hint);

  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw problem('is not JSON');
  }
  const { format, version }: Readonly<Record<string, unknown>> = Object(json);
  if (format !== FOLDER_FORMAT) throw problem('is of another program');
  if (version !== FOLDER_VERSION)
    throw problem(
      `has format version ${JSON.stringify(version)}, and this Acequia reads ${FOLDER_VERSION}`,
      'Nothing was imported. Update Acequia to the version that exported the folder, or a later one.',
    );

  const parsed = folderManifest.safeParse(json);
  if (!parsed.success) throw problem('is incomplete');
  return parsed.data;
}

/** Columns may mean something else before and after a migration. */
function assertSameMigrations({ program, migrations: applied }: FolderManifest): void {
  const known = Object.keys(migrations);
  if (applied.length === known.length && applied.every((name, index) => name === known[index]))
    return;

  const isNewer = applied.some((name) => !known.includes(name));
  throw folderError(
    `The folder was exported by ${isNewer ? 'a newer' : 'an earlier'} Acequia, version ${program}.`,
    isNewer
      ? 'Nothing was imported. Update Acequia, and import it then.'
      : `Nothing was imported. Import it with Acequia ${program} into a new store; the first "acequia tick" of this version brings that store up to date.`,
  );
}

function assertListedFiles({ files }: FolderManifest): void {
  const expected = [FARM_FILE, ...TABLE_FILES.map(({ file }) => file)];
  const listed = files.map(({ name }) => name);
  const missing = expected.find((name) => !listed.includes(name));
  if (missing !== undefined)
    throw folderError(`${MANIFEST_FILE} does not list ${missing}.`, INTACT_COPY);
  const unknown = listed.find(
    (name, index) => !expected.includes(name) || listed.indexOf(name) < index,
  );
  if (unknown !== undefined)
    throw folderError(
      `${MANIFEST_FILE} lists ${quote(unknown)}, which is no file of an export, or twice.`,
      INTACT_COPY,
    );
}

const changedFile = ({ name }: FolderFile, what: string): AcequiaError =>
  folderError(`${name} is not as it was exported: ${what}.`, INTACT_COPY);

/** Reads the farm file, of which nothing is imported, so that a change of it is not ignored. */
export async function assertUnchanged(
  folder: string,
  file: FolderFile,
  monitor: ReadMonitor,
): Promise<void> {
  const reader = new HashedFileReader(join(folder, file.name));
  await readingErrors(file, async () => {
    for await (const _ of reader.chunks(monitor.onBytes)) monitor.signal.throwIfAborted();
  });
  assertDigest(reader, file);
}

/**
 * The rows of a file, those of a piece of it together. Once all have been read, it is known that the
 * file is the exported one.
 */
export async function* rowsOfFile(
  folder: string,
  file: FolderFile,
  tableFile: TableFile,
  { onBytes, signal }: ReadMonitor,
): AsyncGenerator<CopiedRow[]> {
  const reader = new HashedFileReader(join(folder, file.name));
  const records = csvRecords(reader.chunks(onBytes));
  let hasHeader = false;
  let rowCount = 0;
  for (;;) {
    const { value, done } = await readingErrors(file, () => records.next());
    if (done === true) break;
    signal.throwIfAborted();

    const [header] = value;
    if (!hasHeader && header !== undefined) {
      assertHeader(header, file, tableFile);
      hasHeader = true;
      value.shift();
    }
    const rows: CopiedRow[] = [];
    for (const record of value) rows.push(await toRow(record, file, tableFile));
    rowCount += rows.length;
    yield rows;
  }

  assertDigest(reader, file);
  if (rowCount !== file.rows)
    throw changedFile(file, `it has ${rowCount} rows, and ${MANIFEST_FILE} says ${file.rows}`);
}

async function readingErrors<T>(file: FolderFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof MalformedRecord) throw cellError(file, error.line, error.message);
    if (error instanceof TypeError) throw changedFile(file, 'it is not UTF-8');
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw folderError(`${file.name} is missing.`, INTACT_COPY);
    if (code !== undefined)
      throw folderError(
        `${file.name} cannot be read (${code}).`,
        'Nothing was imported. Let this user read the folder.',
      );
    throw error;
  }
}

function assertDigest(reader: HashedFileReader, file: FolderFile): void {
  const { bytes, sha256 } = reader.digest();
  if (bytes !== file.bytes)
    throw changedFile(file, `it has ${bytes} bytes, and ${MANIFEST_FILE} says ${file.bytes}`);
  if (sha256 !== file.sha256) throw changedFile(file, `its SHA-256 is another one`);
}

const cellError = ({ name }: FolderFile, line: number, problem: string): AcequiaError =>
  folderError(`${name}, line ${line}: ${problem}.`, INTACT_COPY);

function assertHeader(record: CsvRecord, file: FolderFile, { columns }: TableFile): void {
  const headers = columns.map(({ header }) => header);
  if (record.cells.join(',') !== headers.join(','))
    throw cellError(file, record.line, `the columns are not ${headers.join(', ')}`);
}

async function toRow(
  { line, cells }: CsvRecord,
  file: FolderFile,
  { columns }: TableFile,
): Promise<CopiedRow> {
  if (cells.length !== columns.length)
    throw cellError(file, line, `it has ${cells.length} cells instead of ${columns.length}`);

  const row: Record<string, CopiedRow[string]> = {};
  let index = 0;
  for (const { column, header, properties, isCompressed } of columns) {
    const cell = cells[index++] ?? null;
    const result = readCell(cell, properties);
    if ('problem' in result) throw cellError(file, line, `column ${header}: ${result.problem}`);
    const { value } = result;
    row[column] = isCompressed && typeof value === 'string' ? await compressText(value) : value;
  }
  return row;
}

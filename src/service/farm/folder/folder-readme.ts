import type { FolderFile } from '../../../schema/farm/folder-manifest.ts';
import { FARM_FILE, LEFT_OUT, MANIFEST_FILE } from '../../../schema/farm/folder-tables.ts';
import { TABLE_FILES } from './folder-columns.ts';

interface ReadmeFacts {
  readonly companyName: string;
  readonly exportedAt: string;
  readonly program: string;
  readonly files: readonly FolderFile[];
}

const FILE_WIDTH = Math.max(...TABLE_FILES.map(({ file }) => file.length));
const ROWS_WIDTH = 13;

export function formatReadme({ companyName, exportedAt, program, files }: ReadmeFacts): string {
  const rowsOf = new Map(files.map(({ name, rows }) => [name, rows ?? 0]));
  const lineOf = (file: string, rows: string, contents: string): string =>
    `  ${file.padEnd(FILE_WIDTH)}  ${rows.padStart(ROWS_WIDTH)}  ${contents}`;
  const formatRows = (count: number): string =>
    `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;

  return `${[
    `Everything of ${companyName}, exported on ${exportedAt} by Acequia ${program}.`,
    '',
    'This folder holds addresses of people: keep it as you keep the store.',
    '',
    'NOT IN IT',
    `  ${LEFT_OUT}.`,
    '  After an import, create new keys with "acequia keys create"; members sign in again.',
    '  Sums of hours and days are computed again from the readings.',
    '',
    'FILES',
    lineOf(FARM_FILE, '', 'the farm as it is now; an import of this folder does not read it'),
    ...TABLE_FILES.map(({ file, contents }) =>
      lineOf(file, formatRows(rowsOf.get(file) ?? 0), contents),
    ),
    lineOf(MANIFEST_FILE, '', 'the number of rows and the SHA-256 of each file'),
    '',
    'CELLS',
    '  UTF-8, separated by commas; the first line has the names of the columns. Instants are in UTC.',
    '  An empty cell is unknown or absent, and "" an empty text. Lists and objects are JSON. A column',
    '  such as moduleId has the id of a row of modules.csv; lengths are in the unit of the name.',
    '  Texts are as people wrote them: a spreadsheet may take one that begins with = for a formula.',
    '  Import the columns as text, and do not save over these files.',
    '',
    'IMPORT',
    '  acequia import FOLDER --db NEW.db',
    '  The store must hold no farm. Ids stay as they are. A file that was changed is refused.',
    '',
  ].join('\n')}`;
}

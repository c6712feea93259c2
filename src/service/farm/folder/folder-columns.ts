import { entryOf } from '../../../domain/items.ts';
import { FOLDER_TABLES } from '../../../schema/farm/folder-tables.ts';
import type { ColumnProperties } from '../../../schema/tables/column.ts';
import { TABLES_BY_NAME } from '../../../schema/tables/index.ts';
import { type CopiedTable, copiedTables } from '../../../store/copy/copied-tables.ts';
import { toCamel } from '../../../store/queries/camel-row.ts';

interface FolderColumn {
  /** In the store. */
  readonly column: string;
  /** In the header of the file: the column in camelCase, as fields of answers are written. */
  readonly header: string;
  readonly properties: ColumnProperties;
  /** The store may compress the text. The file has it as it was. */
  readonly isCompressed: boolean;
}

export interface TableFile {
  readonly file: string;
  readonly contents: string;
  readonly table: CopiedTable;
  readonly columns: readonly FolderColumn[];
}

const COMPRESSED_COLUMN = 'changed_rows';
/** The rows of a change take up to some hundred kilobytes. */
const COMPRESSED_BATCH_SIZE = 20;

/** In the order in which they can be imported: each follows those to which it refers. */
export const TABLE_FILES: readonly TableFile[] = copiedTables.flatMap((table) => {
  const described = FOLDER_TABLES.get(table.name);
  if (described === undefined) return [];

  const columns = columnsOf(table.name);
  const isCompressed = columns.some((column) => column.isCompressed);
  return {
    ...described,
    table: isCompressed ? { ...table, batchSize: COMPRESSED_BATCH_SIZE } : table,
    columns,
  };
});

function columnsOf(table: string): FolderColumn[] {
  const { columns } = entryOf(TABLES_BY_NAME, table);
  return Object.entries(columns)
    .filter(([, { properties }]) => properties.origin !== 'computed')
    .map(([column, { properties }]) => ({
      column,
      header: toCamel(column),
      properties,
      isCompressed: column === COMPRESSED_COLUMN,
    }));
}

import { invalidInput } from '../../schema/error.ts';
import { type LongHeader, parseHeader, type WideHeader } from './csv-header.ts';
import type { RowReader } from './csv-rows.ts';
import { resolveImportModule, type SensorIndex } from './sensor-index.ts';

export interface CsvReader {
  readLine(text: string): void;
  end(): void;
  readonly rows: number;
  readonly skippedColumns: RowReader['skippedColumns'];
}

export function createCsvReader(createRows: (header: string) => RowReader): CsvReader {
  let rowReader: RowReader | null = null;
  let line = 0;
  const reader = {
    rows: 0,
    get skippedColumns() {
      return rowReader?.skippedColumns ?? [];
    },
    readLine(text: string): void {
      line++;
      if (isBlank(text)) return;
      if (rowReader === null) {
        rowReader = createRows(text);
        return;
      }
      reader.rows++;
      rowReader.read(text, line);
    },
    end(): void {
      if (rowReader === null)
        throw invalidInput('invalid_body', 'The file is empty.', {
          hint: 'A readings file starts with a header line.',
        });
      rowReader.end();
    },
  };
  return reader;
}

/** Spreadsheets write empty rows as delimiters alone. */
const isBlank = (text: string): boolean => text.length < 64 && /^[\s,;|]*$/.test(text);

export interface CsvStart {
  readonly header: LongHeader | WideHeader;
  readonly moduleId: number | null;
}

/** `module` names the module of a wide file; `field` names that argument in errors. */
export function readCsvStart(text: string, index: SensorIndex, module: string | undefined, field: string): CsvStart {
  const header = parseHeader(text);
  if (header.layout === 'wide' && module === undefined)
    throw invalidInput('invalid_parameter', 'A wide readings file does not say whose readings they are.', {
      hint: `Add ${field} with the name, uid or id of the probe or station.`,
      field,
    });
  if (header.layout === 'long' && module !== undefined)
    throw invalidInput('invalid_parameter', 'This readings file names a module in every row.', {
      hint: `Leave ${field} out: it is for wide files (time,humidity_10,…).`,
      field,
    });
  return { header, moduleId: module === undefined ? null : resolveImportModule(index, module, field).id };
}

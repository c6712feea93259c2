import { invalidInput } from '../schema/error.ts';
import { type LongHeader, parseHeader, type WideHeader } from './readings-columns.ts';
import type { RowReader } from './readings-rows.ts';
import { resolveImportModule, type SensorIndex } from './readings-sensors.ts';

/** Takes the lines of a readings file in their order: the first that is not blank is its header. */
export interface CsvReader {
  readLine(text: string): void;
  /** The file has ended: one without a header is refused. */
  end(): void;
  /** Rows of data so far, without the header and blank lines. */
  readonly rows: number;
  /** Columns that are not read, with why. */
  readonly skippedColumns: RowReader['skippedColumns'];
}

/** `begin` makes the reader of the rows behind a header. */
export function createCsvReader(begin: (header: string) => RowReader): CsvReader {
  let reader: RowReader | null = null;
  let line = 0;
  const lines = {
    rows: 0,
    get skippedColumns() {
      return reader?.skippedColumns ?? [];
    },
    readLine(text: string): void {
      line++;
      if (isBlank(text)) return;
      if (reader === null) {
        reader = begin(text);
        return;
      }
      lines.rows++;
      reader.read(text, line);
    },
    end(): void {
      if (reader === null)
        throw invalidInput('invalid_body', 'The file is empty.', {
          hint: 'A readings file starts with a header line.',
        });
      reader.end();
    },
  };
  return lines;
}

/** A line that holds nothing, or nothing but delimiters, as spreadsheets leave them. */
const isBlank = (text: string): boolean => text.length < 64 && /^[\s,;|]*$/.test(text);

/** A header, and the module that the rows behind it are about: null where each names its own. */
export interface CsvStart {
  readonly header: LongHeader | WideHeader;
  readonly moduleId: number | null;
}

/** Reads a header; `module` names the module of a wide file, and the caller calls that argument `field`. */
export function readCsvStart(text: string, sensors: SensorIndex, module: string | undefined, field: string): CsvStart {
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
  return { header, moduleId: module === undefined ? null : resolveImportModule(sensors, module, field).id };
}

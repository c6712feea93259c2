import type { Lang } from '../../../domain/lang.ts';
import { describeRejections, type Rejection } from '../../../language/ingest/import-report.ts';
import type { ImportedSensor } from '../collected-readings.ts';
import { type ReasonCount, ReasonCounter } from '../reason-counter.ts';
import { REJECT_COLUMNS } from './column-meanings.ts';
import type { CsvLayout } from './csv-layout.ts';
import { csvCells, quoteCsvCell } from './text/csv-lines.ts';

export interface RowSink {
  add(sensor: ImportedSensor, at: number, value: number, line: number): void;
  reject(
    line: number,
    text: string,
    cells: readonly string[] | null,
    rejections: readonly Rejection[],
  ): void;
}

const MAX_FIRST_REJECTS = 10;

interface FirstReject {
  readonly line: number;
  readonly rejections: readonly Rejection[];
  readonly text: string;
}

export interface RejectionReport {
  readonly rejectedRows: number;
  readonly reasons: readonly ReasonCount[];
  readonly firstRejects: readonly FirstReject[];
}

type WriteText = (text: string) => Promise<void>;

/** Counts the rejected rows of a file, and copies them to a rejects file if there is one. */
export class CsvRejects {
  readonly #write: WriteText | undefined;
  readonly #lang: Lang;
  readonly #reasons = new ReasonCounter();
  readonly #firstRejects: FirstReject[] = [];
  #rejectedRows = 0;
  #pending = '';
  #delimiter = ',';
  /** The number of columns of the file without the two added ones. */
  #width = 0;
  /** True for a corrected rejects file, whose two added columns are replaced. */
  #hasRejectColumns = false;

  constructor(write: WriteText | undefined, lang: Lang) {
    this.#write = write;
    this.#lang = lang;
  }

  begin({ headerText, names, delimiter }: CsvLayout): void {
    this.#delimiter = delimiter;
    const cells = csvCells(headerText, delimiter) ?? [];
    this.#hasRejectColumns = cells.some((cell) => cell.trim().toLowerCase() === REJECT_COLUMNS[0]);
    this.#width = names.length - (this.#hasRejectColumns ? REJECT_COLUMNS.length : 0);

    if (this.#write) this.#append(headerText, cells, REJECT_COLUMNS);
  }

  add(
    line: number,
    text: string,
    cells: readonly string[] | null,
    rejections: readonly Rejection[],
  ): void {
    this.#rejectedRows++;
    this.#reasons.add(rejections);
    const isAfterStop = rejections[0]?.reason === 'after_stop';
    if (!isAfterStop && this.#firstRejects.length < MAX_FIRST_REJECTS)
      this.#firstRejects.push({ line, rejections, text });

    if (this.#write)
      this.#append(text, cells, [String(line), describeRejections(rejections, this.#lang)]);
  }

  async flush(): Promise<void> {
    if (this.#pending === '') return;
    await this.#write?.(this.#pending);
    this.#pending = '';
  }

  report(): RejectionReport {
    return {
      rejectedRows: this.#rejectedRows,
      reasons: this.#reasons.mostFrequentFirst(),
      firstRejects: this.#firstRejects,
    };
  }

  #append(text: string, cells: readonly string[] | null, added: readonly string[]): void {
    const original =
      cells !== null && this.#hasRejectColumns
        ? this.#joinCells(cells.slice(0, this.#width))
        : text;
    const missingCells = cells === null ? 0 : Math.max(0, this.#width - cells.length);
    const padding = this.#delimiter.repeat(missingCells);
    this.#pending += `${original}${padding}${this.#delimiter}${this.#joinCells(added)}\n`;
  }

  #joinCells(cells: readonly string[]): string {
    return cells.map((cell) => quoteCsvCell(cell, this.#delimiter)).join(this.#delimiter);
  }
}

import type { ClockStop } from '../../schema/ingest/rejection.ts';
import { englishCount } from '../en/grammar.ts';

interface CsvCounts {
  readonly written: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly isDryRun: boolean;
}

export const importPhrases = {
  dryRun: 'Nothing is stored yet; this is how the file was understood.',
  provider: (provider: string) => `The file is an export of ${provider}.`,
  nothing: 'The file has no reading that can be stored.',
  module: (name: string, sensors: string, period: string) => `${name} (${sensors}), ${period}`,
  stored: (
    { written, changed, unchanged, isDryRun }: CsvCounts,
    modules: readonly string[],
    more: number,
  ) =>
    `${isDryRun ? 'To store' : 'Stored'}: ${englishCount(written, 'new reading')}, ${changed} changed, ${unchanged} already there. ` +
    `${modules.join('; ')}${more > 0 ? `; and ${englishCount(more, 'more module')}` : ''}.`,
  clockStop: ({ line, time, offset }: ClockStop, zone: string) =>
    `Stopped at line ${line}: ${zone} has no ${time} (clocks go forward), so the clock of the file may stay the same all year. ` +
    `The rows before it are right in both cases. Ask the person; if so, import the header and the lines from ${line} on with timezone "${offset}", else those after ${line}.`,
  refused: (rows: number, reasons: string) =>
    `${englishCount(rows, 'row was', 'rows were')} rejected, at least in part: ${reasons}.`,
  unreadColumn: (name: string, why: string | undefined) =>
    why === undefined ? name : `${name} (${why})`,
  unread: (names: string) => `Columns not read: ${names}.`,
};

import type { TableChecksum, TableDifference } from '../store/copy/figures.ts';
import { formatTerminalCount } from './counted.ts';

/** Two places as they may be shown, and whether they were only compared. */
export interface CopyPlaces {
  readonly from: string;
  readonly to: string;
  readonly isCheck: boolean;
}

/** Digits of a checksum that are shown: enough for the eye. */
const DIGITS = 16;

const formatTableFigures = ({ rows, checksum }: TableChecksum): string =>
  `${formatTerminalCount(rows, 'row')}, ${checksum.slice(0, DIGITS)}`;

/** A copy that is whole, table by table. */
export function formatCopyResult(figures: readonly TableChecksum[], { from, to, isCheck }: CopyPlaces): string {
  const filled = figures.filter(({ rows }) => rows > 0);
  const total = filled.reduce((all, { rows }) => all + rows, 0);
  const width = Math.max(...filled.map(({ table }) => table.length), 0);
  return [
    isCheck
      ? `${from} and ${to} are equal: ${formatTerminalCount(total, 'row')} with the same checksums.`
      : `${from} is copied to ${to}: ${formatTerminalCount(total, 'row')}, read again there with the same checksums.`,
    ...filled.map((each) => `  ${each.table.padEnd(width)}  ${formatTableFigures(each)}`),
    '',
  ].join('\n');
}

/** The tables in which two stores differ, and what that means. */
export function formatDifferences(differing: readonly TableDifference[], { from, to, isCheck }: CopyPlaces): string {
  return [
    `${from} and ${to} differ:`,
    ...differing.map(
      ({ table, source, target }) => `  ${table}: ${formatTableFigures(source)} against ${formatTableFigures(target)}`,
    ),
    isCheck
      ? 'What was written to one of them since the copy tells them apart too: compare before either is used.'
      : 'Something else has written to the copy, or changed what was. It serves nobody: run the same command again once that has ended.',
    '',
  ].join('\n');
}

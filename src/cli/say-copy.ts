import type { Difference, TableFigures } from '../store/copy/figures.ts';
import { counted } from './counted.ts';

/** Two places as they may be shown, and whether they were only compared. */
export interface CopiedPlaces {
  readonly from: string;
  readonly to: string;
  readonly isCheck: boolean;
}

/** Digits of a checksum that are shown: enough for the eye. */
const DIGITS = 16;

const sum = ({ rows, checksum }: TableFigures): string => `${counted(rows, 'row')}, ${checksum.slice(0, DIGITS)}`;

/** A copy that is whole, table by table. */
export function sayCopy(figures: readonly TableFigures[], { from, to, isCheck }: CopiedPlaces): string {
  const filled = figures.filter(({ rows }) => rows > 0);
  const total = filled.reduce((all, { rows }) => all + rows, 0);
  const width = Math.max(...filled.map(({ table }) => table.length), 0);
  return [
    isCheck
      ? `${from} and ${to} are equal: ${counted(total, 'row')} with the same checksums.`
      : `${from} is copied to ${to}: ${counted(total, 'row')}, read again there with the same checksums.`,
    ...filled.map((each) => `  ${each.table.padEnd(width)}  ${sum(each)}`),
    '',
  ].join('\n');
}

/** The tables in which two stores differ, and what that means. */
export function sayDifferences(differing: readonly Difference[], { from, to, isCheck }: CopiedPlaces): string {
  return [
    `${from} and ${to} differ:`,
    ...differing.map(({ table, source, target }) => `  ${table}: ${sum(source)} against ${sum(target)}`),
    isCheck
      ? 'What was written to one of them since the copy tells them apart too: compare before either is used.'
      : 'Something else has written to the copy, or changed what was. It serves nobody: run the same command again once that has ended.',
    '',
  ].join('\n');
}

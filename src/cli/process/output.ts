import { itemAt } from '../../domain/items.ts';
import { visibleText } from '../../domain/strings.ts';
import { englishNoun } from '../../language/en/grammar.ts';

// If the reader closes ("| head"), output stops but work goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** Keeps line breaks and tabs. */
const toTerminalText = (text: string): string => text.replace(/[^\n\t]+/g, visibleText);

export const print = (text: string): boolean => process.stdout.write(toTerminalText(text));

export const printError = (text: string): boolean => process.stderr.write(toTerminalText(text));

/** Undefined if the output is not a terminal. */
export const terminalWidth = (): number | undefined => process.stdout.columns;

export const formatTerminalCount = (count: number, one: string, several?: string): string =>
  `${count.toLocaleString('en-US')} ${englishNoun(count, one, several)}`;

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }

  const figure = unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1);
  return `${figure} ${units[unit]}`;
}

/** Columns as wide as their widest cell, two spaces apart. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => itemAt(row, column).length)),
  );

  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(itemAt(widths, column)))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

let needsExplicitExit = false;

/** For a command that leaves something running that would keep the process alive. */
export function requireExplicitExit(): void {
  needsExplicitExit = true;
}

export async function exitIfStillRunning(): Promise<void> {
  if (!needsExplicitExit) return;
  // The callback runs once everything written before has left the process.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exit();
}

/** As a line of a terminal. */
export const formatWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w/.:=@\\+-]+$/.test(word) ? word : `"${word}"`)).join(' ');

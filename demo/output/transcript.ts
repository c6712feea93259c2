import { styleText } from 'node:util';
import { print } from '../../src/cli/process/output.ts';

type Style = Parameters<typeof styleText>[0];

const WIDTH = 100;
const INDENT = 4;
const LABEL = 9;
/** Random ids would differ in every run. */
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const hasColours = process.stdout.isTTY === true && !process.env.NO_COLOR;
const styled = (style: Style, text: string): string => (hasColours ? styleText(style, text) : text);

/** An item longer than `width` gets its own line. */
function wrapItems(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + item.length <= width)
      lines[lines.length - 1] = `${line} ${item}`;
    else lines.push(item);
  }
  return lines;
}

const printLines = (lines: readonly string[]): void =>
  void print(lines.map((line) => `${line}\n`).join(''));

const labelled = (label: string, lines: readonly string[], style?: Style): void =>
  printLines(
    lines.map((line, index) => {
      if (line === '') return '';
      const margin = (index === 0 ? label : '').padEnd(LABEL);
      return `${' '.repeat(INDENT)}${styled('dim', margin)}${style ? styled(style, line) : line}`;
    }),
  );

const wrapWords = (text: string): string[] => wrapItems(text.split(' '), WIDTH - INDENT - LABEL);

/** A part of the morning file, whose lines are not wrapped. */
export interface TranscriptPart {
  readonly kind:
    | 'text'
    | 'person'
    | 'event'
    | 'calls'
    | 'answers'
    | 'says'
    | 'figures'
    | 'table'
    | 'byHand'
    | 'checked';
  readonly lines: readonly string[];
}

const recorded: TranscriptPart[] = [];
const record = (kind: TranscriptPart['kind'], lines: readonly string[]): void =>
  void recorded.push({ kind, lines });

let steps = 0;

function step(text: string, style: Style): void {
  steps += 1;
  const lines = wrapItems(text.split(' '), WIDTH - INDENT);
  printLines([
    '',
    ...lines.map(
      (line, index) => `${(index === 0 ? `${steps}.` : '').padEnd(INDENT)}${styled(style, line)}`,
    ),
  ]);
}

export const transcript = {
  title: (text: string): void => printLines([styled('bold', text), '='.repeat(text.length)]),
  section: (text: string): void => printLines(['', styled('bold', text), '-'.repeat(text.length)]),
  text(text: string): void {
    record('text', [text]);
    printLines(wrapItems(text.split(' '), WIDTH));
  },
  takeParts: (): TranscriptPart[] => recorded.splice(0),
  lines: printLines,
  person(text: string): void {
    record('person', [text]);
    step(`"${text}"`, ['bold', 'yellow']);
  },
  event(text: string): void {
    record('event', [text]);
    step(text, 'bold');
  },
  calls(tool: string, args: Record<string, unknown>): void {
    const items = Object.entries(args).map(
      ([name, value]) => `${name}: ${JSON.stringify(value).replace(UUID, '…')}`,
    );
    const last = items.pop();
    const call =
      last === undefined
        ? [`${tool} {}`]
        : [`${tool} {`, ...items.map((each) => `${each},`), `${last} }`];
    record('calls', [call.join(' ')]);
    printLines(['']);
    labelled('calls', wrapItems(call, WIDTH - INDENT - LABEL), 'cyan');
  },
  runs: (text: string): void => {
    printLines(['']);
    labelled('runs', [text], 'cyan');
  },
  prints: (text: string): void => labelled('prints', text.split('\n').flatMap(wrapWords)),
  mail: (lines: readonly string[]): void => {
    printLines(['']);
    labelled('mail', lines.flatMap(wrapWords));
  },
  answers(text: string): void {
    record('answers', [text]);
    labelled('answers', wrapWords(text));
  },
  refuses: (text: string): void => labelled('refuses', wrapWords(text), 'magenta'),
  says(text: string): void {
    record('says', [text]);
    labelled('says', wrapWords(`"${text}"`), 'yellow');
  },
  figures(lines: readonly string[]): void {
    record('figures', lines);
    labelled('figures', lines.flatMap(wrapWords));
  },
  curve: (lines: readonly string[]): void => labelled('', lines),
  table(rows: readonly (readonly string[])[]): void {
    record('table', alignColumns(rows));
    labelled('figures', alignColumns(rows));
  },
  byHand(lines: readonly string[]): void {
    record('byHand', lines);
    labelled('by hand', lines, 'green');
  },
  checked(text: string): void {
    record('checked', [text]);
    labelled('checked', wrapWords(text), 'green');
  },
};

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

import { styleText } from 'node:util';
import { print } from '../output.ts';

type Style = Parameters<typeof styleText>[0];

const WIDTH = 100;
const INDENT = 4;
const LABEL = 9;
/** Ids that are made anew each time tell nobody anything. */
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const hasColours = process.stdout.isTTY === true && !process.env.NO_COLOR;
const styled = (style: Style, text: string): string => (hasColours ? styleText(style, text) : text);

/** Pieces over lines of at most `width` columns; a piece that is longer has a line of its own. */
function wrapped(pieces: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + piece.length <= width) lines[lines.length - 1] = `${line} ${piece}`;
    else lines.push(piece);
  }
  return lines;
}

const put = (lines: readonly string[]): void => void print(lines.map((line) => `${line}\n`).join(''));

/** Lines beside a label at the margin. */
const labelled = (label: string, lines: readonly string[], style?: Style): void =>
  put(
    lines.map((line, index) => {
      if (line === '') return '';
      const margin = (index === 0 ? label : '').padEnd(LABEL);
      return `${' '.repeat(INDENT)}${styled('dim', margin)}${style ? styled(style, line) : line}`;
    }),
  );

const words = (text: string): string[] => wrapped(text.split(' '), WIDTH - INDENT - LABEL);

/** A part of what was told, each of its lines whole. */
export interface Told {
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

/** What was told so far, but for what is shown in a terminal alone. */
const told: Told[] = [];
const tell = (kind: Told['kind'], lines: readonly string[]): void => void told.push({ kind, lines });

let steps = 0;

/** The next step, numbered, with what gives rise to it. */
function step(text: string, style: Style): void {
  steps += 1;
  const lines = wrapped(text.split(' '), WIDTH - INDENT);
  put(['', ...lines.map((line, index) => `${(index === 0 ? `${steps}.` : '').padEnd(INDENT)}${styled(style, line)}`)]);
}

/** What is printed of the demo: who said what, what was called, what came back. */
export const transcript = {
  title: (text: string): void => put([styled('bold', text), '='.repeat(text.length)]),
  section: (text: string): void => put(['', styled('bold', text), '-'.repeat(text.length)]),
  text(text: string): void {
    tell('text', [text]);
    put(wrapped(text.split(' '), WIDTH));
  },
  /** What has been told since this was called last. */
  taken: (): Told[] => told.splice(0),
  /** Lines as they are. */
  lines: put,
  /** What the person says. */
  person(text: string): void {
    tell('person', [text]);
    step(`"${text}"`, ['bold', 'yellow']);
  },
  /** What happens without anybody saying something. */
  event(text: string): void {
    tell('event', [text]);
    step(text, 'bold');
  },
  calls(tool: string, given: Record<string, unknown>): void {
    const pieces = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value).replace(UUID, '…')}`);
    const last = pieces.pop();
    const call = last === undefined ? [`${tool} {}`] : [`${tool} {`, ...pieces.map((each) => `${each},`), `${last} }`];
    tell('calls', [call.join(' ')]);
    put(['']);
    labelled('calls', wrapped(call, WIDTH - INDENT - LABEL), 'cyan');
  },
  /** What is run at the command line, and what that prints. */
  runs: (text: string): void => {
    put(['']);
    labelled('runs', [text], 'cyan');
  },
  prints: (text: string): void => labelled('prints', text.split('\n').flatMap(words)),
  /** A message as it arrived. */
  mail: (lines: readonly string[]): void => {
    put(['']);
    labelled('mail', lines.flatMap(words));
  },
  answers(text: string): void {
    tell('answers', [text]);
    labelled('answers', words(text));
  },
  refuses: (text: string): void => labelled('refuses', words(text), 'magenta'),
  /** What the assistant says. */
  says(text: string): void {
    tell('says', [text]);
    labelled('says', words(`"${text}"`), 'yellow');
  },
  figures(lines: readonly string[]): void {
    tell('figures', lines);
    labelled('figures', lines.flatMap(words));
  },
  curve: (lines: readonly string[]): void => labelled('', lines),
  table(rows: readonly (readonly string[])[]): void {
    tell('table', aligned(rows));
    labelled('figures', aligned(rows));
  },
  byHand(lines: readonly string[]): void {
    tell('byHand', lines);
    labelled('by hand', lines, 'green');
  },
  checked(text: string): void {
    tell('checked', [text]);
    labelled('checked', words(text), 'green');
  },
};

/** Rows of cells as lines, each column as wide as its widest cell. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

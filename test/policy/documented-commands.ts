import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Pages whose commands belong to an earlier version, or are written by the demo. */
const WITHOUT_COMMANDS = ['changelog.md', 'a-morning.md'];

const PAGES = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md') && !WITHOUT_COMMANDS.includes(name))
    .map((name) => `docs/${name}`),
];

export interface DocumentedCommand {
  readonly page: string;
  /** The command as it is printed, on one line. */
  readonly text: string;
  /** The program with its arguments, without variables before it and files that it reads or writes. */
  readonly words: readonly string[];
}

/** The commands in the shell examples of README and docs, each part of a pipe by itself. */
export const documentedCommands = (): DocumentedCommand[] =>
  PAGES.flatMap((page) =>
    linesOf(readFileSync(join(ROOT, page), 'utf8')).flatMap((text) =>
      commandsIn(text).map((words) => ({ page, text, words })),
    ),
  );

function linesOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?<language>\w*)\n(?<content>[\s\S]*?)^```/gm)];
  return blocks.flatMap(({ groups }) => {
    const { language = '', content = '' } = groups ?? {};
    if (!['sh', 'console'].includes(language)) return [];
    const lines = completeLines(content);
    // What a command printed stands below it.
    if (!lines.some((line) => line.startsWith('$ '))) return lines;
    return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  });
}

/** Joins what a backslash or an open quote continues. */
function completeLines(content: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of content.split('\n')) {
    const text = open + line;
    const isOpen = wordsOf(text) === null;
    if (text.endsWith('\\')) open = text.slice(0, -1);
    else if (isOpen) open = `${text}\n`;
    else {
      if (text.trim() !== '') lines.push(text.trim());
      open = '';
    }
  }
  if (open !== '') throw new Error(`A quote of an example is never closed: ${open}`);
  return lines;
}

const TOKEN = /\s+|#.*|&&|\|\||[|;<>]+|(?:"[^"]*"|'[^']*'|[^\s"'|;<>&]|&(?!&))+/gy;

/** Words and operators; null while a quote is open. */
function wordsOf(text: string): string[] | null {
  const words: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [word] = match;
    if (word.trim() !== '' && !word.startsWith('#')) words.push(word);
    if (TOKEN.lastIndex === text.length) return words;
  }
  return text === '' ? words : null;
}

const unquoted = (word: string): string => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2');

function commandsIn(text: string): string[][] {
  const commands: string[][] = [[]];
  let isFile = false;
  for (const word of wordsOf(text) ?? []) {
    if (/^(?:&&|\|\||\||;)$/.test(word)) commands.push([]);
    else if (/^[<>]+$/.test(word)) isFile = true;
    else if (isFile) isFile = false;
    else commands.at(-1)?.push(unquoted(word));
  }
  return commands
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter((words) => words.length > 0);
}

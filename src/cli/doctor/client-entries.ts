import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import type { ClientFile } from './client-files.ts';

/** How a file says that a server is started. */
export interface Entry {
  readonly name: string;
  readonly command: string | null;
  readonly args: readonly string[];
  /** Holds secrets too: two of its variables are read, and one of these is shown. */
  readonly env: Readonly<Record<string, unknown>>;
  /** Kept, but not started. */
  readonly isOff: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A file that its program cannot read, with the place and the reason; these quote nothing of the file. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** What a file holds, as its program reads it; an empty one holds nothing. Throws Unreadable. */
export function documentOf({ format }: Pick<ClientFile, 'format'>, content: string): unknown {
  const text = content.replace(/^\uFEFF/, '');
  if (text.trim() === '') return {};
  return format === 'toml' ? tomlDocument(text) : jsonDocument(text, format === 'jsonc');
}

function jsonDocument(text: string, isLenient: boolean): unknown {
  const errors: ParseError[] = [];
  const document: unknown = parseJson(text, errors, { allowTrailingComma: isLenient, disallowComments: !isLenient });
  const [first] = errors;
  if (first === undefined) return document;
  const lines = text.slice(0, first.offset).split('\n');
  const reason = printParseErrorCode(first.error).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  throw new Unreadable(`line ${lines.length}, column ${lines.at(-1)!.length + 1}:${reason}`);
}

function tomlDocument(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    throw new Unreadable(`line ${error.line}, column ${error.column}: ${reason}`);
  }
}

/** The entries of a file that speak of Acequia, by their name or what they start. Throws Unreadable. */
export function acequiaEntries(file: ClientFile, content: string): Entry[] {
  const document = documentOf(file, content);
  return file.servers
    .flatMap((way) => reached(document, way))
    .map(([name, fields]) => entryOf(name, fields))
    .filter((entry) => entry.name.toLowerCase() === 'acequia' || startsAcequia(entry));
}

/** The named objects at the end of a way through a document. */
function reached(document: unknown, [step, ...rest]: readonly string[]): [name: string, fields: Fields][] {
  if (!isFields(document)) return [];
  if (step === undefined) return Object.entries(document).filter((each): each is [string, Fields] => isFields(each[1]));
  if (step === '*') return Object.values(document).flatMap((each) => reached(each, rest));
  return reached(document[step], rest);
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** opencode gives command and arguments in one list. */
export function entryOf(name: string, fields: Fields): Entry {
  const [command, ...args] = [...texts([fields.command]), ...texts(fields.command), ...texts(fields.args)];
  const env = [fields.env, fields.environment].find(isFields) ?? {};
  return { name, command: command ?? null, args, env, isOff: fields.enabled === false || fields.disabled === true };
}

/** Whether an entry starts Acequia, be it this copy or another. */
export const startsAcequia = ({ command, args }: Entry): boolean =>
  [command ?? '', ...args].some((word) => /(^|[\\/])acequia(-mcp)?(\.js|\.cmd|\.exe)?(@[\w.-]+)?$/.test(word));

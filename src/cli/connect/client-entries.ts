import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { firstOf, lastOf } from '../../domain/items.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import type { ClientFile } from './client-files.ts';

export interface ClientEntry {
  readonly name: string;
  readonly command: string | null;
  readonly args: readonly string[];
  /** Contains secrets: only two of its variables are read, and only one of these is shown. */
  readonly env: Readonly<Record<string, unknown>>;
  readonly isDisabled: boolean;
}

export type EntryFields = Readonly<Record<string, unknown>>;

export const isEntryFields = (value: unknown): value is EntryFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The message gives the position and the reason, without quoting the file. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

export function parseClientFile({ format }: Pick<ClientFile, 'format'>, content: string): unknown {
  const text = content.replace(/^\uFEFF/, '');
  if (text.trim() === '') return {};
  return format === 'toml' ? tomlDocument(text) : jsonDocument(text, format === 'jsonc');
}

function jsonDocument(text: string, isLenient: boolean): unknown {
  const errors: ParseError[] = [];
  const document: unknown = parseJson(text, errors, {
    allowTrailingComma: isLenient,
    disallowComments: !isLenient,
  });
  const [first] = errors;
  if (first === undefined) return document;

  const lines = text.slice(0, first.offset).split('\n');
  // "CommaExpected" becomes " comma expected".
  const reason = printParseErrorCode(first.error).replace(
    /[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );

  throw new UnreadableFileError(
    `line ${lines.length}, column ${lastOf(lines).length + 1}:${reason}`,
  );
}

function tomlDocument(text: string): unknown {
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = firstOf(error.message.split('\n')).replace(/^Invalid TOML document: /, '');
    throw new UnreadableFileError(`line ${error.line}, column ${error.column}: ${reason}`);
  }
}

export function acequiaEntries(file: ClientFile, content: string): ClientEntry[] {
  const document = parseClientFile(file, content);
  return file.serverPaths
    .flatMap((path) => entriesAt(document, path))
    .map(([name, fields]) => parseEntry(name, fields))
    .filter((entry) => entry.name.toLowerCase() === 'acequia' || startsAcequia(entry));
}

function entriesAt(
  document: unknown,
  [step, ...rest]: readonly string[],
): [name: string, fields: EntryFields][] {
  if (!isEntryFields(document)) return [];
  if (step === undefined)
    return Object.entries(document).filter((each): each is [string, EntryFields] =>
      isEntryFields(each[1]),
    );
  if (step === '*') return Object.values(document).flatMap((each) => entriesAt(each, rest));
  return entriesAt(document[step], rest);
}

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** opencode has command and arguments in one list. */
function parseEntry(name: string, fields: EntryFields): ClientEntry {
  const words = typeof fields.command === 'string' ? [fields.command] : stringsIn(fields.command);
  const [command, ...args] = [...words, ...stringsIn(fields.args)];

  const env = [fields.env, fields.environment].find(isEntryFields) ?? {};
  return {
    name,
    command: command ?? null,
    args,
    env,
    isDisabled: fields.enabled === false || fields.disabled === true,
  };
}

/** A word is acequia or acequia-mcp, with any path, as a script, or with a version as for npx. */
const startsAcequia = ({ command, args }: ClientEntry): boolean =>
  [command ?? '', ...args].some((word) =>
    /(^|[\\/])acequia(-mcp)?(\.js|\.cmd|\.exe)?(@[\w.-]+)?$/.test(word),
  );

export const ENTRY_NAME = 'acequia';

export interface ExistingEntry {
  readonly fields: EntryFields;
  readonly isOurs: boolean;
}

export function findExistingEntry(file: ClientFile, content: string): ExistingEntry | null {
  const path = [...firstOf(file.serverPaths), ENTRY_NAME];
  let value: unknown = readClientDocument(file, content);
  for (const [depth, step] of path.entries()) {
    if (!isEntryFields(value)) throw unexpectedShape(file, path.slice(0, depth));
    if (!Object.hasOwn(value, step)) return null;
    value = value[step];
  }
  const isOurs = isEntryFields(value) && startsAcequia(parseEntry(ENTRY_NAME, value));
  return { fields: isEntryFields(value) ? value : {}, isOurs };
}

export function readClientDocument(file: ClientFile, content: string): unknown {
  try {
    return parseClientFile(file, content);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    throw invalidInputError(
      'INVALID_CLIENT_FILE',
      `${file.client} cannot read ${file.path}: ${error.message}.`,
      {
        hint: 'Nothing was written. Fix the file there first; until then the client starts no server at all.',
      },
    );
  }
}

function unexpectedShape(
  { client, path: file }: ClientFile,
  path: readonly string[],
): AcequiaError {
  const where = path.length === 0 ? 'its root' : path.join('.');
  return invalidInputError(
    'INVALID_CLIENT_FILE',
    `${file} has something other than an object at ${where}.`,
    {
      hint: `Nothing was written. ${client} expects its servers there; fix the file first.`,
    },
  );
}

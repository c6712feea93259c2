import { firstOf } from '../../domain/items.ts';
import { isRecord } from '../../domain/records.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { RefusalInWords } from '../process/refusal-in-words.ts';
import { parseClientFile, parseOrRefuse } from './client-document.ts';
import { type ClientFile, type ClientId, DEFAULT_ENTRY_NAME } from './client-files.ts';
import { INVALID_FILE } from './config-file.ts';

export interface ClientEntry {
  readonly client: ClientId;
  readonly name: string;
  readonly command: string | null;
  readonly args: readonly string[];
  /** May hold secrets: only the variables that name a store or a service are read. */
  readonly env: Readonly<Record<string, unknown>>;
  /** Names of variables that the client passes on from its own environment. */
  readonly passedVariables: readonly string[];
  readonly isDisabled: boolean;
}

export type EntryFields = Readonly<Record<string, unknown>>;

export function acequiaEntries(file: ClientFile, content: string): ClientEntry[] {
  const document = parseClientFile(file, content);
  return file.serverPaths
    .flatMap((path) => entriesAt(document, path))
    .map(([name, fields]) => parseEntry(file.id, name, fields))
    .filter((entry) => entry.name.toLowerCase() === DEFAULT_ENTRY_NAME || startsAcequia(entry));
}

function entriesAt(
  document: unknown,
  [step, ...rest]: readonly string[],
): [name: string, fields: EntryFields][] {
  if (!isRecord(document)) return [];
  if (step === undefined)
    return Object.entries(document).filter((entry): entry is [string, EntryFields] =>
      isRecord(entry[1]),
    );
  if (step === '*') return Object.values(document).flatMap((part) => entriesAt(part, rest));
  return entriesAt(document[step], rest);
}

const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** opencode has the command and its arguments in one list, `command`. */
export function parseEntry(client: ClientId, name: string, fields: EntryFields): ClientEntry {
  const words = typeof fields.command === 'string' ? [fields.command] : stringsIn(fields.command);
  const [command, ...args] = [...words, ...stringsIn(fields.args)];

  const env = [fields.env, fields.environment].find(isRecord) ?? {};
  return {
    client,
    name,
    command: command ?? null,
    args,
    env,
    passedVariables: stringsIn(fields.env_vars),
    isDisabled: fields.enabled === false || fields.disabled === true,
  };
}

/** True if a word of the command is acequia or acequia-mcp, with a path, file extension or version. */
const startsAcequia = ({ command, args }: ClientEntry): boolean =>
  [command ?? '', ...args].some((word) =>
    /(^|[\\/])acequia(-mcp)?(\.js|\.cmd|\.exe)?(@[\w.-]+)?$/.test(word),
  );

export interface ExistingEntry {
  readonly fields: EntryFields;
  readonly isOurs: boolean;
}

export const entryPath = ({ serverPaths, entryName }: ClientFile): string[] => [
  ...firstOf(serverPaths),
  entryName,
];

export function findExistingEntry(file: ClientFile, content: string): ExistingEntry | null {
  const path = entryPath(file);
  let value: unknown = parseOrRefuse(file, content);
  for (const [depth, step] of path.entries()) {
    if (!isRecord(value)) throw unexpectedShape(file, path.slice(0, depth));
    if (!Object.hasOwn(value, step)) return null;
    value = value[step];
  }
  const isOurs = isRecord(value) && startsAcequia(parseEntry(file.id, file.entryName, value));
  return { fields: isRecord(value) ? value : {}, isOurs };
}

function unexpectedShape(
  { client, path: file }: ClientFile,
  path: readonly string[],
): AcequiaError {
  return new RefusalInWords(INVALID_FILE, ({ connection }) =>
    connection.refusals.notAnObject(file, client, path.join('.')),
  );
}

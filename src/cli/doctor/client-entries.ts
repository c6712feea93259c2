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

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** The entries of a file that speak of Acequia, by their name or what they start; throws where it cannot be read. */
export function acequiaEntries({ format, servers }: ClientFile, content: string): Entry[] {
  const entries =
    format === 'toml'
      ? tomlServers(content)
      : servers.flatMap((way) => reached(JSON.parse(format === 'jsonc' ? plain(content) : content), way));
  return entries.map(entryOf).filter(isAcequia);
}

/** The named objects at the end of a way through a document. */
function reached(document: unknown, [step, ...rest]: readonly string[]): [name: string, fields: Fields][] {
  if (!isFields(document)) return [];
  if (step === undefined) return Object.entries(document).filter((each): each is [string, Fields] => isFields(each[1]));
  if (step === '*') return Object.values(document).flatMap((each) => reached(each, rest));
  return reached(document[step], rest);
}

/** opencode gives command and arguments in one list. */
function entryOf([name, fields]: [name: string, fields: Fields]): Entry {
  const [command, ...args] = [...texts([fields.command]), ...texts(fields.command), ...texts(fields.args)];
  const env = [fields.env, fields.environment].find(isFields) ?? {};
  return { name, command: command ?? null, args, env, isOff: fields.enabled === false || fields.disabled === true };
}

const isAcequia = ({ name, command, args }: Entry): boolean =>
  name.toLowerCase() === 'acequia' ||
  [command ?? '', ...args].some((word) => /(^|[\\/])acequia(-mcp)?(\.js|\.cmd|\.exe)?(@[\w.-]+)?$/.test(word));

/** JSON with comments and commas before a closing bracket, as JSON. */
const plain = (content: string): string =>
  content
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? ' ')
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? '');

/**
 * The servers of a TOML file, as such files are written: a table each, under it keys with strings and lists of strings.
 * This is no reader of TOML: what else a file holds is passed over, right or wrong.
 */
function tomlServers(content: string): [name: string, fields: Fields][] {
  const servers = new Map<string, Fields>();
  let table: Fields | null = null;
  // A list may go over several lines.
  for (const line of content.replace(/\[\s*\n[^\]]*\]/g, (list) => list.replace(/(#.*)?\n/g, ' ')).split('\n')) {
    const head = /^\s*\[\s*([^\]]+?)\s*\]\s*(#.*)?$/.exec(line);
    if (head) {
      const [first, name, ...rest] = tomlKey(head[1]!);
      table = null;
      if (first !== 'mcp_servers' || name === undefined) continue;
      const server = servers.get(name) ?? {};
      servers.set(name, server);
      table = rest.reduce(tableIn, server);
      continue;
    }
    const pair = /^\s*([\w"'.-]+)\s*=\s*(.+?)\s*$/.exec(line);
    if (table === null || !pair) continue;
    const keys = tomlKey(pair[1]!);
    const last = keys.pop()!;
    const inner = keys.reduce(tableIn, table);
    inner[last] = tomlValue(pair[2]!);
  }
  return [...servers];
}

/** The table of that name, made where it is not there yet. */
function tableIn(fields: Fields, name: string): Fields {
  const standing = fields[name];
  if (isFields(standing)) return standing;
  const made: Fields = {};
  fields[name] = made;
  return made;
}

const tomlKey = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(([, basic, literal, bare]) => basic ?? literal ?? bare!);

const TOML_STRING = /"((?:\\.|[^"\\])*)"|'([^']*)'/g;

/** A string, a list of strings, a table of strings on one line, true or false; undefined for anything else. */
function tomlValue(text: string): unknown {
  if (text.startsWith('[')) return strings(text);
  if (text.startsWith('{'))
    return Object.fromEntries(
      [...text.matchAll(/([\w-]+)\s*=\s*("(?:\\.|[^"\\])*"|'[^']*')/g)].map(([, key, value]) => [
        key,
        strings(value!)[0],
      ]),
    );
  if (/^["']/.test(text)) return strings(text)[0];
  const word = /^(true|false)\b/.exec(text)?.[1];
  return word === undefined ? undefined : word === 'true';
}

const strings = (text: string): string[] =>
  [...text.matchAll(TOML_STRING)].map(([, basic, literal]) =>
    literal === undefined ? (JSON.parse(`"${basic!}"`) as string) : literal,
  );

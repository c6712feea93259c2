import type { Fields } from '../doctor/client-entries.ts';
import type { ClientId } from '../doctor/client-files.ts';
import type { Started } from './started.ts';

/** How a program writes that a server is started. */
interface Dialect {
  /** The fields that stand in every entry. */
  fields(command: string, args: readonly string[]): Fields;
  /** Where the variables stand that the server is given. */
  readonly variables: 'env' | 'environment' | 'env_vars';
  /** Names a variable of the program's own surroundings as a value; null where it has no way to. */
  readonly refer: ((variable: string) => string) | null;
}

const plain = (command: string, args: readonly string[]): Fields => ({ command, args });
const typed = (command: string, args: readonly string[]): Fields => ({ type: 'stdio', command, args });

/** Sources: the manuals of the programs, as in clientFiles. */
const DIALECTS: Readonly<Record<ClientId, Dialect>> = {
  'claude-desktop': { fields: plain, variables: 'env', refer: null },
  // Without a default, a variable that is not set is given as it is written.
  'claude-code': { fields: typed, variables: 'env', refer: (name) => `\${${name}:-}` },
  // A list of the names that are handed on.
  codex: { fields: plain, variables: 'env_vars', refer: (name) => name },
  gemini: { fields: plain, variables: 'env', refer: (name) => `$${name}` },
  cursor: { fields: typed, variables: 'env', refer: (name) => `\${env:${name}}` },
  vscode: { fields: typed, variables: 'env', refer: (name) => `\${env:${name}}` },
  opencode: {
    fields: (command, args) => ({ type: 'local', command: [command, ...args] }),
    variables: 'environment',
    refer: (name) => `{env:${name}}`,
  },
};

/** Whether a program can name a variable in its file, so that its value need not stand there. */
export const keepsSecretsOut = (client: ClientId): boolean => DIALECTS[client].refer !== null;

/** The entry of a server. A secret that has to stand in the file and is not known here is left out. */
export function entryFor(client: ClientId, { command, args, secrets }: Started): Fields {
  const { fields, variables, refer } = DIALECTS[client];
  const names = Object.keys(secrets).filter((name) => refer !== null || secrets[name] !== null);
  if (names.length === 0) return fields(command, args);
  const given =
    variables === 'env_vars'
      ? names
      : Object.fromEntries(names.map((name) => [name, refer === null ? secrets[name] : refer(name)]));
  return { ...fields(command, args), [variables]: given };
}

/** Whether a variable of an entry was written by us, or would be read as if it were. */
const isOurs = (variable: string): boolean =>
  /^ACEQUIA_(DB|REMOTE_URL|API_KEY|TOOLSETS|READ_ONLY|LANG|LOG_LEVEL)$/.test(variable);

/**
 * An entry anew, with what else a person has put into the one that stands: other fields, and variables that are not
 * settings of ours.
 */
export function entryKeeping(standing: Fields, entry: Fields): Fields {
  const ours = ['type', 'command', 'args', 'env', 'environment', 'env_vars'];
  const others = Object.fromEntries(Object.entries(standing).filter(([name]) => !ours.includes(name)));
  const merged: Record<string, unknown> = { ...entry, ...others };
  for (const name of ['env', 'environment'] as const) {
    const variables = { ...keptVariables(standing[name]), ...(entry[name] as Fields | undefined) };
    if (Object.keys(variables).length > 0) merged[name] = variables;
  }
  const handedOn = [...new Set([...keptNames(standing.env_vars), ...keptNames(entry.env_vars, () => true)])];
  if (handedOn.length > 0) merged.env_vars = handedOn;
  return merged;
}

const keptVariables = (standing: unknown): Fields =>
  Object.fromEntries(Object.entries(standing ?? {}).filter(([name]) => !isOurs(name)));

const keptNames = (standing: unknown, isKept = (name: string): boolean => !isOurs(name)): unknown[] =>
  Array.isArray(standing) ? standing.filter((name) => typeof name !== 'string' || isKept(name)) : [];

import type { EntryFields } from './client-entries.ts';
import type { ClientId } from './client-files.ts';
import type { LaunchCommand } from './launch-command.ts';

/** How a program writes that a server is started. */
interface EntryFormat {
  /** The fields that stand in every entry. */
  fields(command: string, args: readonly string[]): EntryFields;
  /** Where the variables stand that the server is given. */
  readonly variables: 'env' | 'environment' | 'env_vars';
  /** Names a variable of the program's own surroundings as a value; null where it has no way to. */
  readonly reference: ((variable: string) => string) | null;
}

const plain = (command: string, args: readonly string[]): EntryFields => ({ command, args });
const typed = (command: string, args: readonly string[]): EntryFields => ({ type: 'stdio', command, args });

/** Sources: the manuals of the programs, as in clientFiles. */
const ENTRY_FORMATS: Readonly<Record<ClientId, EntryFormat>> = {
  'claude-desktop': { fields: plain, variables: 'env', reference: null },
  // Without a default, a variable that is not set is given as it is written.
  'claude-code': { fields: typed, variables: 'env', reference: (name) => `\${${name}:-}` },
  // A list of the names that are handed on.
  codex: { fields: plain, variables: 'env_vars', reference: (name) => name },
  gemini: { fields: plain, variables: 'env', reference: (name) => `$${name}` },
  cursor: { fields: typed, variables: 'env', reference: (name) => `\${env:${name}}` },
  vscode: { fields: typed, variables: 'env', reference: (name) => `\${env:${name}}` },
  opencode: {
    fields: (command, args) => ({ type: 'local', command: [command, ...args] }),
    variables: 'environment',
    reference: (name) => `{env:${name}}`,
  },
};

/** Whether a program can name a variable in its file, so that its value need not stand there. */
export const canReferenceVariables = (client: ClientId): boolean => ENTRY_FORMATS[client].reference !== null;

/** The entry of a server. A secret that has to stand in the file and is not known here is left out. */
export function buildEntry(client: ClientId, { command, args, secrets }: LaunchCommand): EntryFields {
  const { fields, variables, reference } = ENTRY_FORMATS[client];
  const names = Object.keys(secrets).filter((name) => reference !== null || secrets[name] !== null);
  if (names.length === 0) return fields(command, args);
  const variableFields =
    variables === 'env_vars'
      ? names
      : Object.fromEntries(names.map((name) => [name, reference === null ? secrets[name] : reference(name)]));
  return { ...fields(command, args), [variables]: variableFields };
}

/** Whether a variable of an entry was written by us, or would be read as if it were. */
const isOwnVariable = (variable: string): boolean =>
  /^ACEQUIA_(DB|REMOTE_URL|API_KEY|TOOLSETS|READ_ONLY|LANG|LOG_LEVEL)$/.test(variable);

/**
 * An entry anew, with what else a person has put into the one that stands: other fields, and variables that are not
 * settings of ours.
 */
export function mergeEntry(existing: EntryFields, entry: EntryFields): EntryFields {
  const ours = ['type', 'command', 'args', 'env', 'environment', 'env_vars'];
  const others = Object.fromEntries(Object.entries(existing).filter(([name]) => !ours.includes(name)));
  const merged: Record<string, unknown> = { ...entry, ...others };
  for (const name of ['env', 'environment'] as const) {
    const variables = { ...foreignVariables(existing[name]), ...(entry[name] as EntryFields | undefined) };
    if (Object.keys(variables).length > 0) merged[name] = variables;
  }
  const forwarded = [...new Set([...foreignNames(existing.env_vars), ...foreignNames(entry.env_vars, () => true)])];
  if (forwarded.length > 0) merged.env_vars = forwarded;
  return merged;
}

const foreignVariables = (existing: unknown): EntryFields =>
  Object.fromEntries(Object.entries(existing ?? {}).filter(([name]) => !isOwnVariable(name)));

const foreignNames = (existing: unknown, isKept = (name: string): boolean => !isOwnVariable(name)): unknown[] =>
  Array.isArray(existing) ? existing.filter((name) => typeof name !== 'string' || isKept(name)) : [];

import type { EntryFields } from './client-entries.ts';
import type { ClientId } from './client-files.ts';
import type { LaunchCommand } from './launch-command.ts';

interface EntryFormat {
  fields(command: string, args: readonly string[]): EntryFields;
  readonly variables: 'env' | 'environment' | 'env_vars';
  readonly reference: ((variable: string) => string) | null;
}

const plain = (command: string, args: readonly string[]): EntryFields => ({ command, args });
const typed = (command: string, args: readonly string[]): EntryFields => ({ type: 'stdio', command, args });

/** Sources: the manuals of the clients, as in clientFiles. */
const ENTRY_FORMATS: Readonly<Record<ClientId, EntryFormat>> = {
  'claude-desktop': { fields: plain, variables: 'env', reference: null },
  // Without a default, an unset variable would be passed on literally.
  'claude-code': { fields: typed, variables: 'env', reference: (name) => `\${${name}:-}` },
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

export const canReferenceVariables = (client: ClientId): boolean => ENTRY_FORMATS[client].reference !== null;

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

const isOwnVariable = (variable: string): boolean =>
  /^ACEQUIA_(DB|REMOTE_URL|API_KEY|TOOLSETS|READ_ONLY|LANG|LOG_LEVEL)$/.test(variable);

/** Keeps what a person added to the existing entry: other fields, and variables that are not our settings. */
export function mergeEntry(existing: EntryFields, entry: EntryFields): EntryFields {
  const ownFields = ['type', 'command', 'args', 'env', 'environment', 'env_vars'];
  const others = Object.fromEntries(Object.entries(existing).filter(([name]) => !ownFields.includes(name)));
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

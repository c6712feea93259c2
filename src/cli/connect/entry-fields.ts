import type { EntryFields } from './client-entries.ts';
import type { ClientId } from './client-files.ts';
import type { LaunchCommand } from './launch-command.ts';

interface EntryFormat {
  fields(command: string, args: readonly string[]): EntryFields;
  /** Field that holds the variables; `env_vars` lists only their names. */
  readonly variables: 'env' | 'environment' | 'env_vars';
  /** How the entry refers to a variable of the client’s environment; null if it can hold only values. */
  readonly reference: ((variable: string) => string) | null;
}

const untypedFields = (command: string, args: readonly string[]): EntryFields => ({
  command,
  args,
});
const stdioFields = (command: string, args: readonly string[]): EntryFields => ({
  type: 'stdio',
  command,
  args,
});

/** Sources: the manuals of the clients, as in clientFiles. */
const ENTRY_FORMATS: Readonly<Record<ClientId, EntryFormat>> = {
  'claude-desktop': { fields: untypedFields, variables: 'env', reference: null },
  // Without a default, an unset variable would be passed on literally.
  'claude-code': { fields: stdioFields, variables: 'env', reference: (name) => `\${${name}:-}` },
  codex: { fields: untypedFields, variables: 'env_vars', reference: (name) => name },
  gemini: { fields: untypedFields, variables: 'env', reference: (name) => `$${name}` },
  cursor: { fields: stdioFields, variables: 'env', reference: (name) => `\${env:${name}}` },
  vscode: { fields: stdioFields, variables: 'env', reference: (name) => `\${env:${name}}` },
  opencode: {
    fields: (command, args) => ({ type: 'local', command: [command, ...args] }),
    variables: 'environment',
    reference: (name) => `{env:${name}}`,
  },
};

export const canReferenceVariables = (client: ClientId): boolean =>
  ENTRY_FORMATS[client].reference !== null;

/** False for clients whose entry only refers to variables. */
export const holdsSecretValues = (client: ClientId, { secrets }: LaunchCommand): boolean =>
  !canReferenceVariables(client) && Object.values(secrets).some((value) => value !== null);

export function buildEntry(
  client: ClientId,
  { command, args, secrets }: LaunchCommand,
): EntryFields {
  const { fields, variables, reference } = ENTRY_FORMATS[client];
  // A secret that is unknown here can only be referred to.
  const names = Object.keys(secrets).filter((name) => reference !== null || secrets[name] !== null);
  if (names.length === 0) return fields(command, args);

  const variableFields =
    variables === 'env_vars'
      ? names
      : Object.fromEntries(
          names.map((name) => [name, reference === null ? secrets[name] : reference(name)]),
        );

  return { ...fields(command, args), [variables]: variableFields };
}

/**
 * Keeps what a person added to the existing entry: other fields, and variables that are not our
 * settings.
 */
export function mergeEntry(existing: EntryFields, entry: EntryFields): EntryFields {
  const addedFields = Object.fromEntries(
    Object.entries(existing).filter(([name]) => !WRITTEN_FIELDS.includes(name)),
  );
  const merged: Record<string, unknown> = { ...entry, ...addedFields };

  for (const name of ['env', 'environment'] as const) {
    const variables = {
      ...addedVariables(existing[name]),
      ...(entry[name] as EntryFields | undefined),
    };
    if (Object.keys(variables).length > 0) merged[name] = variables;
  }

  const addedNames = listIn(existing.env_vars).filter((name) => !isAcequiaVariable(name));
  const names = [...new Set([...addedNames, ...listIn(entry.env_vars)])];
  if (names.length > 0) merged.env_vars = names;

  return merged;
}

const WRITTEN_FIELDS = ['type', 'command', 'args', 'env', 'environment', 'env_vars'];

const addedVariables = (existing: unknown): EntryFields =>
  Object.fromEntries(Object.entries(existing ?? {}).filter(([name]) => !isAcequiaVariable(name)));

const isAcequiaVariable = (name: unknown): boolean =>
  typeof name === 'string' &&
  /^ACEQUIA_(DB|REMOTE_URL|API_KEY|TOOLSETS|READ_ONLY|LANG|LOG_LEVEL)$/.test(name);

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

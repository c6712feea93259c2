import type { Environment } from '../process/environment.ts';
import type { EntryFields } from './client-entries.ts';
import { type ClientFile, type ClientId, DEFAULT_ENTRY_NAME } from './client-files.ts';
import type { LaunchCommand } from './launch-command.ts';

interface EntryFormat {
  fields(command: string, args: readonly string[]): EntryFields;
  /** Field that holds the variables. */
  readonly variables: 'env' | 'environment';
  /** Field that lists variables which the client passes on under their own names. */
  readonly passed?: 'env_vars';
  /** How the entry refers to a variable of the client’s environment; null if it can hold only values. */
  readonly reference: ((variable: string) => string) | null;
  /** What the client takes for a reference, with the name as its only group; unset without one. */
  readonly referencePattern?: RegExp;
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

/** Of Cursor and VS Code. */
const ENV_REFERENCE = /\$\{env:(\w+)\}/g;

/** Sources: the manuals of the clients, as in clientFiles. */
const ENTRY_FORMATS: Readonly<Record<ClientId, EntryFormat>> = {
  'claude-desktop': { fields: untypedFields, variables: 'env', reference: null },
  // Without a default, an unset variable would be passed on literally.
  'claude-code': {
    fields: stdioFields,
    variables: 'env',
    reference: (name) => `\${${name}:-}`,
    referencePattern: /\$\{(\w+)(?::-)?\}/g,
  },
  codex: { fields: untypedFields, variables: 'env', passed: 'env_vars', reference: null },
  gemini: {
    fields: untypedFields,
    variables: 'env',
    reference: (name) => `$${name}`,
    referencePattern: /\$\{?(\w+)\}?/g,
  },
  cursor: {
    fields: stdioFields,
    variables: 'env',
    reference: (name) => `\${env:${name}}`,
    referencePattern: ENV_REFERENCE,
  },
  vscode: {
    fields: stdioFields,
    variables: 'env',
    reference: (name) => `\${env:${name}}`,
    referencePattern: ENV_REFERENCE,
  },
  opencode: {
    fields: (command, args) => ({ type: 'local', command: [command, ...args] }),
    variables: 'environment',
    reference: (name) => `{env:${name}}`,
    referencePattern: /\{env:(\w+)\}/g,
  },
};

type EntryIdentity = Pick<ClientFile, 'id' | 'entryName'>;

/**
 * The variable of the client's environment that an entry refers to. Entries for several farms have
 * one each for what chooses the farm.
 */
export const variableOfEntry = ({ entryName }: EntryIdentity, variable: string): string =>
  entryName === DEFAULT_ENTRY_NAME || !variable.startsWith('ACEQUIA_')
    ? variable
    : `${variable}_${entryName.toUpperCase().replaceAll('-', '_')}`;

export function canReferToVariable(entry: EntryIdentity, variable: string): boolean {
  const { reference, passed } = ENTRY_FORMATS[entry.id];
  const keepsName = variableOfEntry(entry, variable) === variable;
  return reference !== null || (passed !== undefined && keepsName);
}

/** `value` of a variable of an entry, as the client passes it on: with what it refers to. */
export function passedValue(client: ClientId, value: string, outer: Environment): string {
  const { referencePattern } = ENTRY_FORMATS[client];
  if (referencePattern === undefined) return value;
  return value.replace(referencePattern, (_, name: string) => outer[name] ?? '');
}

/** The names of the variables that `value` refers to. */
export function referredNames(client: ClientId, value: string): string[] {
  const { referencePattern } = ENTRY_FORMATS[client];
  if (referencePattern === undefined) return [];
  return [...value.matchAll(referencePattern)].flatMap(([, name]) => name ?? []);
}

/** False if the entry only refers to variables. */
export const holdsSecretValues = (entry: EntryIdentity, { secrets }: LaunchCommand): boolean =>
  Object.entries(secrets).some(
    ([name, value]) => value !== null && !canReferToVariable(entry, name),
  );

export function buildEntry(
  entry: EntryIdentity,
  { command, args, secrets }: LaunchCommand,
): EntryFields {
  const { fields, variables, passed, reference } = ENTRY_FORMATS[entry.id];
  const names = Object.keys(secrets);
  const passedNames = passed ? names.filter((name) => canReferToVariable(entry, name)) : [];

  const values: Record<string, string> = {};
  for (const name of names.filter((each) => !passedNames.includes(each))) {
    const value = reference ? reference(variableOfEntry(entry, name)) : secrets[name];
    if (value != null) values[name] = value;
  }

  const entryFields: Record<string, unknown> = { ...fields(command, args) };
  if (Object.keys(values).length > 0) entryFields[variables] = values;
  if (passed && passedNames.length > 0) entryFields[passed] = passedNames;
  return entryFields;
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

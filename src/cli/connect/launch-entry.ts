import { mayHoldPassword } from '../../store/store-location.ts';
import type { SettingSources, Settings } from '../process/settings.ts';
import type { EntryFields } from './client-entries.ts';
import type { ClientId } from './client-files.ts';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Values that must not be on a command line, by variable; null if unknown here. */
  readonly secrets: Readonly<Record<string, string | null>>;
}

interface CurrentProgram {
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  readonly program: string;
}

export function buildLaunchCommand(
  settings: Settings,
  sources: SettingSources,
  running: CurrentProgram,
): LaunchCommand {
  const { db, remote, apiKey } = settings;
  const hidesDb = remote === null && sources.db !== undefined && mayHoldPassword(db);
  const secrets: Record<string, string | null> = {};
  if (hidesDb) secrets.ACEQUIA_DB = db;
  if (remote !== null || apiKey !== null) secrets.ACEQUIA_API_KEY = apiKey;

  const [command, ...args] = programCommand(running);
  return {
    command,
    args: [...args, ...launchOptions(settings, sources, hidesDb)],
    secrets,
  };
}

/**
 * npx may delete the folder that it runs a package from, so the entry asks npx for the package
 * again.
 */
export function programCommand({
  platform,
  execPath,
  program,
}: CurrentProgram): [command: string, ...args: string[]] {
  if (!/[\\/]_npx[\\/]/.test(program)) return [execPath, program];
  if (platform === 'win32') return ['cmd', '/c', 'npx', '-y', 'acequia-mcp'];
  return ['npx', '-y', 'acequia-mcp'];
}

function launchOptions(
  { db, remote, toolFilter, lang, logLevel }: Settings,
  sources: SettingSources,
  hidesDb: boolean,
): string[] {
  const { toolsets, isReadOnly } = toolFilter;
  const options: string[] = [];
  if (remote !== null) options.push('--remote', remote);
  else if (sources.db !== undefined && !hidesDb) options.push('--db', db);

  if (toolsets !== null) options.push('--toolsets', toolsets.join(','));
  if (isReadOnly) options.push('--read-only');
  if (lang !== undefined) options.push('--lang', lang);
  if (sources.logLevel !== undefined) options.push('--log-level', logLevel);

  return options;
}

interface EntryFormat {
  fields(command: string, args: readonly string[]): EntryFields;
  /** Field that holds the variables; `env_vars` lists only their names. */
  readonly variables: 'env' | 'environment' | 'env_vars';
  /** How the entry refers to a variable of the client; null if it can hold only values. */
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

export function buildEntry(
  client: ClientId,
  { command, args, secrets }: LaunchCommand,
): EntryFields {
  const { fields, variables, reference } = ENTRY_FORMATS[client];
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

const isOwnVariable = (variable: string): boolean =>
  /^ACEQUIA_(DB|REMOTE_URL|API_KEY|TOOLSETS|READ_ONLY|LANG|LOG_LEVEL)$/.test(variable);

/**
 * Keeps what a person added to the existing entry: other fields, and variables that are not our
 * settings.
 */
export function mergeEntry(existing: EntryFields, entry: EntryFields): EntryFields {
  const ownFields = ['type', 'command', 'args', 'env', 'environment', 'env_vars'];
  const others = Object.fromEntries(
    Object.entries(existing).filter(([name]) => !ownFields.includes(name)),
  );
  const merged: Record<string, unknown> = { ...entry, ...others };

  for (const name of ['env', 'environment'] as const) {
    const variables = {
      ...foreignVariables(existing[name]),
      ...(entry[name] as EntryFields | undefined),
    };
    if (Object.keys(variables).length > 0) merged[name] = variables;
  }

  const forwarded = [
    ...new Set([...listIn(existing.env_vars).filter(isForeignName), ...listIn(entry.env_vars)]),
  ];
  if (forwarded.length > 0) merged.env_vars = forwarded;

  return merged;
}

const foreignVariables = (existing: unknown): EntryFields =>
  Object.fromEntries(Object.entries(existing ?? {}).filter(([name]) => !isOwnVariable(name)));

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const isForeignName = (name: unknown): boolean => typeof name !== 'string' || !isOwnVariable(name);

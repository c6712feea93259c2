import { isServerUrl, mayHoldPassword } from '../../store/store-location.ts';
import { DATABASE_VARIABLE, type Environment, KEY_VARIABLE } from '../process/environment.ts';
import { realLocation } from '../process/output-file.ts';
import { RefusalInWords } from '../process/refusal-in-words.ts';
import type { SettingSources, Settings } from '../process/settings.ts';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Values that must not be on a command line, by variable; null if this process does not know it. */
  readonly secrets: Readonly<Record<string, string | null>>;
}

/** How this process was started. */
interface CurrentProgram {
  readonly env: Environment;
  readonly execPath: string;
  readonly program: string;
}

export function buildLaunchCommand(
  settings: Settings,
  sources: SettingSources,
  { execPath, program, env }: CurrentProgram,
): LaunchCommand {
  const { db, remote, apiKey } = settings;
  const isDbSecret = remote === null && sources.db !== undefined && mayHoldPassword(db);
  const secrets: Record<string, string | null> = {};
  if (isDbSecret) secrets.ACEQUIA_DB = db;
  if (remote === null) Object.assign(secrets, databaseVariables(db, env));
  if (remote !== null || apiKey !== null) secrets[KEY_VARIABLE] = apiKey;

  assertKeptProgram(program);
  return {
    command: execPath,
    args: [program, ...launchOptions(settings, sources, isDbSecret)],
    secrets,
  };
}

/**
 * The variables that log in to PostgreSQL here: an assistant has none of the variables of this
 * shell.
 */
export function databaseVariables(db: string, env: Environment): Record<string, string> {
  if (!isServerUrl(db)) return {};
  const hasPassword = URL.canParse(db) && new URL(db).password !== '';
  return Object.fromEntries(
    Object.entries(env).filter(
      (variable): variable is [string, string] =>
        DATABASE_VARIABLE.test(variable[0]) &&
        Boolean(variable[1]?.trim()) &&
        !(hasPassword && variable[0] === 'PGPASSWORD'),
    ),
  );
}

/** Throws for a program in a folder from which npx runs packages, because npx may delete it. */
export function assertKeptProgram(program: string): void {
  if (![program, realLocation(program)].some((path) => /[\\/]_npx[\\/]/.test(path))) return;
  throw new RefusalInWords({ code: 'NOT_INSTALLED' }, ({ connection }) =>
    connection.refusals.folderOfNpx(program),
  );
}

function launchOptions(
  { db, remote, toolFilter, lang, clockStartsAt, logLevel }: Settings,
  sources: SettingSources,
  isDbSecret: boolean,
): string[] {
  const { toolsets, isReadOnly } = toolFilter;
  const options: string[] = [];
  if (remote !== null) options.push('--remote', remote);
  else if (sources.db !== undefined && !isDbSecret) options.push('--db', db);

  if (toolsets !== null) options.push('--toolsets', toolsets.join(','));
  if (isReadOnly) options.push('--read-only');
  if (lang !== undefined) options.push('--lang', lang);
  if (clockStartsAt !== null) options.push('--clock', new Date(clockStartsAt).toISOString());
  if (sources.logLevel !== undefined) options.push('--log-level', logLevel);

  return options;
}

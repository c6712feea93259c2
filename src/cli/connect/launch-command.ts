import { mayHoldPassword } from '../../store/store-location.ts';
import type { SettingSources, Settings } from '../process/settings.ts';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Values that must not be on a command line, by variable; null if this process does not know it. */
  readonly secrets: Readonly<Record<string, string | null>>;
}

/** How this process was started. */
interface CurrentProgram {
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  readonly program: string;
}

export function buildLaunchCommand(
  settings: Settings,
  sources: SettingSources,
  program: CurrentProgram,
): LaunchCommand {
  const { db, remote, apiKey } = settings;
  const isDbSecret = remote === null && sources.db !== undefined && mayHoldPassword(db);
  const secrets: Record<string, string | null> = {};
  if (isDbSecret) secrets.ACEQUIA_DB = db;
  if (remote !== null || apiKey !== null) secrets.ACEQUIA_API_KEY = apiKey;

  const [command, ...args] = programCommand(program);
  return {
    command,
    args: [...args, ...launchOptions(settings, sources, isDbSecret)],
    secrets,
  };
}

/** npx may delete such a folder. */
export const isInNpxFolder = (path: string): boolean => /[\\/]_npx[\\/]/.test(path);

/**
 * npx may delete the folder that it runs a package from, so the entry asks npx for the package
 * again.
 */
export function programCommand({
  platform,
  execPath,
  program,
}: CurrentProgram): [command: string, ...args: string[]] {
  if (!isInNpxFolder(program)) return [execPath, program];
  if (platform === 'win32') return ['cmd', '/c', 'npx', '-y', 'acequia-mcp'];
  return ['npx', '-y', 'acequia-mcp'];
}

function launchOptions(
  { db, remote, toolFilter, lang, logLevel }: Settings,
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
  if (sources.logLevel !== undefined) options.push('--log-level', logLevel);

  return options;
}

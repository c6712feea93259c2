import { isPostgresUrl } from '../../store/store-location.ts';
import type { SettingSources, Settings } from '../process/settings.ts';

export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Values that must not stand on a command line, by variable; null when unknown here. */
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
  const hidesDb = remote === null && sources.db !== undefined && containsSecret(db);
  const [command, ...args] = programCommand(running);
  return {
    command: command!,
    args: [...args, ...launchOptions(settings, sources, hidesDb)],
    secrets: {
      ...(hidesDb && { ACEQUIA_DB: db }),
      ...((remote !== null || apiKey !== null) && { ACEQUIA_API_KEY: apiKey }),
    },
  };
}

/** npx may delete the folder that it runs a package from, so the entry asks npx for the package again. */
export function programCommand({ platform, execPath, program }: CurrentProgram): string[] {
  if (!/[\\/]_npx[\\/]/.test(program)) return [execPath, program];
  const line = ['npx', '-y', 'acequia-mcp'];
  return platform === 'win32' ? ['cmd', '/c', ...line] : line;
}

function launchOptions(
  { db, remote, toolFilter, lang, logLevel }: Settings,
  sources: SettingSources,
  hidesDb: boolean,
): string[] {
  const { toolsets, isReadOnly } = toolFilter;
  return [
    ...(remote === null ? [] : ['--remote', remote]),
    ...(remote === null && sources.db !== undefined && !hidesDb ? ['--db', db] : []),
    ...(toolsets === null ? [] : ['--toolsets', toolsets.join(',')]),
    ...(isReadOnly ? ['--read-only'] : []),
    ...(lang === undefined ? [] : ['--lang', lang]),
    ...(sources.logLevel === undefined ? [] : ['--log-level', logLevel]),
  ];
}

/** A URL may carry its password before the host or as any of many parameters. */
const containsSecret = (db: string): boolean =>
  isPostgresUrl(db) && (!URL.canParse(db) || new URL(db).password !== '' || new URL(db).search !== '');

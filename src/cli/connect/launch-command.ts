import { isPostgresUrl } from '../../store/store-location.ts';
import type { SettingSources, Settings } from '../process/settings.ts';

/** What an assistant's program starts, and what it has to give to it. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** What must not stand on a line, by its variable; null where it is not known here. */
  readonly secrets: Readonly<Record<string, string | null>>;
}

interface CurrentProgram {
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  /** The file that runs now. */
  readonly program: string;
}

/** How the program that runs now is started again, with the settings that were said. */
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

/** npx may empty the folder that it runs a package from, so it is asked to find the package again. */
function programCommand({ platform, execPath, program }: CurrentProgram): string[] {
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

/** A database may be told its password before the host or among the parameters, where there is no end of names for it. */
const containsSecret = (db: string): boolean =>
  isPostgresUrl(db) && (!URL.canParse(db) || new URL(db).password !== '' || new URL(db).search !== '');

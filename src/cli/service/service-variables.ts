import type { Command, Option } from 'commander';
import { isServerUrl } from '../../store/store-location.ts';
import { isOff } from '../backups/backup-settings.ts';
import { mqttOptions } from '../ingest/ingest-command.ts';
import type { Variables } from '../process/env-file.ts';
import { DATABASE_VARIABLE, VARIABLES_OF_A_SERVICE } from '../process/environment.ts';
import { parsePath } from '../process/option-parsers.ts';
import { READ_ONLY_VARIABLE, type SettingSources, type Settings } from '../process/settings.ts';
import { serveOptions } from '../serve/serve-command.ts';

export const serviceOptions = (): Option[] => [...serveOptions(), ...mqttOptions()];

/** A service starts in another folder than the command that installs it. */
const PATH_VARIABLES: readonly string[] = [
  'ACEQUIA_INGEST_MAPS',
  'ACEQUIA_MQTT_MAP',
  'ACEQUIA_MQTT_DEVICES',
];

const TRACING_VARIABLE = /^OTEL_[A-Z_]+$/;

/**
 * The settings of the command line and the environment of this process, as variables of the
 * service. Without `ACEQUIA_DB` if neither names a store.
 */
export const collectVariables = (
  settings: Settings,
  sources: SettingSources,
  command: Command,
): Variables => ({
  ...variablesOfEnvironment(settings.db),
  ...variablesOfOptions(command),
  ...variablesOfSettings(settings, sources),
});

function variablesOfEnvironment(db: string): Variables {
  const names = new Set<string>([
    ...serviceOptions().flatMap(({ envVar }) => envVar ?? []),
    ...VARIABLES_OF_A_SERVICE,
  ]);
  const isOfService = (name: string): boolean =>
    names.has(name) ||
    TRACING_VARIABLE.test(name) ||
    (isServerUrl(db) && DATABASE_VARIABLE.test(name));

  const variables: Record<string, string> = {};
  for (const [name, value = ''] of Object.entries(process.env))
    if (isOfService(name) && value.trim() !== '')
      variables[name] = isPath(name, value) ? parsePath(value) : value;

  return variables;
}

const isPath = (name: string, value: string): boolean =>
  PATH_VARIABLES.includes(name) || (name === 'ACEQUIA_BACKUPS' && !isOff(value));

function variablesOfOptions(command: Command): Variables {
  const variables: Record<string, string> = {};
  for (const option of serviceOptions()) {
    const name = option.attributeName();
    if (option.envVar !== undefined && command.getOptionValueSource(name) === 'cli')
      variables[option.envVar] = formatValue(command.getOptionValue(name));
  }
  return variables;
}

const formatValue = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : String(value);

function variablesOfSettings(
  { db, lang, logLevel, toolFilter }: Settings,
  sources: SettingSources,
): Variables {
  const variables: Record<string, string> = {};
  if (sources.db !== undefined) variables.ACEQUIA_DB = db;
  if (lang !== undefined) variables.ACEQUIA_LANG = lang;
  if (sources.logLevel !== undefined) variables.ACEQUIA_LOG_LEVEL = logLevel;
  if (toolFilter.toolsets !== null) variables.ACEQUIA_TOOLSETS = toolFilter.toolsets.join(',');
  if (toolFilter.isReadOnly) variables[READ_ONLY_VARIABLE] = 'true';
  return variables;
}

import { parseBrokerAddress } from '../ingest/broker-address.ts';
import { loadMap } from '../ingest/map-options.ts';
import { readMailSettings } from '../mail/mail-settings.ts';
import { assertStoreExists } from '../process/command.ts';
import { formatEnvFile, parseEnvFile, type Variables } from '../process/env-file.ts';
import { readForecastAddress } from '../process/job-setup.ts';
import { splitList } from '../process/option-parsers.ts';
import { defaultDb } from '../process/settings.ts';
import {
  type Installation,
  KEPT_PROGRAMS,
  type KeptProgram,
  SERVICE_NAMES,
  type ServiceName,
  type ServicePlatform,
  type ServiceWords,
} from './platforms/service-platform.ts';
import { type FileChange, readServiceFile } from './service-files.ts';

/** Describes the service to be installed; reads files and writes none. */
export interface InstallPlan {
  readonly db: string;
  readonly variables: Variables;
  readonly names: readonly ServiceName[];
  readonly changes: readonly FileChange[];
}

interface InstallInput {
  readonly newVariables: Variables;
  readonly locate: (db: string) => Promise<Installation>;
  readonly words: ServiceWords;
}

const formatHeader = ({ settingsHeader }: ServiceWords): string =>
  settingsHeader.map((line) => `# ${line}\n`).join('');

/**
 * Variables that an earlier installation has, or a person added, stay unless they are given anew. A
 * file that says the same already stays as it is, with its comments.
 */
export async function planInstall(
  platform: ServicePlatform,
  { newVariables, locate, words }: InstallInput,
): Promise<InstallPlan> {
  const { envFile } = platform;
  const envText = await readServiceFile(envFile);
  const earlier = parseEnvFile(envText ?? '');
  const db = newVariables.ACEQUIA_DB ?? earlier.ACEQUIA_DB ?? defaultDb();
  const variables = { ...earlier, ...newVariables, ACEQUIA_DB: db };

  assertStoreExists(db);
  const programs = await neededPrograms(variables);
  const installation = await locate(db);
  const isSame = envText !== null && isEqual(earlier, variables);
  const environment: FileChange = {
    path: envFile,
    encoding: 'utf8',
    before: envText,
    after: isSame ? envText : formatHeader(words) + formatEnvFile(variables),
    isPrivate: true,
  };

  const definitions = await planDefinitions(platform, programs, { installation, words });
  const names = programs.map(({ name }) => name);
  return { db, variables, names, changes: [environment, ...definitions] };
}

/** Throws for settings with which a program would not start, or jobs would leave something out. */
async function neededPrograms(variables: Variables): Promise<KeptProgram[]> {
  readMailSettings(variables);
  readForecastAddress(variables);
  if (!(await hasBroker(variables))) return [KEPT_PROGRAMS.serve];
  return [KEPT_PROGRAMS.serve, KEPT_PROGRAMS.mqtt];
}

async function hasBroker({
  ACEQUIA_MQTT_URL: url,
  ACEQUIA_MQTT_PRESET: presets,
  ACEQUIA_MQTT_MAP: map,
  ACEQUIA_MQTT_DEVICES: devices,
  ACEQUIA_MQTT_TOPIC: topic,
}: Variables): Promise<boolean> {
  if (url === undefined && presets === undefined && map === undefined) return false;

  const preset = presets === undefined ? undefined : splitList(presets);
  const loaded = await loadMap({ preset, map, devices, topic });
  parseBrokerAddress(url ?? loaded.broker);
  return true;
}

/** A program that is no longer needed loses its definition. */
const planDefinitions = (
  platform: ServicePlatform,
  programs: readonly KeptProgram[],
  { installation, words }: { readonly installation: Installation; readonly words: ServiceWords },
): Promise<FileChange[]> =>
  Promise.all(
    SERVICE_NAMES.map(async (name) => {
      const program = programs.find((kept) => kept.name === name);
      const path = platform.definitionFile(name);
      const { encoding } = platform;
      return {
        path,
        encoding,
        before: await readServiceFile(path, encoding),
        after:
          program === undefined
            ? null
            : platform.definition({
                program,
                installation,
                description: words.descriptions[name],
              }),
        isPrivate: false,
      };
    }),
  );

const isEqual = (one: Variables, other: Variables): boolean =>
  Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);

/** Names of the services that have a definition. */
export async function installedNames(platform: ServicePlatform): Promise<ServiceName[]> {
  const texts = await Promise.all(
    SERVICE_NAMES.map((name) => readServiceFile(platform.definitionFile(name), platform.encoding)),
  );
  return SERVICE_NAMES.filter((_, index) => texts[index] !== null);
}

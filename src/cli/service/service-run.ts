import { DEFAULT_LANG } from '../../domain/lang.ts';
import { languageOf } from '../../language/index.ts';
import { plainInputError } from '../../schema/error.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { EXIT, reportRefusal } from '../process/command.ts';
import { parseEnvFile, type Variables } from '../process/env-file.ts';
import { formatWords, print, printError } from '../process/output.ts';
import { confirm, openTerminal } from '../process/terminal.ts';
import { installedNames } from './install-plan.ts';
import { lingers } from './install-run.ts';
import { readLogLines } from './keeper/log-file.ts';
import {
  managerHint,
  type ServiceName,
  type ServicePlatform,
} from './platforms/service-platform.ts';
import { answersSoon, formatAddress, isAnswering, serviceAddress } from './service-address.ts';
import { applyChange, type FileChange, readServiceFile } from './service-files.ts';
import { platformOf } from './service-installation.ts';
import { servicesState } from './service-state.ts';
import { queryCommand, runCommands } from './system-command.ts';

const ENGLISH = languageOf(DEFAULT_LANG).service;

export interface ServiceOptions {
  readonly system?: boolean;
}

interface InstalledService {
  readonly platform: ServicePlatform;
  readonly names: readonly [ServiceName, ...ServiceName[]];
  readonly isSystem: boolean;
  readonly envText: string | null;
}

/** The service of this user, or else of the system; null if none is installed. */
export async function installedService({
  system = false,
}: ServiceOptions): Promise<InstalledService | null> {
  const scopes = process.platform === 'linux' && !system ? [false, true] : [system];
  for (const isSystem of scopes) {
    const platform = platformOf(process.platform, { isSystem });
    const [first, ...others] = await installedNames(platform);
    if (first === undefined) continue;

    // The file of a system-wide service can be read by its owner alone.
    const envText = await readServiceFile(platform.envFile).catch(() => null);
    return { platform, names: [first, ...others], isSystem, envText };
  }

  return null;
}

async function findService(options: ServiceOptions): Promise<InstalledService> {
  const service = await installedService(options);
  if (service) return service;

  throw plainInputError('NOT_INSTALLED', 'No service of Acequia is installed.', {
    hint: 'Install it with "acequia service install".',
  });
}

const withService = async (
  options: ServiceOptions,
  body: (service: InstalledService) => Promise<number>,
): Promise<number> => {
  try {
    return await body(await findService(options));
  } catch (error) {
    return reportRefusal(error);
  }
};

/** The exit code is 1 where something is off. */
export const runStatus = (options: ServiceOptions): Promise<number> =>
  withService(options, async ({ platform, names, isSystem, envText }) => {
    const states = await servicesState(platform, names);
    for (const { name, words } of states) print(`${name}: ${words}\n`);

    const isAnswered = await reportAnswer(variablesIn(envText), isAnswering);
    print(`Its settings: ${platform.envFile}\n`);
    if (!isAnswered || states.some(({ isOn }) => !isOn)) return EXIT.failed;

    print(`${ENGLISH.whenOn[platform.whenOn(isSystem ? null : await lingers())]}\n`);
    return EXIT.done;
  });

const variablesIn = (envText: string | null): Variables => parseEnvFile(envText ?? '');

async function reportAnswer(variables: Variables, answers: typeof isAnswering): Promise<boolean> {
  const address = serviceAddress(variables);
  if (address === null) return true;

  const isAnswered = await answers(address);
  const words = isAnswered ? 'It answers on' : 'Nothing answers on';
  print(`${words} ${formatAddress(address)}.\n`);
  return isAnswered;
}

export const runLogs = (options: ServiceOptions & { readonly lines: number }): Promise<number> =>
  withService(options, async ({ platform, names }) => {
    const source = platform.log(names, options.lines);
    if (Array.isArray(source)) {
      for (const file of source) await printLog(file, options.lines);
      return EXIT.done;
    }

    const { code, stdout, stderr } = await queryCommand(source);
    print(stdout);
    if (code !== 0) printError(`"${formatWords(source.words)}" failed: ${stderr}`);
    return code === 0 ? EXIT.done : EXIT.failed;
  });

async function printLog(file: string, count: number): Promise<void> {
  const lines = await readLogLines(file, count);
  print(`${file}:\n${lines.map((line) => `${line}\n`).join('')}`);
}

export const runRestart = (options: ServiceOptions): Promise<number> =>
  withService(options, async ({ platform, names, envText }) => {
    await runCommands(platform.restart(names), managerHint(platform));
    const isAnswered = await reportAnswer(variablesIn(envText), answersSoon);
    return isAnswered ? EXIT.done : EXIT.failed;
  });

export const runRemove = (options: ServiceOptions & { readonly yes?: boolean }): Promise<number> =>
  withService(options, async ({ platform, names, envText }) => {
    const files = [...names.map(platform.definitionFile), platform.envFile];
    const { ACEQUIA_DB: db } = variablesIn(envText);
    print(`Turned off and deleted:\n${files.map((file) => `  ${file}\n`).join('')}`);
    print(`The farm stays${db === undefined ? '' : `: ${redactedLocation(db)}`}.\n`);
    if (!options.yes && !(await isConfirmed())) {
      printError('Nothing was changed. Use --yes to remove it without being asked.\n');
      return EXIT.failed;
    }

    await runCommands(platform.turnOff(names), managerHint(platform));
    for (const path of files) await applyChange(deletion(path), null);
    await runCommands(platform.afterRemoval, managerHint(platform));
    print('Acequia is no longer kept on.\n');

    return EXIT.done;
  });

const deletion = (path: string): FileChange => ({
  path,
  encoding: 'utf8',
  before: null,
  after: null,
  isPrivate: false,
});

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = openTerminal();
  try {
    return await confirm(terminal, 'Remove it?');
  } finally {
    terminal.close();
  }
}

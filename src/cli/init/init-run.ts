import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { quote } from '../../domain/text.ts';
import { installWithMail } from '../../language/alerts/notice-summary.ts';
import { AcequiaError, invalidInputError } from '../../schema/error.ts';
import type { FarmFile } from '../../schema/farm/farm-file.ts';
import { importFarm } from '../../service/farm/farm-import.ts';
import { allCompanies } from '../../store/company/companies.ts';
import { openStore, viewStore } from '../../store/store.ts';
import { isMissingFile, redactedLocation } from '../../store/store-location.ts';
import { CLIENT_NAMES, type ClientId, clientFiles } from '../connect/client-files.ts';
import { runConnect } from '../connect/connect-run.ts';
import { EXIT, reportRefusal } from '../process/command.ts';
import { expandHome } from '../process/option-parsers.ts';
import { print, printError } from '../process/output.ts';
import { assertNotStoreFile } from '../process/output-file.ts';
import { type SettingSources, type Settings, storeOption } from '../process/settings.ts';
import { confirm, openTerminal, type Terminal } from '../process/terminal.ts';
import { collectVariables } from '../service/service-variables.ts';
import { formatFarmReport } from '../store-commands/import-summary.ts';
import { interviewFarm } from './farm-interview.ts';
import { formatFarmOutline } from './farm-outline.ts';
import { offerService } from './service-offer.ts';
import { defaultTimeZone, systemCountry } from './system-locale.ts';

/**
 * The store is written by the one transaction of a farm import, after the last question about the
 * farm.
 */
export async function runInit(
  commandSettings: Settings,
  sources: SettingSources,
  command: Command,
): Promise<number> {
  // A store is written even where ACEQUIA_REMOTE_URL is set.
  const settings = { ...commandSettings, remote: null };
  const { db } = settings;
  const terminal = openTerminal();
  try {
    await assertNoFarm(db);
    printError(
      'Acequia asks about your farm. Enter accepts the value in brackets; Ctrl-C ends and writes nothing.\n\n',
    );

    const farm = await interviewFarm(terminal, {
      countryCode: systemCountry(process.env, process.platform),
      now: settings.clock(),
      timeZoneOf: defaultTimeZone,
    });
    printError(`\n${formatFarmOutline(farm)}`);
    if (!(await confirm(terminal, `Write this farm to ${redactedLocation(db)}?`, true))) {
      printError('Nothing was written.\n');
      return EXIT.failed;
    }

    print(formatFarmReport('acequia init', await writeFarm(farm, settings)));
    await offerFarmFile(terminal, farm, db);
    await offerAssistant(terminal, settings, sources);
    await offerService(terminal, {
      ...collectVariables(settings, sources, command),
      ACEQUIA_DB: db,
    });
    print(formatNextSteps(farm, storeOption(db)));

    return EXIT.done;
  } catch (error) {
    return reportRefusal(error);
  } finally {
    terminal.close();
  }
}

/** Creates nothing: a missing store is created with the farm. */
async function assertNoFarm(db: string): Promise<void> {
  if (isMissingFile(db)) return;

  const view = await viewStore(db);
  try {
    const [company] = view.state === 'current' ? await view.read(allCompanies) : [];
    if (company)
      throw invalidInputError(
        'STORE_HAS_FARM',
        `${redactedLocation(db)} already holds the farm ${quote(company.name)}.`,
        {
          hint: 'Tell the assistant what to change, or import a farm file. For another farm, name another store with --db.',
        },
      );
  } finally {
    await view.close();
  }
}

async function writeFarm(farm: FarmFile, { db, clock }: Settings) {
  try {
    const store = await openStore({ db });
    try {
      return await importFarm(store, formatFarmFile(farm), clock());
    } finally {
      await store.close();
    }
  } catch (error) {
    printError(
      'The farm could not be written. Your answers, to import with "acequia import" later:\n',
    );
    print(formatFarmFile(farm));
    throw error;
  }
}

const formatFarmFile = (farm: FarmFile): string => `${JSON.stringify(farm, null, 2)}\n`;

/** The end of input means no: the farm is already written. */
async function offerFarmFile(terminal: Terminal, farm: FarmFile, db: string): Promise<void> {
  for (;;) {
    const answer = await terminal.ask(
      'Save it as a farm file too, to change and import again? A file name (Enter for none): ',
    );
    const name = answer?.trim() ?? '';
    if (name === '' || /^(?:n|no|none|non|y|yes)$/i.test(name)) return;

    const file = resolve(expandHome(name));
    try {
      assertNotStoreFile(file, 'the farm file', [db]);
      await writeFile(file, formatFarmFile(farm), { flag: 'wx' });
      print(`${file} written.\n`);
      return;
    } catch (error) {
      if (error instanceof AcequiaError) printError(`${error.message}\n`);
      else if ((error as NodeJS.ErrnoException).code === 'EEXIST')
        printError(`${file} exists already.\n`);
      else printError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).\n`);
    }
  }
}

/** Clients whose configuration file or folder exists. */
function installedClients(): ClientId[] {
  const environment = { env: process.env, platform: process.platform, folder: process.cwd() };
  const home = resolve(expandHome('~'));
  // The home folder exists whether or not a client has its file there.
  const isInstalled = (path: string): boolean =>
    existsSync(path) || (dirname(path) !== home && existsSync(dirname(path)));
  const files = clientFiles(environment).filter(
    ({ scope, path }) => scope === 'user' && isInstalled(path),
  );
  return [...new Set(files.map(({ id }) => id))];
}

async function offerAssistant(
  terminal: Terminal,
  settings: Settings,
  sources: SettingSources,
): Promise<void> {
  const installed = installedClients();
  const known = Object.keys(CLIENT_NAMES);
  if (installed.length === 0) {
    print(
      `No assistant was found. Once one is installed: acequia connect CLIENT (${known.join(', ')}).\n`,
    );
    return;
  }

  for (;;) {
    const [first] = installed;
    const answer = await terminal.ask(
      `Connect an assistant (${installed.join(', ')}, or none) [${first}]: `,
    );
    const name = answer?.trim().toLowerCase() || first;
    if (answer === null || name === 'none' || name === 'n') return;

    const client = installed.find((id) => id === name || CLIENT_NAMES[id].toLowerCase() === name);
    if (client !== undefined) {
      await runConnect(client, {}, settings, sources, terminal);
      return;
    }

    printError(`Please give one of ${installed.join(', ')}, or none.\n`);
  }
}

function formatNextSteps({ modules = [], users = [] }: FarmFile, store: string): string {
  const [probe] = modules;
  const name = probe?.name;
  const sentence =
    name == null
      ? 'I have two probes in the olives.'
      : `I watered ${name} for 45 minutes, this morning at six.`;
  const readings =
    name == null
      ? ''
      : `Bring in readings:   acequia import${store} --module "${name}" readings.csv\n`;
  const mail =
    users.length === 0 || process.env.ACEQUIA_SMTP_URL
      ? ''
      : `For mail about alerts:   ${installWithMail(store)}\n`;
  return `\n${readings}${mail}Say to the assistant: "${sentence}"\n`;
}

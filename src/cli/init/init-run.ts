import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { firstOf } from '../../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { languageOf } from '../../language/index.ts';
import { saysYes } from '../../language/words/yes.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { FarmFile } from '../../schema/farm/farm-file.ts';
import { importFarm } from '../../service/farm/farm-import.ts';
import { allCompanies } from '../../store/company/companies.ts';
import { openStore, viewStore } from '../../store/store.ts';
import { isMissingFile, redactedLocation } from '../../store/store-location.ts';
import { CLIENT_NAMES, type ClientId, clientFiles } from '../connect/client-files.ts';
import { runConnect } from '../connect/connect-run.ts';
import { ownCommand } from '../connect/executable.ts';
import { EXIT } from '../process/command.ts';
import { expandHome } from '../process/option-parsers.ts';
import { print, printError } from '../process/output.ts';
import { assertNotStoreFile } from '../process/output-file.ts';
import { RefusalInWords, reportRefusalIn } from '../process/refusal-in-words.ts';
import { type SettingSources, type Settings, storeOption } from '../process/settings.ts';
import { confirm, openTerminal, type Terminal } from '../process/terminal.ts';
import { collectVariables } from '../service/service-variables.ts';
import { AnswerLog } from './answer-log.ts';
import { AnswerError, type Interview } from './answers.ts';
import { GO_BACK } from './asker.ts';
import { DraftFile } from './draft-file.ts';
import { type FarmDefaults, interviewFarm } from './farm-interview.ts';
import { formatFarmOutline } from './farm-outline.ts';
import { offerService } from './service-offer.ts';
import { defaultTimeZone, systemCountry, systemLang } from './system-locale.ts';

/** The objects that every step of the dialog needs. */
interface Dialog {
  readonly terminal: Terminal;
  readonly lang: Lang;
  readonly words: Interview;
  /** The words to type for this program. */
  readonly command: string;
}

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
  const lang = settings.lang ?? systemLang(process.env, process.platform) ?? DEFAULT_LANG;
  const { interview: words } = languageOf(lang);
  const terminal = openTerminal();
  const dialog: Dialog = { terminal, lang, words, command: ownCommand() };
  try {
    await assertNoFarm(db);
    printError(`${words.begin}\n\n`);
    const farm = await askForFarm(dialog, settings);
    if (farm === null) return EXIT.failed;

    await writeFarm(farm, settings, dialog);
    await offerFarmFile(dialog, farm, db);
    await offerAssistant(dialog, settings, sources);
    const variables = { ...collectVariables(settings, sources, command), ACEQUIA_DB: db };
    await offerService(dialog, variables);
    print(formatNextSteps(farm, storeOption(db), dialog));

    return EXIT.done;
  } catch (error) {
    return reportRefusalIn({ ...dialog, db }, error);
  } finally {
    terminal.close();
  }
}

/** Null if the farm is not to be written. On a terminal the answers are kept until it is. */
async function askForFarm(dialog: Dialog, { db, clock }: Settings): Promise<FarmFile | null> {
  const { terminal, lang, words, command } = dialog;
  const draft = terminal.isInteractive ? new DraftFile() : null;
  const log = await openLog(dialog, draft);
  const defaults: FarmDefaults = {
    lang,
    countryCode: systemCountry(process.env, process.platform),
    now: clock(),
    timeZoneOf: defaultTimeZone,
  };

  const sayKept = (): void => {
    if (draft?.read().length) printError(`${words.draftKept(`${command} init`)}\n`);
  };
  for (;;) {
    const farm = await interviewFarm(terminal, defaults, log).catch((error) => {
      sayKept();
      throw error;
    });
    printError(`\n${formatFarmOutline(farm, lang)}`);
    const question = `${words.write(redactedLocation(db))} ${words.yesOrNo(true)} `;
    const answer = (await terminal.ask(question))?.trim();
    if (answer === GO_BACK) log.dropLast();
    else if (answer === '' || (answer !== undefined && saysYes(answer))) return farm;
    else {
      printError(`${words.nothingWritten}\n`);
      sayKept();
      return null;
    }
  }
}

async function openLog({ terminal, words }: Dialog, draft: DraftFile | null): Promise<AnswerLog> {
  if (draft === null) return new AnswerLog();
  const answers = draft.read();
  const [farm] = answers;
  const isContinued =
    farm !== undefined &&
    (await confirm(terminal, words.continueDraft(farm, answers.length), true, words.yesOrNo(true)));
  return new AnswerLog(isContinued ? answers : [], (changed) => draft.write(changed));
}

/** Creates nothing: a missing store is created with the farm. */
async function assertNoFarm(db: string): Promise<void> {
  if (isMissingFile(db)) return;

  const view = await viewStore(db);
  try {
    const [company] = view.state === 'current' ? await view.read(allCompanies) : [];
    if (company)
      throw new RefusalInWords({ code: 'STORE_HAS_FARM' }, ({ interview }) =>
        interview.holdsFarm(redactedLocation(db), company.name),
      );
  } finally {
    await view.close();
  }
}

async function writeFarm(
  farm: FarmFile,
  { db, clock }: Settings,
  { terminal, words, command }: Dialog,
): Promise<void> {
  try {
    const store = await openStore({ db });
    try {
      await importFarm(store, formatFarmFile(farm), clock());
    } finally {
      await store.close();
    }
  } catch (error) {
    printError(`${words.notStored(`${command} import`)}\n`);
    print(formatFarmFile(farm));
    throw error;
  }

  if (terminal.isInteractive) new DraftFile().remove();
  const { company, parcels = [], modules = [] } = farm;
  const where = redactedLocation(db);
  print(`${words.farmWritten(company.name, where, parcels.length, modules.length)}\n`);
}

const formatFarmFile = (farm: FarmFile): string => `${JSON.stringify(farm, null, 2)}\n`;

/** The end of input means no: the farm is already written. */
async function offerFarmFile(
  { terminal, words }: Dialog,
  farm: FarmFile,
  db: string,
): Promise<void> {
  for (;;) {
    const answer = await terminal.ask(words.saveAsFile);
    const name = answer?.trim() ?? '';
    if (name === '' || words.none.includes(name.toLowerCase()) || saysYes(name)) return;

    const file = resolve(expandHome(name));
    try {
      assertNotStoreFile(file, 'the farm file', [db]);
      await writeFile(file, formatFarmFile(farm), { flag: 'wx' });
      print(`${words.fileWritten(file)}\n`);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof AcequiaError) printError(`${words.fileOfStore(name)}\n`);
      else if (code === 'EEXIST') printError(`${words.fileExists(file)}\n`);
      else printError(`${words.fileFails(file, `${code}`)}\n`);
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
  { terminal, lang, words, command }: Dialog,
  settings: Settings,
  sources: SettingSources,
): Promise<void> {
  const installed = installedClients();
  const connect = (client: string): string =>
    `${command} connect ${client}${storeOption(settings.db)}`;
  if (installed.length === 0) {
    const names = Object.keys(CLIENT_NAMES).join(', ');
    print(`${words.noAssistant(`${connect('CLIENT')} (${names})`)}\n`);
    return;
  }

  for (;;) {
    const [first] = installed;
    const answer = await terminal.ask(`${words.connect(installed.join(', '))} [${first}]: `);
    const name = answer?.trim().toLowerCase() || first;
    if (answer === null || name === undefined || words.none.includes(name)) {
      print(`${words.connectLater(connect(firstOf(installed)))}\n`);
      return;
    }

    const client = installed.find((id) => id === name || CLIENT_NAMES[id].toLowerCase() === name);
    if (client !== undefined) {
      const code = await runConnect(client, {}, settings, sources, {
        lang,
        command,
        confirmChange: (question, isHarmless) =>
          confirm(terminal, question, isHarmless, words.yesOrNo(isHarmless)),
      });
      if (code !== EXIT.done) print(`${words.connectLater(connect(client))}\n`);
      return;
    }

    const names = [...installed, firstOf(words.none)].join(', ');
    printError(`${new AnswerError('oneOf', names).sentence(lang)}\n`);
  }
}

function formatNextSteps(
  { modules = [], users = [] }: FarmFile,
  store: string,
  { words, command }: Dialog,
): string {
  const name = modules[0]?.name;
  const lines = [`${words.say} "${name == null ? words.twoProbes : words.wateredProbe(name)}"`];
  if (users.length > 0 && !process.env.ACEQUIA_SMTP_URL) {
    const install = `${command} service install${store} --env-file acequia.env`;
    lines.unshift(`${words.mail}   ${install}   (ACEQUIA_SMTP_URL=smtp://user:password@host:587)`);
  }
  if (name != null)
    lines.unshift(
      `${words.bringReadings}   ${command} import${store} --module "${name}" readings.csv`,
    );
  return `\n${lines.join('\n')}\n`;
}

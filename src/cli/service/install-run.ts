import { userInfo } from 'node:os';
import { itemAt } from '../../domain/items.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { languageOf } from '../../language/index.ts';
import { AcequiaError } from '../../schema/error.ts';
import { readMailSettings } from '../mail/mail-settings.ts';
import { probeSmtp } from '../mail/smtp-probe.ts';
import { EXIT, reportRefusal } from '../process/command.ts';
import type { Variables } from '../process/env-file.ts';
import { formatWords, print, printError } from '../process/output.ts';
import { RefusalInWords, reportRefusalIn } from '../process/refusal-in-words.ts';
import { defaultDb } from '../process/settings.ts';
import { confirm, openTerminal, type Terminal } from '../process/terminal.ts';
import { type InstallPlan, installedNames, planInstall } from './install-plan.ts';
import {
  type Installation,
  managerHint,
  type ServicePlatform,
  type ServiceWords,
} from './platforms/service-platform.ts';
import { answersSoon, formatAddress, isTaken, serviceAddress } from './service-address.ts';
import { applyChange, isChanged, showChanges } from './service-files.ts';
import { installationOf, platformOf, storeOwner } from './service-installation.ts';
import { servicesState } from './service-state.ts';
import { queryCommand, runCommands } from './system-command.ts';

export interface InstallRequest {
  readonly variables: Variables;
  readonly isSystem: boolean;
  /** Writes without asking. */
  readonly isConfirmed: boolean;
  /** Asks the system to keep services of this user on while nobody is logged in. */
  readonly keepsLingering: boolean;
  /** Where a dialog already runs, as in "acequia init", in the language of the person. */
  readonly dialog?: InstallDialog;
}

export interface InstallDialog {
  readonly terminal: Terminal;
  readonly lang: Lang;
  /** The words to type for this program. */
  readonly command: string;
}

interface Conversation {
  readonly terminal: Terminal | null;
  readonly words: ServiceWords;
  readonly confirm: (question: string) => Promise<boolean>;
}

function newConversation(terminal: Terminal | null, lang: Lang): Conversation {
  const { service: words, interview } = languageOf(lang);
  return {
    words,
    terminal,
    confirm: async (question) =>
      terminal !== null && confirm(terminal, question, true, interview.yesOrNo(true)),
  };
}

export async function runInstall(request: InstallRequest): Promise<number> {
  const { dialog } = request;
  const own = dialog === undefined && process.stdin.isTTY ? openTerminal() : null;
  try {
    const conversation = newConversation(dialog?.terminal ?? own, dialog?.lang ?? DEFAULT_LANG);
    return await install(request, conversation);
  } catch (error) {
    return reportIn(request, error);
  } finally {
    own?.close();
  }
}

function reportIn({ dialog, variables }: InstallRequest, error: unknown): number {
  if (dialog === undefined || !(error instanceof AcequiaError)) return reportRefusal(error);
  return reportRefusalIn({ ...dialog, db: variables.ACEQUIA_DB ?? defaultDb() }, error);
}

async function install(request: InstallRequest, conversation: Conversation): Promise<number> {
  const { words } = conversation;
  const { isSystem, isConfirmed } = request;
  const platform = platformOf(process.platform, { isSystem });
  let ownerId: number | null = null;
  const locate = async (db: string): Promise<Installation> => {
    const owner = isSystem ? await storeOwner(db) : null;
    ownerId = owner?.id ?? null;
    const { execPath, argv } = process;
    return installationOf({ execPath, program: itemAt(argv, 1) }, owner?.name ?? null);
  };
  const plan = await planInstall(platform, { newVariables: request.variables, locate, words });

  const changes = plan.changes.filter(isChanged);
  if (changes.length > 0) showPlan(platform, plan, words);
  else if (await isOn(platform, plan)) {
    print(`${words.nothingToChange(words.kinds[platform.kind], platform.envFile)}\n`);
    return EXIT.done;
  }

  const question = changes.length > 0 ? words.writeAndTurnOn : words.turnOn;
  if (!isConfirmed && !(await conversation.confirm(question))) {
    printError(`${words.declined}\n`);
    return EXIT.failed;
  }

  await turnOn(platform, plan, ownerId);
  return report(platform, plan, request, conversation);
}

function showPlan(platform: ServicePlatform, plan: InstallPlan, words: ServiceWords): void {
  print(`${words.keptOnBy(words.kinds[platform.kind])}\n\n`);
  showChanges(plan.changes.filter(isChanged), words);

  const commands = platform.turnOn(plan.names);
  print(
    `${words.commandsAfter(commands.map((command) => formatWords(command.words)).join('; '))}\n\n`,
  );
}

const isOn = async (platform: ServicePlatform, { names }: InstallPlan): Promise<boolean> =>
  (await servicesState(platform, names)).every((state) => state.isOn);

async function turnOn(
  platform: ServicePlatform,
  plan: InstallPlan,
  ownerId: number | null,
): Promise<void> {
  await runCommands(platform.check, managerHint(platform));
  const installed = await installedNames(platform);
  await assertAddressIsFree(platform, plan);

  const unneeded = installed.filter((name) => !plan.names.includes(name));
  if (unneeded.length > 0) await runCommands(platform.turnOff(unneeded), managerHint(platform));
  for (const change of plan.changes.filter(isChanged)) await applyChange(change, ownerId);

  await runCommands(platform.turnOn(plan.names), ({ filesAreWritten }) => filesAreWritten);
}

/** Another program there would answer instead, and the service would fail again and again. */
async function assertAddressIsFree(platform: ServicePlatform, plan: InstallPlan): Promise<void> {
  const address = serviceAddress(plan.variables);
  if (address === null || !(await isTaken(address))) return;
  const [serve] = await servicesState(platform, ['acequia']);
  if (serve?.isOn) return;

  throw new RefusalInWords({ code: 'address_in_use', status: 409 }, ({ service }) =>
    service.refusals.addressInUse(formatAddress(address)),
  );
}

async function report(
  platform: ServicePlatform,
  plan: InstallPlan,
  request: InstallRequest,
  conversation: Conversation,
): Promise<number> {
  const { words } = conversation;
  const address = serviceAddress(plan.variables);
  const isAnswered = address === null || (await answersSoon(address));
  if (!isAnswered) {
    printError(`${words.silent}\n`);
    return EXIT.failed;
  }

  print(`${words.isOn(address && formatAddress(address))}\n`);
  print(`${words.settings(platform.envFile)}\n`);
  await reportMail(plan.variables, words);
  const isLingering = request.isSystem ? null : await offerLingering(request, conversation);
  print(`${words.whenOn[platform.whenOn(isLingering)]}\n`);

  return EXIT.done;
}

/** A wrong password would otherwise show with the first alert. */
async function reportMail(variables: Variables, { mail: words }: ServiceWords): Promise<void> {
  const settings = readMailSettings(variables);
  if (settings === null) return;

  const { host, port, auth, from } = settings;
  const { failure, isEncrypted } = await probeSmtp(settings, []);
  const server = `${host}:${port}`;
  if (failure === null) {
    const details = words.details(isEncrypted, auth?.user ?? null, from.address);
    print(`${words.accepted(server, details)}\n`);
    return;
  }
  const { phase, answer } = failure;
  printError(`${words.failed(server, words.failures[phase], answer)}\n${words.advice[phase]}\n`);
}

/** Null where no systemd is asked. */
export async function lingers(): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  const words = ['loginctl', 'show-user', userInfo().username, '--property=Linger'] as const;
  return (await queryCommand({ words: [...words] })).stdout.trim() === 'Linger=yes';
}

async function offerLingering(
  request: InstallRequest,
  { terminal, words, confirm }: Conversation,
): Promise<boolean | null> {
  const { isConfirmed, keepsLingering } = request;
  const isLingering = await lingers();
  if (isLingering !== false) return isLingering;

  const isAsked = !isConfirmed && terminal !== null;
  if (!keepsLingering && !(isAsked && (await confirm(words.linger)))) return false;

  try {
    const { username } = userInfo();
    const command = { words: ['loginctl', 'enable-linger', username] } as const;
    await runCommands([{ words: [...command.words] }], ({ administrator }) => administrator);
    return true;
  } catch (error) {
    reportIn(request, error);
    return false;
  }
}

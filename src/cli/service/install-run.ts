import { userInfo } from 'node:os';
import { itemAt } from '../../domain/items.ts';
import { AcequiaError } from '../../schema/error.ts';
import { checkMail } from '../doctor/mail-check.ts';
import { EXIT, reportRefusal } from '../process/command.ts';
import type { Variables } from '../process/env-file.ts';
import { formatWords, print, printError } from '../process/output.ts';
import { confirm, openTerminal, type Terminal } from '../process/terminal.ts';
import { type InstallPlan, installedNames, planInstall } from './install-plan.ts';
import { installationOf, platformOf, storeOwner } from './installation.ts';
import type { ServicePlatform } from './platforms/service-platform.ts';
import { answersSoon, formatAddress, isTaken, serviceAddress } from './service-address.ts';
import { applyChange, isChanged, showChanges } from './service-files.ts';
import { servicesState } from './service-state.ts';
import { queryCommand, runCommands } from './system-command.ts';

export interface InstallRequest {
  readonly variables: Variables;
  readonly isSystem: boolean;
  /** Writes without asking. */
  readonly isConfirmed: boolean;
  /** Asks the system to keep services of this user on while nobody is logged in. */
  readonly keepsLingering: boolean;
  /** Where a dialog already runs, as in "acequia init". */
  readonly openedTerminal?: Terminal;
}

export async function runInstall(request: InstallRequest): Promise<number> {
  const terminal = request.openedTerminal ?? (process.stdin.isTTY ? openTerminal() : null);
  try {
    return await install(request, terminal);
  } catch (error) {
    return reportRefusal(error);
  } finally {
    if (terminal !== request.openedTerminal) terminal?.close();
  }
}

async function install(request: InstallRequest, terminal: Terminal | null): Promise<number> {
  const { isSystem, isConfirmed } = request;
  const platform = platformOf(process.platform, { isSystem });
  let ownerId: number | null = null;
  const plan = await planInstall(platform, request.variables, async (db) => {
    const owner = isSystem ? await storeOwner(db) : null;
    ownerId = owner?.id ?? null;
    const { execPath, argv } = process;
    return installationOf({ execPath, program: itemAt(argv, 1) }, owner?.name ?? null);
  });

  const changes = plan.changes.filter(isChanged);
  if (changes.length > 0) showPlan(platform, plan);
  else if (await isOn(platform, plan)) {
    print(`Nothing to change: Acequia is on, as ${platform.kind}, with ${platform.envFile}.\n`);
    return EXIT.done;
  }

  const question = changes.length > 0 ? 'Write this and turn it on?' : 'It is off. Turn it on?';
  if (!isConfirmed && !(terminal && (await confirm(terminal, question, true)))) {
    printError('Nothing was changed. Use --yes to install without being asked.\n');
    return EXIT.failed;
  }

  await turnOn(platform, plan, ownerId);
  return report(platform, plan, request, terminal);
}

function showPlan(platform: ServicePlatform, plan: InstallPlan): void {
  print(`Acequia is kept on by ${platform.kind}.\n\n`);
  showChanges(plan.changes.filter(isChanged));

  const commands = platform.turnOn(plan.names);
  print(`Then: ${commands.map(({ words }) => formatWords(words)).join('; ')}\n\n`);
}

const isOn = async (platform: ServicePlatform, { names }: InstallPlan): Promise<boolean> =>
  (await servicesState(platform, names)).every((state) => state.isOn);

async function turnOn(
  platform: ServicePlatform,
  plan: InstallPlan,
  ownerId: number | null,
): Promise<void> {
  await runCommands(platform.check, platform.checkHint);
  const installed = await installedNames(platform);
  await assertAddressIsFree(platform, plan);

  const unneeded = installed.filter((name) => !plan.names.includes(name));
  if (unneeded.length > 0) await runCommands(platform.turnOff(unneeded), platform.checkHint);
  for (const change of plan.changes.filter(isChanged)) await applyChange(change, ownerId);

  await runCommands(
    platform.turnOn(plan.names),
    'The files are written. Put this right, then run "acequia service install" again.',
  );
}

/** Another program there would answer instead, and the service would fail again and again. */
async function assertAddressIsFree(platform: ServicePlatform, plan: InstallPlan): Promise<void> {
  const address = serviceAddress(plan.variables);
  if (address === null || !(await isTaken(address))) return;
  const [serve] = await servicesState(platform, ['acequia']);
  if (serve?.isOn) return;

  throw new AcequiaError({
    code: 'address_in_use',
    status: 409,
    message: `Another program already listens on ${formatAddress(address)}.`,
    hint: 'If it is an "acequia serve" of yours, end it; otherwise give --port another number.',
  });
}

async function report(
  platform: ServicePlatform,
  plan: InstallPlan,
  request: InstallRequest,
  terminal: Terminal | null,
): Promise<number> {
  const address = serviceAddress(plan.variables);
  const isAnswered = address === null || (await answersSoon(address));
  if (!isAnswered) {
    printError('It was started, but does not answer yet: see "acequia service logs".\n');
    return EXIT.failed;
  }

  print(`Acequia is on${address ? `, and answers on ${formatAddress(address)}` : ''}.\n`);
  print(`Its settings: ${platform.envFile}\n`);
  await reportMail(plan.variables);
  const isLingering = request.isSystem ? null : await offerLingering(request, terminal);
  print(`${platform.whenOn(isLingering)}\n`);

  return EXIT.done;
}

/** A wrong password would otherwise show with the first alert. */
async function reportMail(variables: Variables): Promise<void> {
  if (variables.ACEQUIA_SMTP_URL === undefined) return;
  for (const { level, what, advice } of await checkMail(variables, null))
    if (level === 'good') print(`Mail: ${what}.\n`);
    else printError(`Mail: ${what}.\n${advice}\n`);
}

/** Null where no systemd is asked. */
export async function lingers(): Promise<boolean | null> {
  if (process.platform !== 'linux') return null;
  const words = ['loginctl', 'show-user', userInfo().username, '--property=Linger'] as const;
  return (await queryCommand({ words: [...words] })).stdout.trim() === 'Linger=yes';
}

async function offerLingering(
  { isConfirmed, keepsLingering }: InstallRequest,
  terminal: Terminal | null,
): Promise<boolean | null> {
  const isLingering = await lingers();
  if (isLingering !== false) return isLingering;

  const question = 'Keep it on also while you are logged out (loginctl enable-linger)?';
  const isAsked = !isConfirmed && terminal !== null;
  if (!keepsLingering && !(isAsked && (await confirm(terminal, question, true)))) return false;

  try {
    const { username } = userInfo();
    const command = { words: ['loginctl', 'enable-linger', username] } as const;
    await runCommands([{ words: [...command.words] }], 'An administrator can run it for you.');
    return true;
  } catch (error) {
    reportRefusal(error);
    return false;
  }
}

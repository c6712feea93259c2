import { type Command, Option } from 'commander';
import { parsePath, wholeNumberParser } from '../process/option-parsers.ts';
import { addCommonOptions, readSettingSources, readSettings } from '../process/settings.ts';
import { collectVariables, serviceOptions } from './service-variables.ts';

const SYSTEM = 'of the whole system instead of this user (Linux, with sudo)';

export function addServiceCommand(program: Command): void {
  const service = program
    .command('service')
    .description('keep Acequia on: install, look after and remove a service of this computer');
  addInstallCommand(service);
  addStatusCommand(service);
  addLogsCommand(service);
  addRestartCommand(service);
  addRemoveCommand(service);
  addKeepCommand(service);
}

function addInstallCommand(service: Command): void {
  const install = addCommonOptions(service.command('install'))
    .description('keep "serve" running, and "ingest mqtt" beside it if a broker is set')
    .option('--system', SYSTEM)
    .option('--yes', 'install without asking')
    .option('--linger', 'keep it on while you are logged out, without asking (loginctl)');
  const heading = 'What "serve" and "ingest mqtt" run with:';
  for (const option of serviceOptions()) install.addOption(option.helpGroup(heading));

  install.action(async (options, command: Command) => {
    const settings = readSettings(command, { allowsRemote: false });
    const sources = readSettingSources(command);
    if (sources.clock === 'cli')
      command.error('error: a service runs on the time of its computer; leave --clock out.');

    const { runInstall } = await import('./install-run.ts');
    process.exitCode = await runInstall({
      variables: collectVariables(settings, sources, command),
      isSystem: options.system === true,
      isConfirmed: options.yes === true,
      keepsLingering: options.linger === true,
    });
  });
}

function addStatusCommand(service: Command): void {
  service
    .command('status')
    .description('say whether it is on and answers')
    .option('--system', SYSTEM)
    .action(async (options) => {
      const { runStatus } = await import('./service-run.ts');
      process.exitCode = await runStatus(options);
    });
}

function addLogsCommand(service: Command): void {
  service
    .command('logs')
    .description('print what it logged last')
    .option('--system', SYSTEM)
    .option('--lines <number>', 'how many lines', wholeNumberParser(1, 100_000), 100)
    .action(async (options) => {
      const { runLogs } = await import('./service-run.ts');
      process.exitCode = await runLogs(options);
    });
}

function addRestartCommand(service: Command): void {
  service
    .command('restart')
    .description('start it again, as after a change of its settings or an update of Acequia')
    .option('--system', SYSTEM)
    .action(async (options) => {
      const { runRestart } = await import('./service-run.ts');
      process.exitCode = await runRestart(options);
    });
}

function addRemoveCommand(service: Command): void {
  service
    .command('remove')
    .description('turn it off and remove it; the farm stays')
    .option('--system', SYSTEM)
    .option('--yes', 'remove without asking')
    .action(async (options) => {
      const { runRemove } = await import('./service-run.ts');
      process.exitCode = await runRemove(options);
    });
}

/**
 * The command that launchd and Windows start. It reads no settings itself: wrong ones are found by
 * the command, which then is not started again.
 */
function addKeepCommand(service: Command): void {
  const fileOption = (flags: string, description: string): Option =>
    new Option(flags, description).argParser(parsePath).makeOptionMandatory();
  service
    .command('keep', { hidden: true })
    .description('run a command of Acequia, and again whenever it ends')
    .argument('<words...>', 'the command')
    .addOption(fileOption('--settings <file>', 'file of variables for the command'))
    .addOption(fileOption('--log <file>', 'file of its output'))
    .action(async (words: string[], files: { readonly settings: string; readonly log: string }) => {
      const { runKeep } = await import('./keeper/keep-run.ts');
      process.exitCode = await runKeep(words, files);
    });
}

import type { Command } from 'commander';
import { expandHome } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings } from '../process/settings.ts';

export function addCallCommand(program: Command): void {
  addCommonOptions(program.command('call'))
    .description(
      'run one tool: acequia call log_watering module="North 1" startedAt="today 6:00" …',
    )
    .argument('[tool]', 'name of the tool (without it, all tools are listed)')
    .argument('[arguments...]', 'name=value, name:=JSON, or - for a JSON object on standard input')
    .option('--json', 'print the structured answer as JSON')
    .option('--out <file>', 'file for a picture (PNG)', expandHome)
    // Commander does not know the arguments of a tool, so the help is built here.
    .helpOption(false)
    .option('-h, --help', 'show the arguments of the tool; without a tool, this help')
    .action(
      async (tool: string | undefined, words: string[], { help, ...options }, command: Command) => {
        if (help && tool === undefined) return command.help();
        const { listTools, runCall, showToolHelp } = await import('./call-run.ts');
        const settings = readSettings(command);
        if (tool === undefined) process.exitCode = await listTools(settings);
        else if (help) process.exitCode = await showToolHelp(tool);
        else process.exitCode = await runCall(tool, words, options, settings);
      },
    );
}

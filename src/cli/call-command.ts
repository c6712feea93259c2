import type { Command } from 'commander';
import { addCommonOptions, readSettings } from './process/settings.ts';

export function addCallCommand(program: Command): void {
  addCommonOptions(program.command('call'))
    .description('run one tool: acequia call log_watering module="North 1" startedAt="today 6:00" …')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments...]', 'name=value, name:=JSON, or - for a JSON object on standard input')
    .option('--json', 'print the structured answer as JSON')
    .option('--out <file>', 'file for a picture (PNG)')
    .action(async (tool: string, words: string[], options, command: Command) => {
      const { runCall } = await import('./tool-commands/call-run.ts');
      process.exitCode = await runCall(tool, words, options, readSettings(command));
    });
}

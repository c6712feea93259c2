import type { Command } from 'commander';
import { expandHome } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from '../process/settings.ts';

export function addExportCommand(program: Command): void {
  addCommonOptions(program.command('export'))
    .description(
      'write everything of a company into a folder, or the farm as it is now as a farm file; "acequia import" reads both. Keys, sessions and other secrets stay behind',
    )
    .argument('[folder]', 'folder to make; without it, a farm file is written', expandHome)
    .option('--out <file>', 'farm file to write (default: standard output)', expandHome)
    .option('--company <name>', 'company, when the store holds several: name or id')
    .action(async (folder: string | undefined, options, command: Command) => {
      const settings = readSettings(command, WHOLE_STORE);
      if (folder === undefined) {
        const { runExport } = await import('./export-run.ts');
        process.exitCode = await runExport(options, settings);
        return;
      }

      const { runFolderExport } = await import('./folder-export-run.ts');
      const program = command.parent?.version() ?? '';
      process.exitCode = await runFolderExport({ folder, program, ...options }, settings);
    });
}

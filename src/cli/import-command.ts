import type { Command } from 'commander';
import { addCommonOptions, readUnfilteredStoreSettings } from './process/settings.ts';

export function addImportCommand(program: Command): void {
  addCommonOptions(program.command('import'))
    .description('import farm files (.json) and readings (.csv; - for standard input)')
    .argument('[files...]', 'files, imported in this order')
    .option('--module <name>', 'probe of a wide readings file: name, uid or id')
    .option('--company <name>', 'company of the readings, when the store holds several: name or id')
    .option('--timezone <zone>', 'IANA zone of times without an offset (default: the company’s)')
    .option('--rejects <file>', 'write the rejected rows to this file')
    .option('--print-schema', 'print the JSON Schema of a farm file')
    .action(async (files: string[], options, command: Command) => {
      const { runImport } = await import('./store-commands/import-run.ts');
      process.exitCode = await runImport(files, options, readUnfilteredStoreSettings(command));
    });
}

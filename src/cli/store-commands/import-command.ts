import { statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { CSV_PROFILE_NAMES, DATE_ORDERS } from '../../domain/ingest/import-options.ts';
import { expandHome, parseLineNumber } from '../process/option-parsers.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from '../process/settings.ts';

export function addImportCommand(program: Command): void {
  addCommonOptions(program.command('import'))
    .description(
      'import farm files (.json) and readings (.csv; - for standard input), or a folder of "acequia export" into a store without a farm',
    )
    .argument('[files...]', 'files, imported in this order, or one folder')
    .option('--module <name>', 'probe of a wide readings file: name, uid or id')
    .option('--company <name>', 'company of the readings, when the store holds several: name or id')
    .option(
      '--timezone <zone>',
      'IANA zone, or offset such as +01:00, of times that have none (default: the company’s)',
    )
    .option(
      '--map <column=meaning>',
      'a column that is not recognised, such as "Probe A=humidity_10"; may be repeated',
      (entry: string, previous: readonly string[] = []) => [...previous, entry],
    )
    .addOption(
      new Option(
        '--profile <name>',
        'provider whose export it is (default: recognized by the header)',
      ).choices(CSV_PROFILE_NAMES),
    )
    .addOption(
      new Option('--dates <order>', 'order of dates such as 03/04/2026').choices(DATE_ORDERS),
    )
    .option(
      '--from-line <number>',
      'leave out the rows before this line, to go on after an import that stopped',
      parseLineNumber,
    )
    .option('--dry-run', 'store nothing: show the first rows of readings as they would be stored')
    .option('--rejects <file>', 'write the rejected rows to this file', expandHome)
    .option('--new-company', 'let a farm file add a company to a store that holds another one')
    .option('--print-schema', 'print the JSON Schema of a farm file')
    .action(async (files: string[], options, command: Command) => {
      const settings = readSettings(command, WHOLE_STORE);
      const paths = files.map(expandHome);
      const [folder] = paths;
      if (folder !== undefined && paths.length === 1 && isFolder(folder)) {
        const { runFolderImport } = await import('./folder-import-run.ts');
        process.exitCode = await runFolderImport(folder, options, settings);
        return;
      }

      const { runImport } = await import('./import-run.ts');
      process.exitCode = await runImport(paths, options, settings);
    });
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

import { type Command, InvalidArgumentError } from 'commander';
import { parseReadingAge, type ReadingAge } from '../../domain/moisture/reading-retention.ts';
import { addCommonOptions, readSettings, WHOLE_STORE } from '../process/settings.ts';

function parseAgeOption(text: string): ReadingAge {
  const age = parseReadingAge(text);
  if (age === null)
    throw new InvalidArgumentError(
      'Give years, months or days, such as 5y, 18m or 400d, a year or more.',
    );
  return age;
}

interface RetainOptions {
  readonly readings: ReadingAge;
  readonly company?: string;
  readonly dryRun?: boolean;
  readonly compact?: boolean;
}

export function addRetainCommand(program: Command): void {
  addCommonOptions(program.command('retain'))
    .description(
      'delete single readings that are older than so long, but those of stations in the air; the sums of their hours and days stay. There is no undo',
    )
    .requiredOption(
      '--readings <age>',
      'how long single readings are kept: 5y, 18m or 400d, a year or more',
      parseAgeOption,
    )
    .option('--company <name>', 'only the readings of this company: name or id')
    .option('--dry-run', 'delete nothing; say what would go')
    .option(
      '--compact',
      'give the space back to the disk afterwards; writers wait while the store is written anew',
    )
    .action(async (options: RetainOptions, command: Command) => {
      const { readings: age, company, dryRun = false, compact = false } = options;
      if (dryRun && compact)
        command.error('error: --dry-run deletes nothing, so --compact does not apply.');
      const settings = readSettings(command, WHOLE_STORE);
      const { runRetain } = await import('./retain-run.ts');
      process.exitCode = await runRetain({ age, company, isDryRun: dryRun, compact }, settings);
    });
}

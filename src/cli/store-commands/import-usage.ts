import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { placesOfAbbreviation, zoneOfClock } from '../../domain/company/place-zones.ts';
import type { CsvProfileName, DateOrder } from '../../domain/ingest/import-options.ts';
import { quote } from '../../domain/strings.ts';
import { FileError } from '../../language/ingest/file-error.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { shellWord } from '../connect/client-snippets.ts';
import { usageError } from '../process/command.ts';
import { isSameLocation } from '../process/output-file.ts';

export interface ImportOptions {
  readonly module?: string | undefined;
  readonly company?: string | undefined;
  readonly timezone?: string | undefined;
  readonly map?: readonly string[] | undefined;
  readonly dates?: DateOrder | undefined;
  readonly profile?: CsvProfileName | undefined;
  readonly fromLine?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly rejects?: string | undefined;
  readonly newCompany?: boolean | undefined;
  readonly printSchema?: boolean | undefined;
}

/** A folder has its own company, zones and columns. */
const OPTIONS_OF_FILES: readonly (keyof ImportOptions)[] = [
  ...(['module', 'company', 'timezone', 'map', 'dates', 'profile'] as const),
  ...(['fromLine', 'dryRun', 'rejects', 'newCompany', 'printSchema'] as const),
];

/** Others, such as --db, stand among the options too where the environment names them. */
export function assertNoOptionsOfFiles(options: ImportOptions): void {
  const name = OPTIONS_OF_FILES.find((each) => options[each] !== undefined);
  if (name === undefined) return;

  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw usageError(
    `${option} is not for a folder, which is imported whole.`,
    `Leave ${option} out.`,
    option,
  );
}

export const isFarmFile = (file: string): boolean => /\.json$/i.test(file);

export const displayName = (file: string): string =>
  file === '-' ? 'standard input' : basename(file);

export async function checkImportUsage(
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  if (files.length === 0)
    throw usageError(
      'No file is named.',
      'Name farm files (.json) and readings (.csv), or - for readings on standard input.',
      'files',
    );

  if (options.timezone !== undefined) assertZoneOfClock(options.timezone);

  const readings = files.filter((file) => !isFarmFile(file));
  if (files.filter((file) => file === '-').length > 1)
    throw usageError('Standard input is given twice.', 'Give - once.', 'files');
  if (options.rejects !== undefined && readings.length > 1)
    throw usageError(
      'One rejects file cannot serve several readings files, whose columns may differ.',
      'Import the readings files one by one, each with its own --rejects.',
      '--rejects',
    );

  if (options.dryRun === true && readings.length < files.length) throw dryRunOfOtherFile();
  if (options.fromLine !== undefined && (files.length > 1 || readings.length === 0))
    throw fromLineOfOtherFile();

  for (const file of files) if (file !== '-') await assertReadable(file);
  const { rejects } = options;
  if (rejects !== undefined && files.some((file) => file !== '-' && isSameLocation(rejects, file)))
    throw usageError(
      'The rejects would overwrite a file to import.',
      'Give --rejects another name.',
      '--rejects',
    );
}

function assertZoneOfClock(timezone: string): void {
  if (zoneOfClock(timezone) !== null) return;

  const places = placesOfAbbreviation(timezone).join(' or ') || 'an IANA zone such as Europe/Paris';
  throw usageError(
    `${quote(timezone)} is not a time zone.`,
    `Give ${places}, or an offset such as +01:00 if the clock stays the same all year.`,
    '--timezone',
  );
}

/** A farm file, or a file of daily weather. */
export const dryRunOfOtherFile = (): AcequiaError =>
  usageError(
    'A dry run is of readings alone.',
    'Name files of readings only, or leave --dry-run out.',
    '--dry-run',
  );

/** A farm file, a file of daily weather, or several files. */
export const fromLineOfOtherFile = (): AcequiaError =>
  usageError(
    'A line to go on from is of one file of readings.',
    'Name one file of readings, or leave --from-line out.',
    '--from-line',
  );

/** A named pipe, a socket or a device. */
const NOT_A_FILE = 'NOT_A_FILE';

async function assertReadable(file: string): Promise<void> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    // It is read twice, and what nobody writes to would be waited for without end.
    if (!stats.isFile()) throw Object.assign(new Error(), { code: NOT_A_FILE });
  } catch (error) {
    throw unreadableFile(file, error);
  }
}

export function unreadableFile(file: string, error: unknown): FileError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return new FileError(({ fileFaults }) => fileFaults.unreadable(file, code), {
    code: 'invalid_parameter',
  });
}

/** The command that goes on with a file from a line. `store` is the text of `storeOption`. */
export function continuationCommand(
  file: string,
  { company, module, map = [], dates, profile, timezone, rejects }: ImportOptions,
  fromLine: number,
  store: string,
): string {
  const options: readonly (readonly [name: string, value: string | undefined])[] = [
    ['--company', company],
    ['--module', module],
    ...map.map((entry) => ['--map', entry] as const),
    ['--dates', dates],
    ['--profile', profile],
    ['--timezone', timezone],
    ['--from-line', String(fromLine)],
    ['--rejects', rejects],
  ];
  const words = options.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return `acequia import${store} ${[...words, file].map(shellWord).join(' ')}`;
}
